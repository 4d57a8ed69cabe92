// ompc_former_values.h: copies of what arrays of a launch hold before its kernel runs, for kernels that read the former values of what
// they write.

#ifndef OMPC_FORMER_VALUES_H
#define OMPC_FORMER_VALUES_H

#include "ompc_ranges.h"
#include "ompc_shape.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ompc {

// The copies of one launch, on the host's side; Device as in ompc_launch_state.h.
class FormerValues {
public:
    bool empty() const { return copies_.empty(); }

    // The kernel is given a copy of this array.
    void add(std::size_t array) { copies_.push_back({array, nullptr}); }

    // False: there is no memory.
    template <class Device>
    bool allocate(Device &device, const std::vector<Range> &ranges, Mode mode)
    {
        for (Copy &copy : copies_) {
            const Range &range = ranges[copy.array];
            if (copy.memory != nullptr || range.empty())
                continue;
            copy.memory = static_cast<char *>(device.allocate_memory(range.end - range.begin + alignment, range.name, mode));
            if (copy.memory == nullptr)
                return false;
        }
        return true;
    }

    // Before the kernel, when the arrays are there.
    template <class Device>
    void fill(Device &device, const std::vector<Range> &ranges, const std::vector<Group> &groups) const
    {
        for (const Copy &copy : copies_)
            if (copy.memory != nullptr) {
                const Range &range = ranges[copy.array];
                const Group &group = groups[range.group];
                device.copy_within(first_byte(copy, range), group.device + (range.begin - group.begin), range.end - range.begin);
            }
    }

    // Where the copy of an array begins; nullptr: it has none.
    char *of(std::size_t array, const Range &range) const
    {
        const auto found = std::find_if(copies_.begin(), copies_.end(), [array](const Copy &copy) { return copy.array == array; });
        return found == copies_.end() || found->memory == nullptr ? nullptr : first_byte(*found, range);
    }

    template <class Device>
    void release(Device &device, Mode mode)
    {
        for (Copy &copy : copies_)
            if (copy.memory != nullptr) {
                device.release_memory(copy.memory, mode);
                copy.memory = nullptr;
            }
    }

private:
    static constexpr std::size_t alignment = 16; // copies are aligned as the host's arrays are modulo this

    struct Copy {
        std::size_t array;
        char *memory;
    };

    static char *first_byte(const Copy &copy, const Range &range) { return copy.memory + range.begin % alignment; }

    std::vector<Copy> copies_;
};

} // namespace ompc

#endif
