// ompc_rt.h (nvrtc): what device files need of the runtime where a C++ compiler compiles the host's part of them.

#include "ompc_cuda.h"

#include "../cuda/ompc_rt.h"
