// ompc_rt.h (cuda): what device files need of the runtime, for nvcc. See ompc_launch.h for what launchers use; what is the same
// for every program is compiled once (the .cc files).

#ifndef OMPC_RT_H
#define OMPC_RT_H

#include "ompc_cuda.h"

#include "ompc_kernels.h"

#ifndef __CUDACC_RTC__ // NVRTC gets no launchers
#include "ompc_inspection.h"
#include "ompc_launch.h"
#include "ompc_league.h"
#include "ompc_loading.h"
#include "ompc_team.h"
#endif

#endif
