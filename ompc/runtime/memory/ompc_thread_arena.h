// ompc_thread_arena.h: per-thread arenas: memory of a thread's last launch, for its next.

#ifndef OMPC_THREAD_ARENA_H
#define OMPC_THREAD_ARENA_H

#include "ompc_of_thread.h"
#include "ompc_ranges.h"

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace ompc {

struct ThreadArena {
    std::vector<Range> ranges;
    std::vector<Group> groups;
    void *room = nullptr;

    // Of so many bytes, for the state of a launch. There may be another one under way, in a handler of a signal.
    void *take_room(std::size_t bytes)
    {
        void *const taken = std::exchange(room, nullptr);
        return taken == nullptr ? ::operator new(bytes) : taken;
    }
    void give_room(void *used) { ::operator delete(std::exchange(room, used)); }

    ~ThreadArena() { ::operator delete(room); }

    ThreadArena() { ranges.reserve(16); } // at once, instead of in several steps by the first launch

    void take_back(std::vector<Range> &used_ranges, std::vector<Group> &used_groups)
    {
        used_ranges.clear();
        used_groups.clear();
        ranges.swap(used_ranges);
        groups.swap(used_groups);
    }
};

inline ThreadArena &thread_arena()
{
    return OfThread<ThreadArena>::get();
}

} // namespace ompc

#endif
