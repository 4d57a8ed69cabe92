"""The runtime of translated programs: C and C++ files, as data. `ompc.base.resources` says where they are.

    libc/ kernel/ observe/ memory/ launch/
               what both targets share: ompc_host.h (included by the host's C), its runtime (.c), and in C++ what
               is the same for every program (.cc)
    cuda/      ompc_rt.h and the CUDA device
    emulate/   ompc_rt.h and an emulated device for g++
    nvrtc/     what a library has whose kernels NVRTC compiles
    measure/   the program of `ompc doctor --calibrate`

The `.cu` is compiled with -I of a target's directory and of the shared ones, the host's C with -I of those, and
the .c files with the host C compiler; the .cc files as the `.cu`, but by a C++ compiler. File names are distinct
within a target, so one folder can hold them all.
"""
