// ompc_counters.h: what is counted of each region and of each of its arrays.
//
// Numbers are added with the ledger's lock held (ompc_ledger.h), and only where settings().profiling says so.

#ifndef OMPC_COUNTERS_H
#define OMPC_COUNTERS_H

#include "ompc_choices.h"

#include <atomic>
#include <cstring>

namespace ompc {

// What a span of time is spent on. Where spans overlap, the first of these gets the time: what the device does counts
// before what the host does meanwhile.
enum class Work : unsigned char { kernel, h2d, d2h, init, page_lock, wait, launch };
constexpr int kinds_of_work = 7;
constexpr const char *names_of_work[kinds_of_work] = {"kernel", "h2d", "d2h", "init", "page_lock", "wait", "launch"};

// Why an array was not copied where a launch that keeps nothing on the device would have copied it: to the device because
// its copy was right, would be overwritten, or the host's had the same bytes as at the last launch; to the host because
// nobody there has read it.
enum class Avoided : unsigned char { valid, overwritten, unchanged, not_read };
constexpr int reasons_to_avoid = 4;
constexpr const char *names_of_reasons[reasons_to_avoid] = {"valid on the device", "overwritten by the kernel",
                                                            "unchanged since the last launch", "not read by the host"};

// Why the host waited for the device: a launch brought something home, host code touched data that was on the device,
// a `target` construct asked for it, memory was about to go, the program was about to end.
enum class Waited : unsigned char { results, fault, mapping, release, exit, message };
constexpr int reasons_to_wait = 6;
constexpr const char *names_of_waits[reasons_to_wait] = {"results", "fault", "mapping", "release", "exit", "message"};

struct Copies {
    unsigned long long copies = 0, bytes = 0;
    unsigned long long again = 0; // of the bytes: those that have gone the same way before
    double seconds = 0;

    void operator+=(const Copies &other)
    {
        copies += other.copies;
        bytes += other.bytes;
        again += other.again;
        seconds += other.seconds;
    }
};

struct Waits {
    unsigned long long count = 0;
    double seconds = 0;
};

// Of an array in a region, or of several.
struct Traffic {
    const char *array = "";
    Copies in, out;
    unsigned long long avoided[reasons_to_avoid] = {}; // bytes
    Waits waits[reasons_to_wait];
    Traffic *next = nullptr;

    Copies &copies(Work way) { return way == Work::h2d ? in : out; }
    void waited(Waited why, double seconds)
    {
        waits[static_cast<int>(why)].count++;
        waits[static_cast<int>(why)].seconds += seconds;
    }

    void operator+=(const Traffic &other)
    {
        in += other.in;
        out += other.out;
        for (int i = 0; i < reasons_to_avoid; i++)
            avoided[i] += other.avoided[i];
        for (int i = 0; i < reasons_to_wait; i++) {
            waits[i].count += other.waits[i].count;
            waits[i].seconds += other.waits[i].seconds;
        }
    }
};

// Launches of about as many iterations, and the seconds of their kernels.
struct OfSize {
    unsigned long long launches = 0;
    double kernel_seconds = 0;
};

// Sums over the launches of a region; times in seconds.
struct Counters {
    unsigned long long launches = 0, kept = 0; // kept on the host: it would have been slower on the device
    std::atomic<unsigned long long> refused{0}; // by several threads at once when the region is nested
    double wall_seconds = 0, kernel_seconds = 0; // in the launcher, without creating the context; of the device
    double used_bytes = 0, operations = 0; // what the kernels read and write of their arrays at least, as far as is known; as launchers say
    unsigned long long divided = 0; // launches of which several devices did a part each
    double remote_bytes = 0;        // what devices read and wrote of other devices' memory, about
    OfSize sizes[size_classes]; // by the size class of the launch (ompc_tuning.h)
    Traffic own;               // waits of the whole region
    Traffic *arrays = nullptr; // in the order in which they were first met

    // An array by the name that the user gave it: a string that stays.
    Traffic &of(const char *array)
    {
        Traffic **at = &arrays;
        for (; *at != nullptr; at = &(*at)->next)
            if ((*at)->array == array || std::strcmp((*at)->array, array) == 0)
                return **at;
        *at = new Traffic;
        (*at)->array = array;
        return **at;
    }

    Traffic all() const
    {
        Traffic sum = own;
        for (const Traffic *array = arrays; array != nullptr; array = array->next)
            sum += *array;
        return sum;
    }
};

} // namespace ompc

#endif
