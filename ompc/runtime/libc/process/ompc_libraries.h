// ompc_libraries.h: libraries with which no pages can be guarded.
//
// They hand the program's memory to the system without libc, or to a network card or another process, which do not fault
// on guarded pages as the program does. Where the program's calls of MPI are seen (ompc_messages.h), its library gets memory that
// is open, and gives no other to the libraries below it; MPI's for Fortran is called past what is seen.

#ifndef OMPC_LIBRARIES_H
#define OMPC_LIBRARIES_H

#include "ompc_messages.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <link.h>
#include <string>
#include <vector>

namespace ompc {

constexpr const char *libraries_past_libc[] = {"libmpi", "libpmpi", "libucp", "libuct",   "libfabric", "libibverbs",
                                               "librdmacm", "libpsm2", "liboshmem", "libsma", "libgasnet", "liburing", "libaio"};
constexpr const char *libraries_below_mpi[] = {"libmpi", "libucp", "libuct", "libfabric", "libibverbs", "librdmacm", "libpsm2"};
constexpr const char *words_of_fortran[] = {"mpifh", "usempi", "fort"};

template <std::size_t count>
bool begins_with_one_of(const char *name, const char *const (&beginnings)[count])
{
    return std::any_of(std::begin(beginnings), std::end(beginnings), [&](const char *b) { return std::strncmp(name, b, std::strlen(b)) == 0; });
}

// Is it only used by MPI's library, whose calls are seen? `asked`: the program itself is linked with it.
inline bool is_below_seen_mpi(const char *name, bool asked)
{
    const bool is_fortran = std::any_of(std::begin(words_of_fortran), std::end(words_of_fortran), [&](const char *word) { return std::strstr(name, word) != nullptr; });
    return ompc_mpi_is_seen != nullptr && begins_with_one_of(name, libraries_below_mpi) && !is_fortran && (!asked || std::strncmp(name, "libmpi", 6) == 0);
}

// The first of them that is loaded, by its file's name; empty: none.
inline std::string library_past_libc()
{
    struct Search {
        std::vector<std::string> asked = {}; // that the program itself is linked with
        bool has_program = false;
        std::string found = {};
    } search;
    dl_iterate_phdr(
        [](dl_phdr_info *info, std::size_t, void *data) {
            Search &so_far = *static_cast<Search *>(data);
            if (!std::exchange(so_far.has_program, true)) { // it comes first
                for (int i = 0; i < info->dlpi_phnum; i++) {
                    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
                        continue;
                    const auto *const entries = reinterpret_cast<const ElfW(Dyn) *>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
                    const char *strings = nullptr;
                    for (const auto *entry = entries; entry->d_tag != DT_NULL; entry++)
                        strings = entry->d_tag == DT_STRTAB ? reinterpret_cast<const char *>(entry->d_un.d_ptr) : strings;
                    for (const auto *entry = entries; entry->d_tag != DT_NULL && strings != nullptr; entry++)
                        if (entry->d_tag == DT_NEEDED)
                            so_far.asked.emplace_back(strings + entry->d_un.d_val);
                }
            }
            const char *const slash = std::strrchr(info->dlpi_name, '/');
            const char *const name = slash == nullptr ? info->dlpi_name : slash + 1;
            const bool asked = std::find(so_far.asked.begin(), so_far.asked.end(), name) != so_far.asked.end();
            if (begins_with_one_of(name, libraries_past_libc) && !is_below_seen_mpi(name, asked))
                so_far.found = name;
            return 0;
        },
        &search);
    return search.found;
}

} // namespace ompc

#endif
