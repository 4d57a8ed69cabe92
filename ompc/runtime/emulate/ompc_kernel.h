// ompc_kernel.h (emulate): a kernel with its arguments, which are kept until it runs.

#ifndef OMPC_KERNEL_H
#define OMPC_KERNEL_H

#include <memory>
#include <tuple>

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

struct Kernel {
    void (*lane)(const void *call);
    std::shared_ptr<const void> call;
};

// Every lane gets its own copy of the arguments.
template <class... Parameters>
struct Call {
    void (*function)(Parameters...);
    std::tuple<Parameters...> arguments;

    static void lane(const void *of_kernel)
    {
        const Call &call = *static_cast<const Call *>(of_kernel);
        std::apply(call.function, call.arguments);
    }
};

template <class Use, class... Parameters>
void with_kernel(const Use &use, void (*function)(Parameters...), Parameters... arguments)
{
    using Made = Call<Parameters...>;
    use(Kernel{Made::lane, std::shared_ptr<const void>(new Made{function, std::tuple<Parameters...>(arguments...)})});
}

// There is nothing to find out about kernels that the host can run.
inline const void *probe_of_file()
{
    return nullptr;
}

} // namespace ompc

#endif
