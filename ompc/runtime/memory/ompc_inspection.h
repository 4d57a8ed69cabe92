// ompc_inspection.h: what iterations do with objects of their own, as code finds it that has no data (ompc/ir/inspector.py).
//
//     static ompc::inspected::Answers answers("fft.c:447, 480", "x, y", {{33792, 8}, {33792, 8}});
//     return answers.of({n, pad}, [&] { code.columns(n); });
//
// The code says what it reads and writes since an object has last begun anew. The answer is yes, if all that is read has been written.
// Answers are kept: what the code is given says all. An access outside of an object, or more iterations than anybody waits for, is a no.
// Where there is no device, nobody looks: the launcher says so.

#ifndef OMPC_INSPECTION_H
#define OMPC_INSPECTION_H

#include "ompc_log.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <utility>
#include <vector>

namespace ompc {
namespace inspected {

// Is there a device, as far as is known, and may loops be launched?
bool matters();

constexpr unsigned offset_bits = 48; // of a place; above them is the number of its object, from 1

// All scalars of an object begin and end at multiples of its grain.
struct Object {
    size_t bytes, grain;
};

class Inspection {
public:
    explicit Inspection(const std::vector<Object> &objects)
    {
        for (const Object &object : objects)
            seen_.push_back({object, std::vector<uint32_t>((object.bytes + object.grain - 1) / object.grain), 1});
        outer_ = current();
        current() = this;
    }
    Inspection(const Inspection &) = delete;
    Inspection &operator=(const Inspection &) = delete;
    ~Inspection() { current() = outer_; }

    // That of this thread.
    static Inspection *&current()
    {
        static thread_local Inspection *found = nullptr;
        return found;
    }

    bool holds() const { return holds_; }

    bool goes_on()
    {
        holds_ = holds_ && --turns_ > 0;
        return holds_;
    }

    void begins(size_t place)
    {
        Seen *object = place == 0 ? nullptr : find(place, 0);
        if (object != nullptr && ++object->now == 0) { // once in 2^32 times
            std::fill(object->written.begin(), object->written.end(), 0);
            object->now = 1;
        }
    }

    void reads(size_t place, size_t bytes)
    {
        Seen *object = place == 0 ? nullptr : find(place, bytes);
        if (object == nullptr)
            return;
        const size_t from = offset(place), grain = object->of.grain;
        for (size_t at = from / grain; at * grain < from + bytes; at++)
            holds_ = holds_ && object->written[at] == object->now;
    }

    // A grain of which a part is written is not.
    void writes(size_t place, size_t bytes)
    {
        Seen *object = place == 0 ? nullptr : find(place, bytes);
        if (object == nullptr)
            return;
        const size_t from = offset(place), grain = object->of.grain;
        for (size_t at = (from + grain - 1) / grain; (at + 1) * grain <= from + bytes; at++)
            object->written[at] = object->now;
    }

private:
    struct Seen {
        Object of;
        std::vector<uint32_t> written; // when, for each grain
        uint32_t now;
    };

    static size_t offset(size_t place) { return place & ((size_t{1} << offset_bits) - 1); }

    Seen *find(size_t place, size_t bytes)
    {
        const size_t number = (place >> offset_bits) - 1;
        if (number < seen_.size() && offset(place) <= seen_[number].of.bytes && bytes <= seen_[number].of.bytes - offset(place))
            return &seen_[number];
        holds_ = false;
        return nullptr;
    }

    std::vector<Seen> seen_;
    Inspection *outer_;
    bool holds_ = true;
    long long turns_ = 1ll << 27; // less than a second
};

// The place where an object begins, by its number among the objects.
constexpr size_t object(size_t number) { return (number + 1) << offset_bits; }

inline size_t element(size_t place, long long index, size_t bytes)
{
    return place == 0 ? 0 : place + static_cast<size_t>(index) * bytes;
}

inline int goes_on() { return Inspection::current()->goes_on(); }
inline void begins(size_t place) { Inspection::current()->begins(place); }
inline void reads(size_t place, size_t bytes) { Inspection::current()->reads(place, bytes); }
inline void writes(size_t place, size_t bytes) { Inspection::current()->writes(place, bytes); }

// Of the code of one inspector.
class Answers {
public:
    Answers(const char *loops, const char *names, std::initializer_list<Object> objects)
        : loops_(loops), names_(names), objects_(objects)
    {
    }

    template <class Code>
    int of(std::initializer_list<long long> given, const Code &inspect)
    {
        if (!matters())
            return 1;
        const std::lock_guard<std::mutex> alone(lock_);
        for (const auto &known : known_)
            if (std::equal(given.begin(), given.end(), known.first.begin(), known.first.end()))
                return known.second;
        const int before = errno; // for the program the loop is no call
        Inspection inspection(objects_);
        inspect();
        if (!inspection.holds() && !said_) {
            said_ = true;
            tell(nullptr, "%s: run on the host: an iteration reads of %s what it has not written [OMPC478]", loops_, names_);
        }
        if (known_.size() == most_known)
            known_.erase(known_.begin());
        known_.emplace_back(given, inspection.holds());
        errno = before;
        return inspection.holds();
    }

private:
    static constexpr size_t most_known = 64;

    const char *loops_, *names_;
    const std::vector<Object> objects_;
    std::mutex lock_;
    std::vector<std::pair<std::vector<long long>, int>> known_;
    bool said_ = false;
};

} // namespace inspected
} // namespace ompc

#endif
