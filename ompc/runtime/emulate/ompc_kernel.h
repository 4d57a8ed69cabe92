// ompc_kernel.h (emulate): a kernel with its arguments, which are kept until it runs.

#ifndef OMPC_KERNEL_H
#define OMPC_KERNEL_H

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

namespace ompc {

// As on a device.
template <class... Parameters>
using KernelOf = void (*)(Parameters...);
#define OMPC_KERNEL(...) __VA_ARGS__

template <class... Parameters>
const void *code_of(void (*kernel)(Parameters...))
{
    return reinterpret_cast<const void *>(kernel);
}

#define OMPC_SYMBOL(variable) variable

// A call with its arguments, which are plain data.
struct Kernel {
    void (*lane)(const void *call);
    std::shared_ptr<const void> call;
};

// Not a template, and no std::tuple below: a program has hundreds of kernels, and its compiler all that stands there once for each.
inline Kernel kernel_of(void (*lane)(const void *call), const void *call, std::size_t bytes, std::align_val_t alignment)
{
    const std::shared_ptr<void> kept(operator new(bytes, alignment), [=](void *memory) { operator delete(memory, alignment); });
    std::memcpy(kept.get(), call, bytes);
    return {lane, kept};
}

template <class Call>
void run_lane(const void *call)
{
    (*static_cast<const Call *>(call))();
}

// Every lane gets its own copy of the arguments.
template <class Use, class... Parameters>
void with_kernel(const Use &use, void (*function)(Parameters...), Parameters... arguments)
{
    const auto call = [=] { function(arguments...); };
    using Call = std::remove_const_t<decltype(call)>;
    static_assert(std::is_trivially_copyable_v<Call>, "kernel arguments are plain data");
    use(kernel_of(run_lane<Call>, &call, sizeof call, std::align_val_t{alignof(Call)}));
}

// There is nothing to find out about kernels that the host can run.
inline const void *probe_of_file()
{
    return nullptr;
}

} // namespace ompc

#endif
