// ompc_libraries.h: libraries with which no pages can be guarded.
//
// They hand the program's memory to the system without libc, or to a network card or another process, which do not fault
// on guarded pages as the program does.

#ifndef OMPC_LIBRARIES_H
#define OMPC_LIBRARIES_H

#include <cstring>
#include <link.h>
#include <string>

namespace ompc {

constexpr const char *libraries_past_libc[] = {"libmpi", "libpmpi", "libucp", "libuct",   "libfabric", "libibverbs",
                                               "librdmacm", "libpsm2", "liboshmem", "libsma", "libgasnet", "liburing", "libaio"};

// The first of them that is loaded, by its file's name; empty: none.
inline std::string library_past_libc()
{
    std::string found;
    dl_iterate_phdr(
        [](dl_phdr_info *info, std::size_t, void *result) {
            const char *const slash = std::strrchr(info->dlpi_name, '/');
            const char *const name = slash == nullptr ? info->dlpi_name : slash + 1;
            for (const char *const library : libraries_past_libc)
                if (std::strncmp(name, library, std::strlen(library)) == 0)
                    *static_cast<std::string *>(result) = name;
            return 0;
        },
        &found);
    return found;
}

} // namespace ompc

#endif
