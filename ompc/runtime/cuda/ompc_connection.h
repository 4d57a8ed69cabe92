// ompc_connection.h (cuda): which device the process uses, its context, and what is known of it.
//
// The device is the first of CUDA_VISIBLE_DEVICES, or that of the process's rank on this machine (ompc_rank.h), or the first of
// those that OMPC_DEVICES names.

#ifndef OMPC_CONNECTION_H
#define OMPC_CONNECTION_H

#include "ompc_devices.h"
#include "ompc_kernel.h"
#include "ompc_ledger.h"
#include "ompc_log.h"
#include "ompc_rank.h"
#include "ompc_shape.h"
#include "ompc_streams.h"
#include "ompc_unusable.h"

#include <string>
#include <vector>

namespace ompc {

class Connection {
public:
    // nullptr, or why there is no device to use. `probe`: one of the program's kernels.
    const char *make(const void *probe)
    {
        int devices = 0;
        cudaError_t error = cudaGetDeviceCount(&devices);
        int chosen = error == cudaSuccess ? device_of_process(devices) : -1;
        const std::vector<unsigned> asked = chosen_devices(static_cast<unsigned>(devices)); // the first of them, where no rank says which
        is_alone_ = chosen >= 0 || asked.size() < 2;
        if (chosen < 0 && !asked.empty())
            chosen = static_cast<int>(asked.front());
        if (chosen >= 0)
            error = cudaSetDevice(chosen);
        if (error == cudaSuccess)
            error = cudaFree(nullptr); // creates the context
        if (error == cudaSuccess)
            error = find_code(probe);
        if (error == cudaSuccess)
            error = cudaGetDevice(&number_);
        if (error == cudaSuccess)
            error = describe();
        if (error == cudaSuccess)
            return nullptr;
        static_cast<void>(cudaGetLastError());
        return explain(error);
    }

    int number() const { return number_; }
    const cudaDeviceProp &properties() const { return properties_; }
    bool is_alone() const { return is_alone_; } // no other device does parts of its kernels: others may be other processes'
    const DeviceLimits &limits() const { return limits_; }

private:
    cudaError_t describe()
    {
        cudaError_t error = cudaGetDeviceProperties(&properties_, number_);
        if (error != cudaSuccess)
            return error;
        ledger().device = properties_.name;
        ledger().operations_per_second = operations_per_second();
        if (logs(log_regions))
            note(nullptr, "the device is %s", properties_.name);
        limits_ = {static_cast<unsigned>(properties_.multiProcessorCount),
                   static_cast<unsigned>(properties_.maxThreadsPerMultiProcessor), properties_.totalGlobalMem,
                   properties_.sharedMemPerBlockOptin, properties_.sharedMemPerBlockOptin};
        return streams().create();
    }

    // Single precision, a multiplication and an addition at once, in the 128 lanes that a multiprocessor has at most.
    double operations_per_second() const
    {
        int kilohertz = 0;
        if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, number_) != cudaSuccess)
            kilohertz = 0;
        return 1e3 * kilohertz * properties_.multiProcessorCount * 128 * 2;
    }

    const char *explain(cudaError_t error)
    {
        text_ = unusable(error);
        return text_.c_str();
    }

    int number_ = 0;
    bool is_alone_ = true;
    std::string text_;
    cudaDeviceProp properties_{}; // whose name the ledger keeps
    DeviceLimits limits_{1, 1, 0};
};

} // namespace ompc

#endif
