// host_defines.h (nvrtc): words of CUDA's own headers that mean nothing to a C++ compiler.
//
// PyPI's nvidia-cuda-runtime has the headers of CUDA's runtime but this one, which belongs to nvcc's. Included where there is
// no other.

#ifndef OMPC_HOST_DEFINES_H
#define OMPC_HOST_DEFINES_H

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define __host__
#define __device__
#define __cudart_builtin__
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __specialization_static
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)

#endif
