// ompc_unusable.h (cuda): why there is no device to use, in words of its own for each cause.
//
//     cudaErrorInsufficientDriver    no driver at all, or an old one: its version tells them apart
//
// Here as little is included as can be: tests say what CUDA's functions answer.

#ifndef OMPC_UNUSABLE_H
#define OMPC_UNUSABLE_H

#include <cstdlib>
#include <cuda_runtime_api.h>
#include <string>

namespace ompc {

// 13020 is CUDA 13.2.
inline std::string cuda_version(int number)
{
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

inline std::string driver_is_missing_or_old()
{
    int driver = 0, program = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
        return "the CUDA driver is missing";
    if (cudaRuntimeGetVersion(&program) != cudaSuccess || driver >= program)
        return "the CUDA driver is too old for this program";
    return "the CUDA driver is too old for this program: it is made for CUDA " + cuda_version(driver) + ", not " + cuda_version(program);
}

inline std::string not_compiled_for_device()
{
    int device = 0, major = 0, minor = 0;
    const bool known = cudaGetDevice(&device) == cudaSuccess &&
                       cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
                       cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess && major > 0;
    const std::string told = "the program is not compiled for this device";
    return known ? told + ", which is sm_" + std::to_string(major) + std::to_string(minor) : told;
}

inline std::string unusable(cudaError_t error)
{
    switch (error) {
    case cudaErrorNoDevice:
        return std::getenv("CUDA_VISIBLE_DEVICES") == nullptr ? "there is no CUDA device"
                                                              : "there is no CUDA device that CUDA_VISIBLE_DEVICES shows";
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
        return driver_is_missing_or_old();
    case cudaErrorSystemDriverMismatch:
        return "the CUDA driver and its library are of different versions";
    case cudaErrorDevicesUnavailable:
    case cudaErrorDeviceAlreadyInUse:
        return "the CUDA device is busy: other processes use it, and it is in exclusive or prohibited mode";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
        return not_compiled_for_device();
    case cudaErrorUnsupportedPtxVersion:
        return "the CUDA driver is too old for the program's PTX";
    default:
        return std::string("the device cannot be used: ") + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")";
    }
}

} // namespace ompc

#endif
