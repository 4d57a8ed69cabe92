// ompc_resident_block.h: one block of host memory that stays on the device (ompc_resident.h).
//
// Two sets of its pages say which side is right:
//
//     valid    the device's bytes are right; the host's too, and its pages can be read but not written
//     stale    a part of valid: only the device's are, and the host's pages cannot be accessed
//
// The bytes before its first whole page and behind its last (its edges) belong to pages that other objects use. Of these the
// device's bytes are remembered: they are copied in when the host's differ, and at the end of a launch those that it has changed
// are the host's, too. Pages that are open for others (ompc_open_memory.h) are edges for that time, and not valid.
//
// What waits for what: ompc_stream_order.h. All functions are called with the ledger's lock held.

#ifndef OMPC_RESIDENT_BLOCK_H
#define OMPC_RESIDENT_BLOCK_H

#include "ompc_changes.h"
#include "ompc_device.h"
#include "ompc_failure.h"
#include "ompc_intervals.h"
#include "ompc_log.h"
#include "ompc_ranges.h"
#include "ompc_region.h"
#include "ompc_timeline.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ompc {

// The bytes of a block outside its whole pages, or of pages that are open for others, as the device has them.
struct Edge {
    Address begin, end;
    std::vector<char> known = {}, kept = {};
    char *home = nullptr; // as a launch leaves them, on their way: in the device's mailbox, or `kept` where that is full
    std::size_t unit = 8; // of what it writes

    bool meets(Address from, Address to) const { return std::max(begin, from) < std::min(end, to); }
    char *host() const { return reinterpret_cast<char *>(begin); }
    std::size_t bytes() const { return end - begin; }
    bool unchanged() const { return known.size() == bytes() && std::memcmp(known.data(), host(), bytes()) == 0; }
    void remember() { known.assign(host(), host() + bytes()); }

    // Its bytes from one address to another.
    Edge part(Address from, Address to) const
    {
        Edge found{from, to};
        if (known.size() == bytes() && from < to)
            found.known.assign(known.begin() + static_cast<std::ptrdiff_t>(from - begin), known.begin() + static_cast<std::ptrdiff_t>(to - begin));
        return found;
    }

    // To be copied there.
    char *on_its_way(std::size_t unit_of_launch)
    {
        unit = home == nullptr ? unit_of_launch : std::min(unit, unit_of_launch); // of another group of the launch, too
        if (home == nullptr)
            home = ompc::device().mailbox(bytes());
        if (home == nullptr) {
            kept.resize(bytes());
            home = kept.data();
        }
        return home;
    }

    // What the device has now is in `home`: the host gets what the kernel has changed, and keeps what others have written.
    void take_home()
    {
        if (home == nullptr)
            return;
        write_changed(host(), known.data(), home, bytes(), unit);
        known.assign(home, home + bytes());
        home = nullptr;
    }
};

// Where the host has written since the block came, window by window; the oldest are forgotten.
class HostWrites {
public:
    unsigned long long count() const { return forgotten_ + windows_.size(); }
    void add(Address begin, Address end)
    {
        if (windows_.size() == most) {
            forgotten_ += most;
            windows_.clear();
        }
        windows_.emplace_back(begin, end);
    }

    // Perhaps in a range, when it had written `before` times?
    bool any_since(unsigned long long before, Address begin, Address end) const
    {
        return before < forgotten_ || std::any_of(windows_.begin() + static_cast<std::ptrdiff_t>(before - forgotten_), windows_.end(),
                                                  [&](const auto &window) { return window.first < end && begin < window.second; });
    }

private:
    static constexpr std::size_t most = 256;
    unsigned long long forgotten_ = 0;
    std::vector<std::pair<Address, Address>> windows_;
};

// How much around a page a fault takes: four times as much as the last one where the host goes on near what that opened, and at
// each eighth fault wherever it is. It begins with what has been enough before, between a launch that made pages the device's and
// the next one: with a fourth of that once it has not grown, and with four times as much once it has grown twice. An element or
// a few in each step cost a page each, not more.
class FaultWindow {
public:
    explicit FaultWindow(std::size_t first) : most_(first), first_(first), next_(first) {}

    // A launch has made pages the device's.
    void begin_again()
    {
        if (faults_ > 0 && steps_ == 0)
            first_ = std::max(first_ / growth, page_bytes());
        else if (steps_ > 1)
            first_ = std::min(first_ * growth, most_);
        faults_ = steps_ = 0;
        next_ = first_;
    }

    // The part of an interval around a page.
    std::pair<Address, Address> around(std::pair<Address, Address> interval, Address page)
    {
        const bool goes_on = faults_ > 0 && page + as_dear >= last_.first && page < last_.second + as_dear;
        if (goes_on || (faults_ > 0 && faults_ % several == 0)) {
            next_ = std::min(next_ * growth, largest);
            steps_++;
        }
        faults_++;
        const Address begin = page / next_ * next_, end = begin + next_;
        last_ = {std::max(interval.first, begin), std::min(interval.second, end)};
        return last_;
    }

    static std::size_t page_bytes()
    {
        static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        return bytes;
    }

private:
    static constexpr std::size_t growth = 4, largest = std::size_t{1} << 40;
    static constexpr std::size_t as_dear = std::size_t{64} << 10; // to copy them takes about as long as a fault
    static constexpr unsigned several = 8;
    std::size_t most_, first_, next_;
    unsigned faults_ = 0, steps_ = 0; // since then; how often the window has grown
    std::pair<Address, Address> last_{};
};

// How much around what a launch lacks is copied in with it: where launches go on near what the last one lacked (a row in each step),
// four times as much each time. Not where the host writes to the block meanwhile: it wants its pages for itself.
class ReadAhead {
public:
    std::pair<Address, Address> around(Address first, Address last, unsigned long long host_writes)
    {
        if (std::exchange(writes_, host_writes) != host_writes) {
            patience_ = std::min(2 * patience_, most_patience);
            steps_ = 0;
        }
        const bool goes_on = first + near >= last_.first && first < last_.second + near;
        steps_ = goes_on ? steps_ + 1 : 0;
        last_ = {first, last};
        if (steps_ < patience_)
            return last_;
        const std::size_t window = least << 2 * std::min(steps_ - patience_, most_growth);
        last_ = {std::min(first, first / window * window), std::max(last, first / window * window + window)};
        return last_;
    }

private:
    static constexpr std::size_t near = std::size_t{64} << 10, least = std::size_t{64} << 10;
    static constexpr unsigned most_growth = 3, most_patience = 1u << 16;
    unsigned steps_ = 0, patience_ = 2; // launches that have gone on, and how many of them it takes
    unsigned long long writes_ = 0;
    std::pair<Address, Address> last_{};
};

// Are messages better copied to the device as they come? Not where the host has read the last one: then the next ones are the
// host's, twice as many each time.
class Landing {
public:
    bool is_on_device() { return ahead_ == 0 || --ahead_ == 0; }
    void landed(Address begin, Address end) { last_ = {begin, end}; }

    // The host reads what the device has changed.
    void read(Address begin, Address end)
    {
        if (begin >= last_.second || end <= last_.first)
            return;
        last_ = {};
        patience_ = std::min(2 * patience_, most);
        ahead_ = patience_;
    }

private:
    static constexpr unsigned most = 1u << 16;
    unsigned ahead_ = 0, patience_ = 1; // messages for the host
    std::pair<Address, Address> last_{};
};

struct Resident {
    Group memory; // of the block
    Address pages, pages_end;
    std::vector<Edge> edges;
    bool read_only = false; // mapped so
    Intervals valid = {}, stale = {};
    Region *writer = nullptr; // that made the host's bytes stale last
    SequenceNumber last_use = 0, last_write = 0; // the last launch that uses the device's memory, and that writes it
    SequenceNumber reading = 0;           // the last copies in that may read the host's pages after they were given
    unsigned unseen = 0;        // launches that have used it since the host last looked at it, or wrote to it
    FaultWindow read_window{std::size_t{512} << 10}, write_window{std::size_t{64} << 10};
    unsigned long long used = 0;
    HostWrites host_writes = {};
    ReadAhead ahead = {};
    Landing landing = {};
    Intervals came = {}, went = {}; // what has been copied in, and home, where that is counted
    Intervals opened = {};          // pages that are open for others
    std::size_t stripe = 0;         // its bytes on each device (ompc_stripes.h); 0: all are on the first one
    double misplaced = 0;           // seconds that launches have lost since they could not have it in another place (ompc_parts.h)

    char *device(Address host) const { return memory.device + (host - memory.begin); }
    Address page_floor(Address at) const { return std::min(pages_end, std::max(pages, at / page_bytes() * page_bytes())); }
    Address page_ceiling(Address at) const { return page_floor(at + page_bytes() - 1); }

    // The protection of pages that are the host's alone.
    int open() const { return read_only ? PROT_READ : PROT_READ | PROT_WRITE; }

    static Address page_bytes() { return FaultWindow::page_bytes(); }

    // A launch begins, and nothing has been brought in for it yet. What it writes is copied back if the host looks at it, and
    // much faster to page-locked memory. To be locked, pages must be open, and what other threads write to them meanwhile is not
    // seen: so the device forgets what it has of them.
    void expect_home(const Group &group)
    {
        const Address first = page_floor(group.out_begin), last = page_ceiling(group.out_end);
        const void *const host = reinterpret_cast<const void *>(first);
        if (last - first < least_locked || stale.meets(pages, pages_end) || ompc::device().is_locked(host) || !is_touched(first, last) ||
            !ompc::device().expect_home(reinterpret_cast<const void *>(memory.begin), last - first))
            return;
        written_by_host(pages, pages_end);
        if (group.sure_bytes() != 0) // else each part is locked before it is copied in
            ompc::device().lock(host, last - first);
    }

    // Begins to make the device's bytes of a group right part by part, for a launch of `region`; and does so up to an end.
    void bring_in_slices(const Group &group, Region &region)
    {
        bring_in_edges(group, region);
        expect(page_floor(group.begin), page_ceiling(group.end));
    }
    void bring_in_to(Address end, const Group &group, Region &region)
    {
        copy_pages_in(page_floor(group.begin), page_ceiling(end), region);
    }

    // Makes the device's bytes of a group right, for a launch of `region`.
    void bring_in(const Group &group, Region &region)
    {
        bring_in_edges(group, region);
        const Address first = page_floor(group.begin), last = page_ceiling(group.end);
        const bool to_end = group.sure_end == memory.end; // no bytes of others follow in its last page
        const Address sure = page_ceiling(group.sure_begin);
        const Address sure_end = std::max(sure, page_floor(to_end ? pages_end : group.sure_end));
        if (valid.holds(first, last))
            return avoid(region, group.name, last - first, group.copy_in ? Avoided::valid : Avoided::overwritten);
        if (group.sure_bytes() == 0 || sure == sure_end)
            return copy_in(first, last, region);
        copy_in(first, sure, region);
        copy_in(sure_end, last, region);
        each_own_gap(sure, sure_end, [&](Address begin, Address end) {
            avoid(region, memory.name, std::min(end, memory.end) - begin, Avoided::overwritten);
            protect(begin, end, PROT_READ);
        });
        write_window.begin_again();
        opened.each_gap(sure, sure_end, [&](Address begin, Address end) { valid.add(begin, end); });
    }

    // Does a launch that writes a group change bytes that the host does not have?
    bool is_newer(const Group &group) const
    {
        return stale.meets(page_floor(group.out_begin), page_ceiling(group.out_end));
    }

    // Starts to copy home what the host must have when the launch is over: true when there is something; then it must wait.
    bool bring_edges_home(const Group &group, Region &region)
    {
        bool any = false;
        for (Edge &edge : edges)
            if (edge.meets(group.out_begin, group.out_end)) {
                ompc::device().copy_out({region, group.name}, edge.on_its_way(group.unit), device(edge.begin), edge.bytes(), false);
                any = true;
            }
        return any;
    }

    // Is a message better sent from a room than from its pages, or received in one (ompc_message_rooms.h)?
    bool has_newest_of(Address begin, Address end) const { return stale.meets(page_floor(begin), page_ceiling(end)); }
    bool has_some_of(Address begin, Address end) const { return valid.meets(page_floor(begin), page_ceiling(end)); }

    // A message's bytes, as they are newest, to a room: nothing of the block changes.
    void gather(Address begin, Address end, char *room)
    {
        const auto to = [&](Address at) { return room + (at - begin); };
        stale.each_gap(begin, end, [&](Address from, Address last) { std::memcpy(to(from), reinterpret_cast<const char *>(from), last - from); });
        if (!stale.meets(begin, end) || has_failed())
            return;
        unseen = 0;
        ompc::device().order().after(StreamId::home, last_write);
        stale.each(begin, end, [&](Address from, Address last) {
            ompc::device().copy_to_room({*writer, memory.name}, to(from), device(from), last - from);
            count_again(went, {*writer, memory.name}, Work::d2h, from, last);
        });
        ompc::device().wait_home(Waited::message, *writer, memory.name);
    }

    // A message that has come to a room is the program's from now on. Where the device's bytes of its pages are right, it goes
    // there, and else to the host. True: a launch, the last one, copies from the room.
    bool land(Address begin, Address end, const char *room)
    {
        const auto from = [&](Address at) { return room + (at - begin); };
        valid.each_gap(begin, end, [&](Address to, Address last) { std::memcpy(reinterpret_cast<char *>(to), from(to), last - to); });
        if (!valid.meets(begin, end))
            return false;
        const Intervals right = valid;
        right.each(begin, end, [&](Address to, Address last) {
            become_newest(to, last);
            ompc::device().copy_from_room({*writer, memory.name}, device(to), from(to), last - to);
            count_again(came, {*writer, memory.name}, Work::h2d, to, last);
        });
        have_landed(begin, end);
        return true;
    }

    // The same from one device to another: what the device has newest, all of which it has; and where all bytes here are right.
    bool can_send_to_peer(Address begin, Address end) const { return stale.holds(begin, end); }
    void gather_for_peer(Address begin, Address end, char *peer)
    {
        unseen = 0;
        ompc::device().order().after(StreamId::home, last_write);
        ompc::device().copy_to_peer(peer, device(begin), end - begin);
        ompc::device().wait_home(Waited::message, *writer, memory.name);
    }
    bool can_land_from_peer(Address begin, Address end) const { return valid.holds(begin, end); }
    void land_from_peer(Address begin, Address end, const char *peer)
    {
        become_newest(begin, end);
        ompc::device().copy_from_peer(device(begin), peer, end - begin);
        have_landed(begin, end);
    }

    // The launch that uses a group has been given. True: the host is likely to touch the block before many more of them, and
    // what it then does should wait for this one alone.
    bool use(const Group &group)
    {
        last_use = ompc::device().order().next();
        if (group.out_bytes() != 0)
            last_write = last_use;
        unseen += unseen < soon;
        return unseen < soon;
    }

    // The launch has written a group; its edges have been copied.
    void written(const Group &group, Region &region)
    {
        for (Edge &edge : edges)
            if (edge.meets(group.out_begin, group.out_end))
                edge.take_home();
        writer = &region;
        read_window.begin_again();
        const Address first = page_floor(group.out_begin), last = page_ceiling(group.out_end);
        avoid(region, group.name, last - first, Avoided::not_read);
        opened.each_gap(first, last, [&](Address from, Address to) {
            stale.each_gap(from, to, [](Address begin, Address end) { protect(begin, end, PROT_NONE); });
            stale.add(from, to);
        });
    }

    // The launch has not been: what it may have written is not the host's.
    void forget(const Group &group)
    {
        for (Edge &edge : edges)
            edge.known.clear();
        written_by_host(page_floor(group.out_begin), page_ceiling(group.out_end));
    }

    // What is stale between two pages, when the launch that wrote it is over; its pages can be read then. Threads that touch
    // them meanwhile wait in their faults.
    void bring_home(Address first, Address last, Waited why)
    {
        if (!stale.meets(first, last))
            return;
        unseen = 0;
        if (why == Waited::fault)
            landing.read(first, last);
        if (!has_failed()) {
            ompc::device().order().after(StreamId::home, last_write);
            stale.each(first, last, [&](Address begin, Address end) {
                const std::size_t bytes = std::min(end, memory.end) - begin;
                ompc::device().copy_home({*writer, memory.name}, reinterpret_cast<void *>(begin), device(begin), bytes);
                count_again(went, {*writer, memory.name}, Work::d2h, begin, begin + bytes);
                avoid_no_more(*writer, memory.name, bytes, Avoided::not_read);
            });
            ompc::device().wait_home(why, *writer, memory.name);
        }
        stale.each(first, last, [](Address begin, Address end) { protect(begin, end, PROT_READ); });
        stale.remove(first, last);
    }

    // The host is about to write between two pages, of which nothing is stale.
    void written_by_host(Address first, Address last)
    {
        if (!valid.meets(first, last))
            return;
        host_writes.add(first, last);
        unseen = 0;
        if (!has_failed())
            ompc::device().wait_copies_in(reading, Waited::fault);
        valid.each(first, last, [&](Address begin, Address end) { protect(begin, end, open()); });
        valid.remove(first, last);
        stale.remove(first, last);
    }

    // A page fault of host code: a window around the page is copied back, or is the host's to write.
    void mend(Address page, bool writes)
    {
        if (stale.meets(page, page + 1)) {
            const auto window = read_window.around(stale.around(page), page);
            bring_home(window.first, window.second, Waited::fault);
            if (writes)
                written_by_host(window.first, window.second);
        } else if (writes && valid.meets(page, page + 1)) {
            auto free = valid.around(page);
            stale.each(free.first, free.second, [&](Address begin, Address end) {
                if (end <= page)
                    free.first = std::max(free.first, end);
                else
                    free.second = std::min(free.second, begin);
            });
            const auto window = write_window.around(free, page);
            written_by_host(window.first, window.second);
        } // else another thread's fault has mended it
    }

    // Which pages are open for others from now on.
    void keep_open(const Intervals &asked)
    {
        const Intervals before = std::exchange(opened, asked);
        asked.each(pages, pages_end, [&](Address begin, Address end) {
            before.each_gap(begin, end, [&](Address from, Address to) { give_away(from, to); });
        });
        before.each(pages, pages_end, [&](Address begin, Address end) {
            asked.each_gap(begin, end, [&](Address from, Address to) { take_back(from, to); });
        });
    }

    static void protect(Address begin, Address end, int protection)
    {
        if (ompc_protect(reinterpret_cast<void *>(begin), end - begin, protection) == 0)
            return;
        // An access would be missed, or fault for ever.
        tell(nullptr, "the system guards no more pages (vm.max_map_count); OMPC_GUARD=0 does without [OMPC455]");
        ompc_libc_end(70);
    }

private:
    static constexpr unsigned soon = 5; // launches
    static constexpr std::size_t least_locked = std::size_t{1} << 20; // in the middle of a program that takes 0.3 ms

    // Does the system have memory for the pages already, by three of them? Else page-locking takes ten times as long, in vain
    // where the host never looks.
    static bool is_touched(Address begin, Address end)
    {
        const Address some[] = {begin, (begin + end) / 2 / page_bytes() * page_bytes(), end - page_bytes()};
        return std::all_of(some, some + 3, [](Address page) {
            unsigned char present = 0;
            return ompc_libc_mincore(reinterpret_cast<void *>(page), page_bytes(), &present) == 0 && (present & 1) != 0;
        });
    }

    // The device gets bytes of pages of which it has all others right.
    void become_newest(Address begin, Address end)
    {
        const Address first = page_floor(begin), last = page_ceiling(end);
        writer = writer == nullptr ? &region_of_calls() : writer;
        stale.each_gap(first, last, [](Address from, Address to) { protect(from, to, PROT_NONE); });
        stale.add(first, last);
        host_writes.add(first, last);
    }
    void have_landed(Address begin, Address end)
    {
        ompc::device().launched(true);
        last_use = last_write = ompc::device().order().last();
        landing.landed(begin, end);
        unseen = 0;
    }

    // Pages become edges: the host has the newest bytes of them, and others may use them.
    void give_away(Address first, Address last)
    {
        bring_home(first, last, Waited::message);
        const auto edge = [&](Address begin, Address end) {
            edges.push_back({begin, std::min(end, memory.end)});
            return &edges.back();
        };
        valid.each(first, last, [&](Address begin, Address end) { edge(begin, end)->remember(); });
        valid.each_gap(first, last, [&](Address begin, Address end) { edge(begin, end); });
        written_by_host(first, last);
    }

    // They are pages as others are again. What others and the program have left as it was need not be copied in.
    void take_back(Address first, Address last)
    {
        std::vector<Edge> left;
        for (const Edge &edge : edges) {
            const Address begin = std::max(edge.begin, first), end = std::min(edge.end, last);
            if (begin >= end || edge.begin < pages) {
                left.push_back(edge);
                continue;
            }
            if (edge.begin < begin)
                left.push_back(edge.part(edge.begin, begin));
            if (end < edge.end)
                left.push_back(edge.part(end, edge.end));
            take_back(edge.part(begin, end), begin, page_ceiling(end));
        }
        edges = std::move(left);
    }
    void take_back(const Edge &edge, Address first, Address last)
    {
        if (edge.known.empty())
            return;
        protect(first, last, PROT_READ); // first: other threads may be at work
        if (edge.unchanged())
            valid.add(first, last);
        else
            protect(first, last, open());
    }

    // What is not valid, but for pages that are open for others.
    template <class F>
    void each_own_gap(Address first, Address last, F f) const
    {
        opened.each_gap(first, last, [&](Address from, Address to) { valid.each_gap(from, to, f); });
    }

    // Of bytes that are copied, those that have been copied the same way before.
    static void count_again(Intervals &before, const Account &account, Work way, Address begin, Address end)
    {
        if (!settings().profiling)
            return;
        before.each(begin, end, [&](Address from, Address to) { moved_again(account, way, to - from); });
        before.add(begin, end);
    }

    void bring_in(Edge &edge, Region &region)
    {
        if (edge.unchanged())
            return avoid(region, memory.name, edge.bytes(), Avoided::unchanged);
        edge.remember();
        ompc::device().order().after(StreamId::in, last_use);
        const SequenceNumber batch = ompc::device().copy_in({region, memory.name}, device(edge.begin), edge.known.data(), edge.bytes());
        ompc::device().wait_copies_in(batch, Waited::results); // what is known may change before the launch is over
    }

    void bring_in_edges(const Group &group, Region &region)
    {
        for (Edge &edge : edges)
            if (edge.meets(group.begin, group.end))
                bring_in(edge, region);
    }

    // The pages that are not valid yet; they are the host's, and readable.
    void copy_in(Address first, Address last, Region &region)
    {
        if (valid.holds(first, last))
            return;
        const auto window = ahead.around(first, last, host_writes.count());
        const Address from = std::max(pages, window.first), to = std::min(pages_end, window.second);
        if ((from < first || last < to) && is_touched(from, to)) {
            first = from;
            last = to;
        }
        expect(first, last);
        copy_pages_in(first, last, region);
    }

    void expect(Address first, Address last) const
    {
        std::size_t bytes = 0;
        each_own_gap(first, last, [&](Address begin, Address end) { bytes += std::min(end, memory.end) - begin; });
        ompc::device().expect(reinterpret_cast<const void *>(memory.begin), bytes);
    }

    void copy_pages_in(Address first, Address last, Region &region)
    {
        std::vector<std::pair<Address, Address>> gaps;
        each_own_gap(first, last, [&](Address begin, Address end) { gaps.emplace_back(begin, end); });
        if (gaps.empty())
            return;
        write_window.begin_again();
        ompc::device().order().after(StreamId::in, last_use);
        for (const auto &gap : gaps) // first: in the pages of a slab, other threads may be at work
            protect(gap.first, gap.second, PROT_READ);
        for (const auto &gap : gaps) // what page-locking opens is then guarded again
            valid.add(gap.first, gap.second);
        for (const auto &gap : gaps) {
            const void *const host = reinterpret_cast<const void *>(gap.first);
            const std::size_t piece = std::min(gap.second, memory.end) - gap.first;
            reading = std::max(reading, ompc::device().copy_in({region, memory.name}, device(gap.first), host, piece));
            count_again(came, {region, memory.name}, Work::h2d, gap.first, gap.first + piece);
        }
    }
};

} // namespace ompc

#endif
