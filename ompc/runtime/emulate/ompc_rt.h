// ompc_rt.h (emulate): what device files need of the runtime of a program whose kernels run on the host, to find their mistakes.
//
// Compile the .cu text with: g++ -std=c++17 -x c++ -mfma -ffp-contract=fast, as far as the plan contracts. See ompc_launch.h for what launchers use; what is
// the same for every program is compiled once (the .cc files).

#ifndef OMPC_RT_H
#define OMPC_RT_H

#include "ompc_cuda.h"

#include "ompc_kernels.h"
#include "ompc_inspection.h"
#include "ompc_launch.h"
#include "ompc_league.h"
#include "ompc_loading.h"
#include "ompc_team.h"

#endif
