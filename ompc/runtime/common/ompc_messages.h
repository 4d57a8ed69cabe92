// ompc_messages.h: what the iterations of a kernel tell the host.
//
// An iteration that comes to the end of the program (exit, abort, a failed assert) calls leave(): its thread ends, and the
// launch is given up. Barriers do not wait for threads that have ended, and shuffles not for lanes that have; but what those
// exchange is then nothing to count on, so that a block of which a thread has left combines no results.

#ifndef OMPC_MESSAGES_H
#define OMPC_MESSAGES_H

#include "ompc_device.h"
#include "ompc_present.h"
#include "ompc_ranges.h"

#include <vector>

namespace ompc {

// One for each device file, in device memory. All zero between launches.
struct Messages {
    unsigned left; // bits of why threads have left
};

constexpr unsigned ends_program = 1;

// Ends the thread, and with it the launch: nothing that the device has done counts. The host then runs the loop.
[[noreturn]] __device__ inline void leave(Messages &messages, unsigned why = ends_program)
{
    atomicOr(&messages.left, why);
    __threadfence();
    end_thread();
}

// For all threads of a block that are still there, at the end of a kernel: has any of the block left?
__device__ inline bool has_left(const Messages &messages)
{
    __syncthreads(); // from here on, none will
    return __syncthreads_or(*const_cast<const volatile unsigned *>(&messages.left) != 0) != 0;
}

// The host's side of one launch.
class Hearing {
public:
    void of(Messages &messages) { messages_ = &messages; }
    bool expected() const { return messages_ != nullptr; }

    // An object of the device file that is all zero between launches.
    void clears(void *symbol, std::size_t bytes) { cleared_.push_back({symbol, bytes}); }

    // What the launch changes in place goes to memory of its own: mapped data, of which the host has no copy.
    bool allocate(const std::vector<Group> &groups, Mode mode)
    {
        for (const Group &group : groups) {
            if (group.present == nullptr || !group.present->newer || group.out_bytes() == 0)
                continue;
            Group copy = group;
            copy.present = nullptr;
            copy.device = static_cast<char *>(device().allocate(copy, mode));
            if (copy.device == nullptr)
                return false;
            saved_.push_back({group.device, copy});
        }
        return true;
    }
    void save()
    {
        for (const Saved &saved : saved_)
            device().copy_within(saved.copy.device, saved.original, saved.copy.bytes());
    }
    void release(Mode mode)
    {
        for (const Saved &saved : saved_)
            device().release(saved.copy, mode);
        saved_.clear();
    }

    // Why threads have left; waits for the kernel.
    unsigned left()
    {
        Messages heard;
        device().read_symbol(&heard, messages_, sizeof heard);
        if (heard.left != 0)
            clears(messages_, sizeof heard);
        return heard.left;
    }

    // Makes it as if there had been no launch.
    void undo(const std::vector<Group> &groups)
    {
        for (const Saved &saved : saved_)
            device().copy_within(saved.original, saved.copy.device, saved.copy.bytes());
        for (const Group &group : groups)
            if (group.present != nullptr && group.out_bytes() != 0 && !group.present->newer)
                group.present->valid = false;
        for (const Cleared &cleared : cleared_) {
            const std::vector<char> zeros(cleared.bytes);
            device().copy_constant(cleared.symbol, zeros.data(), zeros.size());
        }
        device().forget_finished();
    }

private:
    struct Saved {
        char *original;
        Group copy;
    };
    struct Cleared {
        void *symbol;
        std::size_t bytes;
    };

    Messages *messages_ = nullptr;
    std::vector<Saved> saved_;
    std::vector<Cleared> cleared_;
};

} // namespace ompc

#endif
