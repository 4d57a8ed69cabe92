// ompc_rt.h (cuda): what device files need of the runtime, for nvcc. See ompc_launch.h for what launchers use; what is the same
// for every program is compiled once (the .cc files).

#ifndef OMPC_RT_H
#define OMPC_RT_H

// What is odd in the user's own code is the host compiler's to report, in the user's own text: variables that nothing uses
// (177, 550) or sets (549), statements without effect (174) or that nothing reaches (111, 128), assignments as conditions
// (187), comparisons that are always true (186, 514), constants that overflow or change their sign (39, 61, 62, 63, 68, 69), a variable
// with the name of one that a loop before it has declared (780).
#pragma nv_diag_suppress 39, 61, 62, 63, 68, 69, 111, 128, 174, 177, 186, 187, 514, 549, 550, 780

#include "ompc_cuda.h"

#include "ompc_kernels.h"

#ifndef __CUDACC_RTC__ // NVRTC gets no launchers
#include "ompc_launch.h"
#include "ompc_league.h"
#include "ompc_loading.h"
#include "ompc_team.h"
#endif

#endif
