// ompc_messages.h: what the iterations of a kernel tell the host.
//
// What they print is noted in device memory; after the launch the host prints it, in the order of the iterations.
//
// An iteration that comes to the end of the program (exit, abort, a failed assert) calls leave(): its thread ends, and the
// launch is given up. Barriers do not wait for threads that have ended, and shuffles not for lanes that have; but what those
// exchange is then nothing to count on, so that a block of which a thread has left combines no results.

#ifndef OMPC_MESSAGES_H
#define OMPC_MESSAGES_H

#include "ompc_device.h"
#include "ompc_present.h"
#include "ompc_resident.h"
#include "ompc_ranges.h"
#include "ompc_timeline.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace ompc {

// One for each device file, in device memory. What is printed is noted in `words`: of each print the iteration, the call's
// number in the file and how many values follow, each in a word of its own. All zero between launches that print.
struct Messages {
    unsigned left; // bits of why threads have left
    unsigned long long *words, room, used;
};

constexpr unsigned ends_program = 1, prints_too_much = 2;

// Ends the thread, and with it the launch: nothing that the device has done counts. The host then runs the loop.
[[noreturn]] __device__ inline void leave(Messages &messages, unsigned why = ends_program)
{
    atomicOr(&messages.left, why);
    __threadfence();
    end_thread();
}

// The number of the iteration that the calling thread does: a place for each thread of the block.
__device__ inline unsigned long long &iteration()
{
    OMPC_SHARED unsigned long long of_thread[1024];
    return of_thread[threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)];
}

template <class T>
__device__ inline unsigned long long as_word(T value)
{
    unsigned long long word = 0;
    memcpy(&word, &value, sizeof value);
    return word;
}

// Notes a print. Where there is no room for it, the host must run the loop.
template <class... T>
__device__ inline void print(Messages &messages, unsigned site, T... values)
{
    constexpr unsigned long long count = sizeof...(T);
    const unsigned long long at = atomicAdd(&messages.used, 2 + count);
    if (at + 2 + count > messages.room)
        leave(messages, prints_too_much);
    const unsigned long long note[] = {iteration(), site | count << 32, as_word(values)...};
    for (unsigned i = 0; i < 2 + count; i++)
        messages.words[at + i] = note[i];
}

// For all threads of a block that are still there, at the end of a kernel: has any of the block left?
__device__ inline bool has_left(const Messages &messages)
{
    __syncthreads(); // from here on, none will
    return __syncthreads_or(*const_cast<const volatile unsigned *>(&messages.left) != 0) != 0;
}

// A print as the host gets it.
struct Message {
    unsigned long long iteration;
    unsigned site;
    const unsigned long long *words;

    template <class T>
    T get(unsigned k) const
    {
        T value;
        std::memcpy(&value, words + k, sizeof value);
        return value;
    }
};

inline const char *chosen(std::initializer_list<const char *> texts, int k)
{
    return texts.begin()[k];
}

// The host's side of one launch.
class Hearing {
public:
    using Printer = void (*)(const Message &);

    void of(Messages &messages, Printer printer)
    {
        messages_ = &messages;
        printer_ = printer;
    }
    bool expected() const { return messages_ != nullptr; }

    // An object of the device file that is all zero between launches.
    void clears(void *symbol, std::size_t bytes) { cleared_.push_back({symbol, bytes}); }

    // What the launch changes in place goes to memory of its own: data of which the host has no copy.
    bool allocate(const std::vector<Group> &groups, Mode mode)
    {
        if (printer_ != nullptr) {
            sent_ = {};
            sent_.words = device().printed(sent_.room);
            if (sent_.words == nullptr)
                return false;
        }
        for (const Group &group : groups) {
            if (group.out_bytes() == 0 || !is_newer(group))
                continue;
            Group copy = group;
            copy.present = nullptr;
            copy.resident = nullptr;
            copy.device = static_cast<char *>(device().allocate(copy, mode));
            if (copy.device == nullptr)
                return false;
            saved_.push_back({group.device, copy});
        }
        return true;
    }
    void save(Region &region)
    {
        if (printer_ != nullptr) {
            const DeviceSpan span(Work::h2d, region, counted_as, sizeof sent_, device().stream(Way::kernels));
            device().copy_constant(messages_, &sent_, sizeof sent_);
        }
        for (const Saved &saved : saved_)
            device().copy_within(saved.copy.device, saved.original, saved.copy.bytes());
    }
    void release(Mode mode)
    {
        for (const Saved &saved : saved_)
            device().release(saved.copy, mode);
        saved_.clear();
    }

    // Why threads have left; waits for the kernel, and brings home what it prints.
    unsigned left(Region &region)
    {
        Messages heard;
        {
            const DeviceSpan span(Work::d2h, region, counted_as, sizeof heard, device().stream(Way::kernels));
            device().read_symbol(&heard, messages_, sizeof heard);
        }
        if (heard.left != 0) {
            clears(messages_, sizeof heard);
        } else if (printer_ != nullptr && heard.used != 0) { // another kernel's are done with
            device().copy_out({region, counted_as}, noted(heard.used), heard.words, heard.used * sizeof *heard.words);
        }
        return heard.left;
    }

    // Prints in the order of the iterations; what one of them prints has kept its order.
    void print() const
    {
        std::vector<Message> found;
        for (std::size_t at = 0; at < noted_.size(); at += 2 + (noted_[at + 1] >> 32))
            found.push_back({noted_[at], static_cast<unsigned>(noted_[at + 1]), &noted_[at + 2]});
        std::stable_sort(found.begin(), found.end(),
                         [](const Message &a, const Message &b) { return a.iteration < b.iteration; });
        for (const Message &message : found)
            printer_(message);
    }

    // Makes it as if there had been no launch.
    void undo(const std::vector<Group> &groups)
    {
        for (const Saved &saved : saved_)
            device().copy_within(saved.original, saved.copy.device, saved.copy.bytes());
        for (const Group &group : groups)
            if (group.out_bytes() != 0 && !is_newer(group)) {
                if (group.resident != nullptr)
                    group.resident->forget(group);
                else if (group.present != nullptr)
                    group.present->valid = false;
            }
        for (const Cleared &cleared : cleared_) {
            const std::vector<char> zeros(cleared.bytes);
            device().copy_constant(cleared.symbol, zeros.data(), zeros.size());
        }
        device().forget_finished();
    }

private:
    static constexpr const char *counted_as = "messages of iterations";

    struct Saved {
        char *original;
        Group copy;
    };
    struct Cleared {
        void *symbol;
        std::size_t bytes;
    };

    // Has the host no copy of what the launch changes?
    static bool is_newer(const Group &group)
    {
        return group.resident != nullptr ? group.resident->is_newer(group) : group.present != nullptr && group.present->newer;
    }

    unsigned long long *noted(std::size_t words)
    {
        noted_.resize(words);
        return noted_.data();
    }

    Messages *messages_ = nullptr;
    Printer printer_ = nullptr;
    Messages sent_{};
    std::vector<unsigned long long> noted_;
    std::vector<Saved> saved_;
    std::vector<Cleared> cleared_;
};

} // namespace ompc

#endif
