// ompc_device.cc (emulate): what the host's runtime calls of the device: when memory goes, around fork, at the end.

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
    drop_present(base, bytes);
    drop_resident(base);
    device().wait_copies_in(Waited::release); // one may be reading it
    device().pinning_.forget(base);
}

void Device::wait_until_connected()
{
    if (is_connecting_thread())
        return;
    const Locked guard(ledger().lock);
    device().finish_connecting();
}

void Device::unlock_pages_for_fork()
{
    if (is_connecting_thread())
        return;
    const Locked guard(ledger().lock);
    if (device().is_busy())
        device().wait(Waited::release);
    device().pinning_.unlock_all();
}

// Also what nobody has waited for is done: a mistake in it is a mistake.
void Device::end()
{
    const Locked guard(ledger().lock);
    streams().finish();
    device().is_ending_ = true;
}

[[maybe_unused]] static void *allocate_host(std::size_t bytes)
{
    const Locked guard(ledger().lock);
    return device().allocate_host(bytes);
}

[[maybe_unused]] static void release_host(void *base)
{
    const Locked guard(ledger().lock);
    device().release_host(base);
}

// With a sanitizer, host arrays come from its malloc, which sees accesses out of bounds.
void offer_page_locked_memory()
{
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    ompc_host_allocator(allocate_host, release_host);
#endif
}

} // namespace ompc
