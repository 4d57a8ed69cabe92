// ompc_driver.h (cuda): functions of CUDA's driver that its runtime has no names for: memory that is mapped piece by piece.
//
// The runtime, which is linked, finds them. Where the toolkit has no cuda.h, or the driver not all of them, there are none, and
// no array is in stripes.

#ifndef OMPC_DRIVER_H
#define OMPC_DRIVER_H

#include "ompc_cuda.h"

#include <cstddef>

#if __has_include(<cuda.h>)
#include <cuda.h>
#define OMPC_HAS_DRIVER_TYPES 1
#else
#define OMPC_HAS_DRIVER_TYPES 0
#endif

namespace ompc {

#if OMPC_HAS_DRIVER_TYPES

struct MappingFunctions {
    decltype(&::cuMemGetAllocationGranularity) granularity = nullptr;
    decltype(&::cuMemAddressReserve) reserve = nullptr;
    decltype(&::cuMemAddressFree) free = nullptr;
    decltype(&::cuMemCreate) create = nullptr;
    decltype(&::cuMemRelease) release = nullptr;
    decltype(&::cuMemMap) map = nullptr;
    decltype(&::cuMemUnmap) unmap = nullptr;
    decltype(&::cuMemSetAccess) set_access = nullptr;

    // False: one is missing.
    bool find()
    {
        return find(granularity, "cuMemGetAllocationGranularity") && find(reserve, "cuMemAddressReserve") && find(free, "cuMemAddressFree") &&
               find(create, "cuMemCreate") && find(release, "cuMemRelease") && find(map, "cuMemMap") && find(unmap, "cuMemUnmap") &&
               find(set_access, "cuMemSetAccess");
    }

private:
    template <class Function>
    static bool find(Function &function, const char *name)
    {
        void *found = nullptr;
        cudaDriverEntryPointQueryResult answer = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
        const cudaError_t error = cudaGetDriverEntryPointByVersion(name, &found, 11020, cudaEnableDefault, &answer);
#else
        const cudaError_t error = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &answer);
#endif
        static_cast<void>(cudaGetLastError());
        function = reinterpret_cast<Function>(found);
        return error == cudaSuccess && answer == cudaDriverEntryPointSuccess && found != nullptr;
    }
};

#endif

} // namespace ompc

#endif
