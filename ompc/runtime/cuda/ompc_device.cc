// ompc_device.cc (cuda): what the host's runtime calls of the device: when memory goes, around fork, at the end.

#include "ompc_cuda.h"

#include "ompc_device.h"

#include "ompc_start.h"

namespace ompc {

void device_code_is_loaded(const void *probe)
{
    Device::code_is_loaded(probe);
}

void Device::unpin(void *base, std::size_t bytes)
{
    const Locked guard(ledger().lock);
    drop_resident(base); // a stack needs its pages also where the device is gone
    if (!has_failed() && device().is_usable()) {
        drop_present(base, bytes);
        device().wait_copies_in(Waited::release); // one may be reading it
        device().pinning_.forget(base);
    }
}

void Device::wait_until_connected()
{
    if (is_connecting_thread())
        return;
    const Locked guard(ledger().lock);
    if (device().is_usable())
        device().finish_connecting();
}

void Device::end()
{
    const Locked guard(ledger().lock);
    if (settings().profiling && device().is_usable())
        timeline().resolve(true);
    is_ending() = true;
}

void Device::become_orphan()
{
    device().orphaned_ = device().started_;
}

void Device::unlock_pages_for_fork()
{
    if (is_connecting_thread())
        return;
    const Locked guard(ledger().lock);
    if (has_failed() || is_ending() || !device().is_usable() || device().why_not_ != nullptr)
        return;
    if (device().is_busy())
        device().wait(Waited::release);
    device().pinning_.unlock_all();
}

static void *allocate_host(std::size_t bytes)
{
    const Locked guard(ledger().lock);
    return device().allocate_host(bytes);
}

static void release_host(void *base)
{
    const Locked guard(ledger().lock);
    device().release_host(base);
}

void offer_page_locked_memory()
{
    ompc_host_allocator(allocate_host, release_host);
}

} // namespace ompc
