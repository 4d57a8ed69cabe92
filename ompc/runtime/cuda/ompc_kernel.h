// ompc_kernel.h (cuda): a kernel with its arguments, as cudaLaunchKernel takes them.

#ifndef OMPC_KERNEL_H
#define OMPC_KERNEL_H

namespace ompc {

struct Kernel {
    const void *function;
    void **arguments;
};

// use(kernel), with arguments that are there until it returns.
template <class Use, class... Parameters>
void with_kernel(const Use &use, void (*function)(Parameters...), Parameters... arguments)
{
    void *addresses[] = {const_cast<void *>(static_cast<const volatile void *>(&arguments))..., nullptr};
    use(Kernel{reinterpret_cast<const void *>(function), addresses});
}

#ifdef __CUDACC__
// Is compiled for the architectures that the program's kernels are compiled for.
template <int>
__global__ void probe()
{
}

inline const void *probe_of_file()
{
    return reinterpret_cast<const void *>(probe<0>);
}
#endif

} // namespace ompc

#endif
