// ompc_intervals.h: sets of addresses, as disjoint intervals in order.

#ifndef OMPC_INTERVALS_H
#define OMPC_INTERVALS_H

#include "ompc_ranges.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ompc {

class Intervals {
public:
    bool empty() const { return spans_.empty(); }

    // All of [begin, end)?
    bool holds(Address begin, Address end) const
    {
        const auto span = first_behind(begin);
        return begin >= end || (span != spans_.end() && span->first <= begin && end <= span->second);
    }
    // Any of it?
    bool meets(Address begin, Address end) const
    {
        const auto span = first_behind(begin);
        return begin < end && span != spans_.end() && span->first < end;
    }

    // The interval around an address; {at, at}: there is none.
    std::pair<Address, Address> around(Address at) const
    {
        const auto span = first_behind(at);
        return span != spans_.end() && span->first <= at ? *span : std::make_pair(at, at);
    }

    void add(Address begin, Address end)
    {
        if (begin >= end || holds(begin, end))
            return;
        auto from = std::lower_bound(spans_.begin(), spans_.end(), begin, [](const Span &s, Address a) { return s.second < a; });
        auto to = from;
        for (; to != spans_.end() && to->first <= end; ++to) {
            begin = std::min(begin, to->first);
            end = std::max(end, to->second);
        }
        from = spans_.erase(from, to);
        spans_.insert(from, {begin, end});
    }

    void remove(Address begin, Address end)
    {
        if (!meets(begin, end))
            return;
        std::vector<Span> left;
        for (const Span &span : spans_) {
            if (span.first < std::min(begin, span.second))
                left.push_back({span.first, std::min(begin, span.second)});
            if (std::max(end, span.first) < span.second)
                left.push_back({std::max(end, span.first), span.second});
        }
        spans_ = std::move(left);
    }

    // Calls f(begin, end) for each piece of [begin, end) that is in the set; f must not change it.
    template <class F>
    void each(Address begin, Address end, F f) const
    {
        for (auto span = first_behind(begin); span != spans_.end() && span->first < end; ++span)
            f(std::max(begin, span->first), std::min(end, span->second));
    }

    // For each piece that is not.
    template <class F>
    void each_gap(Address begin, Address end, F f) const
    {
        for (auto span = first_behind(begin); span != spans_.end() && span->first < end; ++span) {
            if (begin < span->first)
                f(begin, span->first);
            begin = span->second;
        }
        if (begin < end)
            f(begin, end);
    }

private:
    using Span = std::pair<Address, Address>;

    std::vector<Span>::const_iterator first_behind(Address at) const
    {
        return std::upper_bound(spans_.begin(), spans_.end(), at, [](Address a, const Span &s) { return a < s.second; });
    }

    std::vector<Span> spans_;
};

} // namespace ompc

#endif
