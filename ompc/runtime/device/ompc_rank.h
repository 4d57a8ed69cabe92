// ompc_rank.h: which device a process uses, where several processes of one job share a machine.
//
// MPI's launchers tell each process its number on its own machine. Process r uses device r modulo the number of devices,
// so that one process has one device where there are as many; a launcher that shows each process only its own device
// leaves one to choose from. OMPC_DEVICE=n chooses a device whatever the rank is.

#ifndef OMPC_RANK_H
#define OMPC_RANK_H

#include <cstdlib>

namespace ompc {

// In the order in which they are asked: a job step of Slurm may itself start Open MPI's or MPICH's launcher.
constexpr const char *local_rank_variables[] = {
    "OMPC_DEVICE",
    "OMPI_COMM_WORLD_LOCAL_RANK", // Open MPI
    "MV2_COMM_WORLD_LOCAL_RANK",  // MVAPICH2
    "MPI_LOCALRANKID",            // Intel MPI, MPICH's Hydra
    "PMI_LOCAL_RANK",             // Cray
    "PALS_LOCAL_RANKID",          // HPE PALS
    "FLUX_TASK_LOCAL_ID",         // Flux
    "SLURM_LOCALID",              // Slurm's srun
};

// The device to use out of `count`, at least 1; -1: nothing says which.
inline int device_of_process(int count)
{
    for (const char *const variable : local_rank_variables) {
        const char *const value = std::getenv(variable);
        char *end = nullptr;
        const long rank = value == nullptr ? -1 : std::strtol(value, &end, 10);
        if (rank >= 0 && end != value && *end == '\0')
            return static_cast<int>(rank % count);
    }
    return -1;
}

} // namespace ompc

#endif
