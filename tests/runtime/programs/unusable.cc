// What is said where no device can be used: of what CUDA answers here, or of the error whose number is the argument.
#include "ompc_unusable.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv)
{
    int devices = 0;
    const cudaError_t error = argc > 1 ? static_cast<cudaError_t>(std::atoi(argv[1])) : cudaGetDeviceCount(&devices);
    std::puts(error == cudaSuccess ? "a device" : ompc::unusable(error).c_str());
}
