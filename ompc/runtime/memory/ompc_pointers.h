// ompc_pointers.h: where pointers in memory are that a loop follows (ompc_deep_copy.h).

#ifndef OMPC_POINTERS_H
#define OMPC_POINTERS_H

#include "ompc_host.h"

#include <cstddef>

namespace ompc {

// A program that has such loops: its rows are allocated where they can stay on the device. Initialised before main, if used.
template <int>
inline const bool rows_are_apart = (ompc_keep_rows_apart(), true);

template <std::size_t... offsets>
inline constexpr std::size_t offsets_of_pointers[] = {offsets...};

// Where the pointers of a holder are: at these offsets of each element.
struct Pointers {
    std::size_t stride;
    const std::size_t *offsets;
    std::size_t count; // of the offsets
    long long first, last;
    bool all;

    // Only elements first..last, both included, relative to the pointer to the holder, are followed.
    Pointers among(long long from, long long to) const { return {stride, offsets, count, from, to, false}; }
};

template <std::size_t... offsets>
Pointers pointers(std::size_t stride)
{
    return {stride, offsets_of_pointers<offsets...>, sizeof...(offsets), 0, -1, true};
}

} // namespace ompc

#endif
