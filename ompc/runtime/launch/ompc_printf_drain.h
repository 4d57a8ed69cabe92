// ompc_printf_drain.h: draining the buffer of device printf: the host prints it (ompc_device_printf.h), or rolls the launch back.

#ifndef OMPC_PRINTF_DRAIN_H
#define OMPC_PRINTF_DRAIN_H

#include "ompc_device.h"
#include "ompc_printf_buffer.h"
#include "ompc_present.h"
#include "ompc_ranges.h"
#include "ompc_resident.h"
#include "ompc_timeline.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace ompc {

// The host's side of one launch.
class PrintfDrain {
public:
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
            copy.borrowed = nullptr;
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
            const DeviceSpan span(Work::h2d, region, counted_as, sizeof sent_, device().stream(StreamId::kernels));
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
            const DeviceSpan span(Work::d2h, region, counted_as, sizeof heard, device().stream(StreamId::kernels));
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
                else if (group.borrowed != nullptr)
                    group.borrowed->valid = false;
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
        if (group.borrowed != nullptr)
            return group.borrowed->newer;
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
