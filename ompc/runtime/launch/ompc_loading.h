// ompc_loading.h: what each device file says when it is loaded. Included by no other file.

#ifndef OMPC_LOADING_H
#define OMPC_LOADING_H

#include "ompc_kernel.h"
#include "ompc_region.h"

// In object files that `ompc cc` made: what they are, for the command that links them, and a name that is defined only
// where ompc's runtime is linked with them, so that another linker's complaint says what to do. In those of Makefiles, which
// link libompc_rt: a name that only the library of the same headers has.
#ifdef OMPC_OBJECT
#ifdef OMPC_RUNTIME
#define OMPC_LIBRARY_OF_JOINED(mark) ompc_runtime_##mark
#define OMPC_LIBRARY_OF(mark) OMPC_LIBRARY_OF_JOINED(mark)
extern "C" const char OMPC_LIBRARY_OF(OMPC_OBJECT)[];
static const char *const ompc_needs_library __attribute__((used)) = OMPC_LIBRARY_OF(OMPC_OBJECT);
#endif
#define OMPC_TEXT_OF(x) #x
#define OMPC_TEXT(x) OMPC_TEXT_OF(x)
extern "C" const char ompc_missing__link_with_ompc_cc[];
static const char ompc_object_mark[] __attribute__((used, section("ompc_object"))) = "ompc-object:" OMPC_TEXT(OMPC_OBJECT);
static const char *const ompc_needs_runtime __attribute__((used)) = ompc_missing__link_with_ompc_cc;
#endif

namespace ompc {

namespace {

// The constructors of this file are about to have run, one of which registers its kernels. A program's own may come before.
[[maybe_unused]] const struct Loading {
    Loading()
    {
        file_is_loaded = true;
        device_code_is_loaded(probe_of_file());
    }
} loading;

} // namespace
} // namespace ompc

#endif
