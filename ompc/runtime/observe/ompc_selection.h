// ompc_selection.h: which launches go to the device where somebody looks for a fault (OMPC_REGIONS, docs/debugging.md).
//
//     OMPC_REGIONS=main_u               the loop with that id; main_u@jacobi.c and jacobi.c:41 name it, too
//     OMPC_REGIONS=..7,9                 the first seven loops, in the order in which they are first reached, and the ninth
//     OMPC_REGIONS=main_u#..20          the first twenty times that the loop is reached
//     OMPC_REGIONS=-main_u,-main_v#3   all but these; *: all, none: none
//
// The last item that speaks of a launch decides; where none does, it goes to the device if the first item takes something away.
// Whatever does not go is refused like any other launch: the host runs the loop, and finds what the device has changed.

#ifndef OMPC_SELECTION_H
#define OMPC_SELECTION_H

#include "ompc_log.h"
#include "ompc_region.h"
#include "ompc_settings.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace ompc {

// "7", "3..7", "..7", "3..": false where it is none of these.
struct Numbers {
    unsigned long long first = 1, last = ~0ull;

    bool have(unsigned long long number) const { return first <= number && number <= last; }
    bool read(const std::string &text)
    {
        const std::size_t dots = text.find("..");
        const std::string from = text.substr(0, dots), to = dots == std::string::npos ? from : text.substr(dots + 2);
        if (from.empty() && to.empty())
            return false;
        return (from.empty() || is_number(from, first)) && (to.empty() || is_number(to, last));
    }

private:
    static bool is_number(const std::string &text, unsigned long long &number)
    {
        if (text.find_first_not_of("0123456789") != std::string::npos)
            return false;
        number = std::strtoull(text.c_str(), nullptr, 10);
        return true;
    }
};

// A loop that is reached: how often, and as which one of all.
struct ReachedLoop {
    std::string id, file;
    int line;
    unsigned long long reached = 0, place = 0;
};

// One item of the list.
struct Selected {
    bool goes = true, by_place = false;
    std::string id, file; // empty: any
    int line = 0;         // 0: any
    Numbers places, launches;
    std::string text;
    bool is_met = false; // by a region of that name

    bool read(std::string text)
    {
        this->text = text;
        goes = text[0] != '-';
        text.erase(0, goes ? 0 : 1);
        const std::size_t hash = text.rfind('#');
        if (hash != std::string::npos && !launches.read(text.substr(hash + 1)))
            return false;
        text.erase(std::min(hash, text.size()));
        if (text.empty() || text == "*")
            return !text.empty();
        by_place = places.read(text);
        return by_place || read_name(text);
    }

    bool speaks_of(const ReachedLoop &loop) const
    {
        if (!launches.have(loop.reached))
            return false;
        if (by_place)
            return places.have(loop.place);
        return names(loop);
    }

    // Any, if the item has no name.
    bool names(const ReachedLoop &loop) const
    {
        return (id.empty() || id == loop.id) && (line == 0 || line == loop.line) && (file.empty() || is_file(loop.file));
    }

private:
    bool read_name(const std::string &text)
    {
        const std::size_t at = text.find('@'), colon = text.rfind(':');
        if (at != std::string::npos) {
            id = text.substr(0, at);
            file = text.substr(at + 1);
            return is_identifier(id) && !file.empty();
        }
        if (colon == std::string::npos) {
            id = text;
            return is_identifier(id);
        }
        file = text.substr(0, colon);
        line = std::atoi(text.c_str() + colon + 1);
        return !file.empty() && line > 0;
    }

    static bool is_identifier(const std::string &name)
    {
        const auto is_letter = [](char c) { return c == '_' || c == '$' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<signed char>(c) < 0; };
        const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
        return !name.empty() && !is_digit(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); });
    }

    // As the program was given it, or the end of that path.
    bool is_file(const std::string &known) const
    {
        const std::size_t from = known.size() - std::min(known.size(), file.size());
        return known.compare(from, std::string::npos, file) == 0 && (from == 0 || known[from - 1] == '/');
    }
};

// All of them. With the lock held.
class Selection {
public:
    explicit Selection(const std::string &text)
    {
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find(',', at), text.size());
            if (!add(text.substr(at, end - at))) {
                tell(nullptr, "OMPC_REGIONS is not followed: '%s' is not understood", text.substr(at, end - at).c_str());
                items_.clear();
                is_asked_ = false;
                return;
            }
            at = end + 1;
        }
    }

    // Of a region that is reached now. A joint launch goes if each of its loops would; if not, they are reached one by one.
    bool takes(const Region &region)
    {
        if (!is_asked_)
            return true;
        std::vector<LoopName> loops(region.loops, region.loops + region.joint);
        if (loops.empty())
            loops.push_back({region.id, region.line});
        std::vector<ReachedLoop> now;
        bool goes = true;
        unsigned long long new_ones = 0;
        for (const LoopName &loop : loops) {
            now.push_back(at(loop, region.file));
            if (now.back().reached++ == 0)
                now.back().place = places_ + ++new_ones;
            goes = goes && goes_now(now.back());
        }
        if (goes || region.joint == 0)
            for (const ReachedLoop &loop : now)
                reach(loop);
        return goes;
    }

    // At the end: items with a name that no loop has had. What names places may be meant for another input.
    void tell_unknown() const
    {
        for (const Selected &item : items_)
            if (places_ > 0 && !item.is_met && !(item.id.empty() && item.file.empty()))
                tell(nullptr, "OMPC_REGIONS: '%s' names none of the %llu loops that were reached", item.text.c_str(), places_);
    }

private:
    ReachedLoop &at(const LoopName &loop, const char *file)
    {
        const auto is_it = [&](const ReachedLoop &known) { return known.id == loop.id && known.file == file; };
        const auto found = std::find_if(loops_.begin(), loops_.end(), is_it);
        return found != loops_.end() ? *found : loops_.emplace_back(ReachedLoop{loop.id, file, loop.line});
    }

    bool goes_now(const ReachedLoop &loop) const
    {
        bool goes = goes_unless_named_;
        for (const Selected &item : items_)
            if (item.speaks_of(loop))
                goes = item.goes;
        return goes;
    }

    void reach(const ReachedLoop &loop)
    {
        at({loop.id.c_str(), loop.line}, loop.file.c_str()) = loop;
        places_ = std::max(places_, loop.place);
        if (loop.reached == 1)
            for (Selected &item : items_)
                item.is_met = item.is_met || item.names(loop);
    }

    bool add(const std::string &text)
    {
        const bool is_first = !is_asked_;
        is_asked_ = true;
        if (is_first)
            goes_unless_named_ = text[0] == '-';
        if (text == "none")
            return true;
        items_.emplace_back();
        return !text.empty() && items_.back().read(text);
    }

    std::vector<Selected> items_;
    std::vector<ReachedLoop> loops_; // in the order in which they were asked about
    bool is_asked_ = false, goes_unless_named_ = false;
    unsigned long long places_ = 0;
};

inline Selection &selection()
{
    static Selection *const asked = new Selection(settings().regions); // never destroyed, as the settings
    return *asked;
}

} // namespace ompc

#endif
