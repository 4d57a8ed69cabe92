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

#include <cstddef>
#include <cstdint>
#include <initializer_list>

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
    Inspection(const Object *objects, size_t count);
    Inspection(const Inspection &) = delete;
    Inspection &operator=(const Inspection &) = delete;
    ~Inspection();

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
        if (object != nullptr && ++object->now == 0) // once in 2^32 times
            object->forget();
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
        uint32_t *written; // when, for each grain
        uint32_t now;

        size_t grains() const { return (of.bytes + of.grain - 1) / of.grain; }
        void forget();
    };

    static size_t offset(size_t place) { return place & ((size_t{1} << offset_bits) - 1); }

    Seen *find(size_t place, size_t bytes)
    {
        const size_t number = (place >> offset_bits) - 1;
        if (number < count_ && offset(place) <= seen_[number].of.bytes && bytes <= seen_[number].of.bytes - offset(place))
            return &seen_[number];
        holds_ = false;
        return nullptr;
    }

    Seen *const seen_;
    const size_t count_;
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
    Answers(const char *loops, const char *names, std::initializer_list<Object> objects);

    template <class Code>
    int of(std::initializer_list<long long> given, const Code &inspect)
    {
        return ask(given, [](const void *code) { (*static_cast<const Code *>(code))(); }, &inspect);
    }

private:
    struct Known;

    int ask(std::initializer_list<long long> given, void (*inspect)(const void *code), const void *code);

    const char *loops_, *names_;
    Known *const known_; // never destroyed, as what inspectors know is static
};

} // namespace inspected
} // namespace ompc

#endif
