// ompc_images.cc (nvrtc): how Python learns what to compile for a library, and hands it over.
//
//     ompc_code_name(0, &file)  ->  "a_c::f", device file 0      until nullptr
//     ompc_code_image(0, cubin, bytes)                             for each device file
//     ompc_code_is(0, "_ZN3a_c3f_6E...")                           what the name is in it
//
// All before a function of the library is called.

#include "ompc_cuda.h"

#include "ompc_kernel.h"

extern "C" const char *ompc_code_name(std::size_t which, int *file)
{
    if (which >= ompc::all_code().size())
        return nullptr;
    *file = ompc::all_code()[which]->file;
    return ompc::all_code()[which]->name.c_str();
}

extern "C" void ompc_code_is(std::size_t which, const char *lowered)
{
    ompc::all_code().at(which)->lowered = lowered;
}

extern "C" void ompc_code_image(std::size_t file, const char *image, std::size_t bytes)
{
    if (ompc::all_images().size() <= file)
        ompc::all_images().resize(file + 1);
    ompc::all_images()[file].assign(image, image + bytes);
}
