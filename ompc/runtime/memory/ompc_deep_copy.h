// ompc_deep_copy.h: deep copy: objects that a kernel reaches through pointers in memory: rows of a table, arrays of structs.
//
// The host's side of the pointers is read, and each object found, before anything is copied. The device's copy of the
// holder then has device addresses in their place. A null pointer stays null; one that the loop cannot follow stays as it
// is. The pointers themselves never come back.
//
// Rows that follow each other in one block, as those of a matrix that was allocated as a whole, are one range: a table of
// 100,000 of them is followed in a millisecond.
//
// Holders, and small objects when there are many, travel together: they are gathered in a buffer on the host (PackedBuffer).

#ifndef OMPC_DEEP_COPY_H
#define OMPC_DEEP_COPY_H

#include "ompc_changes.h"
#include "ompc_borrowed.h"
#include "ompc_pointers.h"
#include "ompc_present.h"
#include "ompc_ranges.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ompc {

// What the pointers in one holder lead to, as declared.
struct Linked {
    const char *name;
    std::size_t holder; // its root
    Pointers pointers;
    Extent extent;
    std::size_t element;
    Access access;
    bool distinct, apart; // apart: no two of these objects may overlap
    LayoutOf layout;
};

// A pointer that has been followed.
struct Slot {
    Address at, value;
    std::size_t holder, target; // ranges
};

// The pointers of one link that have been followed, each with its range. Most tables lead to rows in the order of memory.
class FollowedPointers {
public:
    // no_group: it has not been followed.
    std::size_t find(Address pointer) const
    {
        if (ascending_.empty() || pointer > ascending_.back().first)
            return no_group;
        const auto before = [](const std::pair<Address, std::size_t> &a, Address b) { return a.first < b; };
        const auto found = std::lower_bound(ascending_.begin(), ascending_.end(), pointer, before);
        if (found->first == pointer)
            return found->second;
        const auto other = others_.find(pointer);
        return other == others_.end() ? no_group : other->second;
    }

    void add(Address pointer, std::size_t range)
    {
        if (ascending_.empty() || pointer > ascending_.back().first)
            ascending_.emplace_back(pointer, range);
        else
            others_.emplace(pointer, range);
    }

private:
    std::vector<std::pair<Address, std::size_t>> ascending_;
    std::unordered_map<Address, std::size_t> others_; // those that lead to before one of them
};

// Finds what the declared links lead to and adds it to the ranges. A root is the place of its array among the ranges, or
// `arrays` and more for the linked ones.
class Links {
public:
    std::vector<Linked> declared;
    std::vector<Slot> slots;
    std::size_t arrays = 0; // so many ranges were there before

    // How many pointers there are to follow, as far as the declarations say, in a launch with so many arrays.
    double expected(std::size_t of_arrays) const
    {
        double sum = 0;
        std::vector<double> counts;
        for (const Linked &link : declared) {
            const Pointers &in = link.pointers;
            const double elements = in.all ? 1 : static_cast<double>(std::max(in.last - in.first + 1, 0LL));
            const double holders = link.holder < of_arrays ? 1 : counts[link.holder - of_arrays];
            counts.push_back(holders * elements * static_cast<double>(in.count));
            sum += counts.back();
        }
        return sum;
    }

    // `may_stay`: rows can stay on the device. nullptr, or the name of a pointer that leads to an object of unknown extent. `aliased` is a declaration whose objects
    // must be apart and are not.
    const char *follow(std::vector<Range> &ranges, PresentTable &mapped, bool may_stay, const Linked *&aliased)
    {
        arrays = ranges.size();
        if (declared.empty()) {
            for (std::size_t i = 0; i < arrays; i++)
                ranges[i].root = i;
            return nullptr;
        }
        slots.reserve(static_cast<std::size_t>(std::min(expected(arrays), 1e7)));
        std::vector<std::vector<Place>> places(arrays + declared.size());
        for (std::size_t i = 0; i < arrays; i++) {
            ranges[i].root = i;
            places[i] = {{ranges[i].pointer, i}};
        }
        for (std::size_t k = 0; k < declared.size(); k++) {
            const auto leads_on = [&](const Linked &other) { return other.holder == arrays + k; };
            const bool ends_here = std::none_of(declared.begin(), declared.end(), leads_on);
            Finder finder{declared[k], arrays + k, ranges, slots, places[arrays + k], mapped, may_stay, ends_here};
            for (const Place &place : places[declared[k].holder])
                if (!finder.follow(place))
                    return declared[k].name;
            if (finder.repeated && declared[k].apart)
                aliased = &declared[k];
        }
        return nullptr;
    }

    // Of a range of a launch, with the element of the holder that leads to it: `row[5]` for `*row`.
    std::string name_of(const Range &range, const std::vector<Range> &ranges) const
    {
        const auto index = static_cast<std::size_t>(&range - ranges.data());
        const auto slot = std::find_if(slots.begin(), slots.end(), [index](const Slot &each) { return each.target == index; });
        if (!range.linked || slot == slots.end())
            return range.name;
        const auto from = static_cast<long long>(slot->at - ranges[slot->holder].pointer);
        const std::string place = std::to_string(from / static_cast<long long>(declared[range.root - arrays].pointers.stride));
        if (range.name[0] == '*')
            return std::string(range.name + 1) + "[" + place + "]";
        return place == "0" ? range.name : std::string(range.name) + " (of element " + place + ")";
    }

private:
    // A pointer to an element, and the range that it points into.
    struct Place {
        Address pointer;
        std::size_t range;
    };

    static long long rounded_down(long long a, long long b) { return a / b - (a % b < 0); }

    struct Finder {
        const Linked &link;
        std::size_t root;
        std::vector<Range> &ranges;
        std::vector<Slot> &slots;
        std::vector<Place> &found;
        PresentTable &mapped;
        bool may_stay;
        bool ends_here; // no other link begins in what this one leads to
        FollowedPointers by_pointer = {};
        std::size_t last = no_group; // the range that was made last
        std::unordered_set<Address> whole = {}; // first elements of holders that were followed as a whole
        Address block = 0, block_end = 0;       // the one that was found last
        Address slab = 0, slab_that_stays = 0;
        bool repeated = false;

        // Every pointer of the holder at `place` that the loop may follow. False: one leads nowhere known.
        bool follow(const Place &place)
        {
            Range &holder = ranges[place.range];
            if (holder.empty())
                return true;
            holder.holds = true;
            mapped.read_by_host(holder.begin, holder.end - holder.begin);
            borrowed().written_by_host(holder.begin, holder.end - holder.begin);
            holder.holds_anywhere |= link.pointers.all;
            const std::size_t range = place.range;
            const long long stride = static_cast<long long>(link.pointers.stride);
            const long long before = static_cast<long long>(place.pointer - holder.begin);
            const long long after = static_cast<long long>(holder.end - place.pointer);
            const long long least = -rounded_down(before, stride), most = rounded_down(after, stride) - 1;
            if (link.pointers.all && !whole.insert(place.pointer + static_cast<Address>(least * stride)).second)
                return true; // another pointer to the same elements
            const long long first = link.pointers.all ? least : std::max(least, link.pointers.first);
            const long long last = link.pointers.all ? most : std::min(most, link.pointers.last);
            for (long long k = first; k <= last; k++)
                for (std::size_t n = 0; n < link.pointers.count; n++)
                    if (!enter(place.pointer + static_cast<Address>(k * stride) + link.pointers.offsets[n], range))
                        return false;
            return true;
        }

        bool enter(Address at, std::size_t holder)
        {
            Address value;
            std::memcpy(&value, reinterpret_cast<const void *>(at), sizeof value);
            if (value == 0)
                return true;
            if (is_in_last(value)) {
                slots.push_back({at, value, holder, last});
                return true;
            }
            const std::size_t known = by_pointer.find(value);
            repeated |= known != no_group;
            const std::size_t target = known != no_group ? known : add(value);
            if (target == no_group)
                return false;
            slots.push_back({at, value, holder, target});
            return true;
        }

        // The slab that holds a row, if that can stay on the device; else 0.
        Address slab_of(const Range &row)
        {
            const Address found = reinterpret_cast<Address>(ompc_slab_of(reinterpret_cast<const void *>(row.pointer)));
            if (found != slab) {
                slab = found;
                slab_that_stays = found != 0 && stays_anyway(row.begin, row.end) ? found : 0;
            }
            return slab_that_stays;
        }

        // The range of the object at `value`; no_group: not known.
        std::size_t add(Address value)
        {
            Range range{link.name, value, block, block_end, link.access, pageable, link.distinct, true, no_group, false};
            if (value < block || value >= block_end) {
                range.known = find_block(range, link.extent, link.element);
                if (!range.known || link.extent.kind == Extent::Block)
                    mapped.narrow(range);
                if (!range.known)
                    return no_group;
                block = range.begin;
                block_end = range.end;
            }
            if (link.extent.kind == Extent::Window)
                clip(range, link.extent, link.element);
            range.root = root;
            range.layout = link.layout;
            range.linked = true;
            range.slab = may_stay ? slab_of(range) : 0;
            range.apart = link.apart;
            if (!joins_last(range)) {
                last = ranges.size();
                ranges.push_back(range);
            }
            by_pointer.add(value, last);
            if (!ends_here)
                found.push_back({value, last});
            return last;
        }

        // Does it lead into the block that is the last range?
        bool is_in_last(Address value) const
        {
            const bool is_block = ends_here && !link.apart && link.extent.kind == Extent::Block && last != no_group;
            return is_block && value >= ranges[last].begin && value < ranges[last].end;
        }

        // Makes the row a part of the last range, if it follows that in one block.
        bool joins_last(const Range &row)
        {
            if (!ends_here || last == no_group || row.empty() || row.begin == block)
                return false;
            Range &before = ranges[last];
            if (row.begin != before.end || row.slab != before.slab || (row.pointer - before.pointer) % link.element != 0)
                return false;
            before.end = row.end;
            return true;
        }
    };
};

// Groups that are copied together, from and to a buffer on the host.
class PackedBuffer {
public:
    // Chooses the groups: those in which pointers are translated, and the small ones of many that are linked only; not those of
    // which stays(group) says that they stay on the device.
    template <class Stays>
    void choose(std::vector<Group> &groups, const std::vector<Slot> &slots, const std::vector<Range> &ranges,
                const PresentTable &mapped, Stays stays)
    {
        std::size_t small = 0;
        for (const Group &group : groups)
            small += group.linked && group.bytes() <= small_bytes;
        for (Group &group : groups)
            group.packed = small > few && group.linked && group.bytes() <= small_bytes && mapped.empty() && !stays(group);
        for (const Slot &slot : slots)
            groups[ranges[slot.holder].group].packed = true;
        std::size_t at = 0;
        for (Group &group : groups)
            if (group.packed) {
                group.offset = at + group.begin % alignment_of_host;
                at = (group.offset + group.bytes() + alignment) / alignment * alignment; // never adjacent
            }
        bytes_ = at;
    }

    bool empty() const { return bytes_ == 0; }
    std::size_t bytes() const { return bytes_; }
    Group &whole() { return whole_; }

    // `follows_changes`: only what the kernel changes is to be written home (ompc_changes.h).
    bool prepare(bool follows_changes)
    {
        buffer_.reset(new (std::nothrow) char[bytes_]);
        const Address begin = reinterpret_cast<Address>(buffer_.get());
        whole_ = {"linked objects", begin, begin + bytes_, 0, 0, false, false, nullptr};
        if (follows_changes)
            sent_.reset(new (std::nothrow) char[bytes_]);
        return begin != 0 && (!follows_changes || sent_ != nullptr);
    }

    // Gathers the groups, with device addresses in the place of the pointers.
    void pack(const std::vector<Group> &groups, const std::vector<Slot> &slots, const std::vector<Range> &ranges, PresentTable &mapped)
    {
        for (const Group &group : groups)
            if (group.packed) {
                mapped.read_by_host(group.begin, group.bytes());
                borrowed().written_by_host(group.begin, group.bytes());
                std::memcpy(buffer_.get() + group.offset, reinterpret_cast<const void *>(group.begin), group.bytes());
                if (sent_ != nullptr)
                    std::memcpy(sent_.get() + group.offset, buffer_.get() + group.offset, group.bytes());
            }
        for (const Slot &slot : slots) {
            const Range &target = ranges[slot.target];
            if (target.empty())
                continue; // nothing of it is accessed
            const Group &to = groups[target.group];
            const Address translated = reinterpret_cast<Address>(to.device) + (slot.value - to.begin);
            std::memcpy(place(groups[ranges[slot.holder].group], slot.at), &translated, sizeof translated);
        }
    }

    // The part that holds all that was written: its bounds in the buffer.
    std::pair<std::size_t, std::size_t> written(const std::vector<Group> &groups) const
    {
        std::size_t begin = bytes_, end = 0;
        for (const Group &group : groups)
            if (group.packed && group.out_bytes() != 0) {
                begin = std::min(begin, group.offset + (group.out_begin - group.begin));
                end = std::max(end, group.offset + (group.out_end - group.begin));
            }
        return {std::min(begin, end), end};
    }

    // Brings what was written to where it belongs; the host's pointers stay.
    void unpack(const std::vector<Group> &groups, const std::vector<Slot> &slots, const std::vector<Range> &ranges)
    {
        for (const Slot &slot : slots)
            if (const Group &group = groups[ranges[slot.holder].group]; group.out_bytes() != 0)
                std::memcpy(place(group, slot.at), &slot.value, sizeof slot.value);
        for (const Group &group : groups)
            if (group.packed && group.out_bytes() != 0)
                unpack(group);
    }

    char *buffer() { return buffer_.get(); }

private:
    static constexpr std::size_t few = 16, small_bytes = std::size_t{1} << 20, alignment = 128, alignment_of_host = 16;

    void unpack(const Group &group)
    {
        char *const host = reinterpret_cast<char *>(group.out_begin), *const now = place(group, group.out_begin);
        if (sent_ != nullptr)
            write_changed(host, sent_.get() + (now - buffer_.get()), now, group.out_bytes(), group.unit);
        else
            std::memcpy(host, now, group.out_bytes());
    }

    char *place(const Group &group, Address host) { return buffer_.get() + group.offset + (host - group.begin); }

    std::unique_ptr<char[]> buffer_, sent_; // sent_: as the host's memory was; or nullptr
    std::size_t bytes_ = 0;
    Group whole_{};
};

} // namespace ompc

#endif
