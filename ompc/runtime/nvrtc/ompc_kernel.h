// ompc_kernel.h (nvrtc): kernels and variables of the device by name, in images that NVRTC compiles when the library is loaded.
//
// Each kernel that a launcher starts, and each variable that it fills, has an entry here with the name that C++ has for it
// ("a_c::mm_12_tiled<8>"). Python asks for the names (ompc_images.cc), compiles them, and hands back for each device file an image
// and what the names are in it. Images are loaded with the context; CUDA's runtime takes a handle of a kernel as a kernel.

#ifndef OMPC_KERNEL_H
#define OMPC_KERNEL_H

#include "ompc_cuda.h"

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#ifndef OMPC_DEVICE_FILE
#define OMPC_DEVICE_FILE 0 // the number of the device file that is being compiled
#endif

namespace ompc {

// A kernel or a variable of a device file.
struct Code {
    std::string name;     // for C++
    int file;
    const void *variable; // what stands for it in the host's part; nullptr: a kernel
    std::string lowered;  // its name in the image
    const void *handle = nullptr;

    Code(const char *spelled, int file_, const void *variable_);

    cudaError_t find(cudaLibrary_t image)
    {
        void *found = nullptr;
        std::size_t bytes = 0;
        const cudaError_t error = variable == nullptr ? cudaLibraryGetKernel(reinterpret_cast<cudaKernel_t *>(&found), image, lowered.c_str())
                                                      : cudaLibraryGetGlobal(&found, &bytes, image, lowered.c_str());
        handle = found;
        return error;
    }
};

// All of the library.
inline std::vector<Code *> &all_code()
{
    static std::vector<Code *> *const the_code = new std::vector<Code *>; // never destroyed
    return *the_code;
}

// One for each device file, by its number.
inline std::vector<std::vector<char>> &all_images()
{
    static std::vector<std::vector<char>> *const the_images = new std::vector<std::vector<char>>; // never destroyed
    return *the_images;
}

// The compiler's text for a template argument: "... [with auto code = a_c::mm_12_tiled<8>]".
inline std::string argument_of(const std::string &spelled)
{
    const std::string before = "code = ";
    const std::size_t begin = spelled.find(before) + before.size();
    return spelled.substr(begin, spelled.rfind(']') - begin);
}

inline Code::Code(const char *spelled, int file_, const void *variable_) : name(argument_of(spelled)), file(file_), variable(variable_)
{
    all_code().push_back(this);
}

template <auto code>
const char *spelled()
{
    return __PRETTY_FUNCTION__;
}

// Of a function the address is not taken: the host has no kernels.
template <auto code>
const void *variable_at()
{
    if constexpr (std::is_function_v<std::remove_pointer_t<decltype(code)>>)
        return nullptr;
    else
        return code;
}

template <auto code>
struct Named {
    static Code *const entry; // never destroyed: launches may follow static destruction
};
template <auto code>
Code *const Named<code>::entry = new Code(spelled<code>(), OMPC_DEVICE_FILE, variable_at<code>());

// A kernel as launchers name it, and what CUDA's runtime takes for it.
template <class... Parameters>
struct KernelOf {
    const Code *code;
};

template <class Function>
struct KernelFrom;
template <class... Parameters>
struct KernelFrom<void (*)(Parameters...)> {
    using type = KernelOf<Parameters...>;
};

template <auto code>
typename KernelFrom<decltype(code)>::type kernel_named()
{
    return {Named<code>::entry};
}
#define OMPC_KERNEL(...) (ompc::kernel_named<__VA_ARGS__>())

template <class... Parameters>
const void *code_of(KernelOf<Parameters...> kernel)
{
    return kernel.code->handle;
}

// A variable of the device.
template <auto code>
auto &variable_named()
{
    return static_cast<void>(Named<code>::entry), *code;
}
#define OMPC_SYMBOL(variable) (ompc::variable_named<&variable>())

struct Kernel {
    const void *function;
    void **arguments;
};

// use(kernel), with arguments that are there until it returns.
template <class Use, class... Parameters>
void with_kernel(const Use &use, KernelOf<Parameters...> kernel, std::common_type_t<Parameters>... arguments)
{
    void *addresses[] = {const_cast<void *>(static_cast<const volatile void *>(&arguments))..., nullptr};
    use(Kernel{code_of(kernel), addresses});
}

// Than the library is loaded: a device that is started by then would find none.
inline constexpr bool code_comes_later = true;

// Any address: what there is to find out is about the images.
inline const void *probe_of_file()
{
    return &all_images();
}

// Loads all images, and finds in them what the library has names of.
inline cudaError_t find_code(const void *)
{
    std::vector<cudaLibrary_t> libraries(all_images().size());
    for (std::size_t file = 0; file < libraries.size(); file++) {
        if (all_images()[file].empty())
            continue;
        const cudaError_t error =
            cudaLibraryLoadData(&libraries[file], all_images()[file].data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
        if (error != cudaSuccess)
            return error;
    }
    for (Code *const code : all_code()) {
        const std::size_t file = static_cast<std::size_t>(code->file);
        if (file >= libraries.size() || libraries[file] == nullptr)
            return cudaErrorNoKernelImageForDevice;
        if (const cudaError_t error = code->find(libraries[file]); error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

// Where a variable is on the device.
inline char *memory_of(const void *variable)
{
    for (const Code *const code : all_code())
        if (code->variable == variable)
            return static_cast<char *>(const_cast<void *>(code->handle));
    return nullptr;
}

inline cudaError_t copy_to_symbol(const void *symbol, std::size_t at, const void *from, std::size_t bytes)
{
    return cudaMemcpy(memory_of(symbol) + at, from, bytes, cudaMemcpyHostToDevice);
}
inline cudaError_t copy_to_symbol(const void *symbol, std::size_t at, const void *from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpyAsync(memory_of(symbol) + at, from, bytes, kind, stream);
}
inline cudaError_t copy_from_symbol(void *to, const void *symbol, std::size_t bytes)
{
    return cudaMemcpy(to, memory_of(symbol), bytes, cudaMemcpyDeviceToHost);
}
inline cudaError_t copy_from_symbol(void *to, const void *symbol, std::size_t bytes, cudaStream_t stream)
{
    return cudaMemcpyAsync(to, memory_of(symbol), bytes, cudaMemcpyDeviceToHost, stream);
}

// What CUDA's headers have for nvcc alone.

template <class T>
cudaError_t cudaMalloc(T **memory, std::size_t bytes)
{
    return ::cudaMalloc(reinterpret_cast<void **>(memory), bytes);
}
template <class T>
cudaError_t cudaMallocHost(T **memory, std::size_t bytes)
{
    return ::cudaMallocHost(reinterpret_cast<void **>(memory), bytes);
}

} // namespace ompc

#endif
