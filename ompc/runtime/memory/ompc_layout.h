// ompc_layout.h: where in an element of an array its numbers are, of which kind: for OMPC_VERIFY (ompc_verify.h), and for what
// is written home (ompc_changes.h).
//
// Of a struct the types of the members are those that a list of initial values may have, in order; their places follow from
// sizes and alignments. Where that gives another size than the struct's (bit-fields, packed structs), and for unions and very
// long structs, nothing is known but the bytes.

#ifndef OMPC_LAYOUT_H
#define OMPC_LAYOUT_H

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ompc {

enum class Kind : unsigned char { bytes, whole_signed, whole_unsigned, floating, pointer };

// A number in an element.
struct Number {
    std::size_t at, bytes;
    Kind kind;
};

// Values one behind the other, in the order in which they were noted. <vector> takes the compiler a quarter of a second in each file
// of launchers.
template <class T>
class Noted {
public:
    const T *begin() const { return first_; }
    const T *end() const { return first_ + count_; }
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    const T &operator[](std::size_t i) const { return first_[i]; }

    void push_back(const T &value)
    {
        static_assert(std::is_trivially_copyable_v<T>, "they are moved as bytes");
        if (count_ == room_) {
            T *const all = new T[room_ = 2 * room_ + 4];
            for (std::size_t i = 0; i < count_; i++)
                all[i] = first_[i];
            delete[] first_;
            first_ = all;
        }
        first_[count_++] = value;
    }

    void keep(std::size_t first_ones) { count_ = first_ones; }

private:
    T *first_ = nullptr; // never freed, as layouts are not
    std::size_t count_ = 0, room_ = 0;
};

// `element`: bytes of one; the arrays that an element of the kernel's is made of have these lengths, outermost first. `unit`:
// the largest power of two, 8 at most, of which the places and sizes of all numbers are multiples; 1 where bytes are unknown.
struct Layout {
    std::size_t element = 0, unit = 1;
    Noted<Number> numbers = {};
    Noted<std::size_t> lengths = {};
};

using LayoutOf = const Layout &(*)();

namespace layouts {

constexpr std::size_t most_members = 128;

// Takes the place of a value of any type but `Whole`, and notes the type.
template <class Whole>
struct AnyValue {
    Layout *noted;
    template <class T, class = std::enable_if_t<!std::is_same_v<std::remove_cv_t<T>, Whole>>>
    operator T() const;
};

template <class Whole, std::size_t... I>
constexpr auto takes(std::index_sequence<I...>) -> decltype(Whole{(static_cast<void>(I), AnyValue<Whole>{nullptr})...}, true)
{
    return true;
}
template <class Whole>
constexpr bool takes(...)
{
    return false;
}

// How many values the list may have; `most_members`: as many, or more.
template <class T, std::size_t n = 0>
constexpr std::size_t members()
{
    if constexpr (n == most_members)
        return n;
    else if constexpr (takes<T>(std::make_index_sequence<n + 1>()))
        return members<T, n + 1>();
    else
        return n;
}

template <class T>
void add(Layout &layout);

// Complex numbers (ompc_complex.h) name the type of their two parts as std::complex does; C's structs have no such member.
template <class T, class = void>
struct PartsOf {
    using Type = void;
};
template <class T>
struct PartsOf<T, std::void_t<typename T::value_type>> {
    using Type = typename T::value_type;
};

template <class T>
void add_scalar(Layout &layout, Kind kind)
{
    const std::size_t at = (layout.element + alignof(T) - 1) / alignof(T) * alignof(T);
    layout.numbers.push_back({at, sizeof(T), kind});
    layout.element = at + sizeof(T);
}

template <class T, std::size_t... I>
void note_members(Layout &layout, std::index_sequence<I...>)
{
    static_cast<void>(T{(static_cast<void>(I), AnyValue<T>{&layout})...}); // from the first to the last
}

// False: where its members are is not known.
template <class T>
bool add_members(Layout &layout)
{
    if constexpr (std::is_aggregate_v<T> && !std::is_union_v<T>) {
        constexpr std::size_t count = members<T>();
        if constexpr (count > 0 && count < most_members) {
            const std::size_t begin = layout.element, before = layout.numbers.size();
            note_members<T>(layout, std::make_index_sequence<count>());
            const bool is_known = (layout.element + alignof(T) - 1) / alignof(T) * alignof(T) == begin + sizeof(T);
            layout.element = is_known ? begin + sizeof(T) : begin;
            if (!is_known)
                layout.numbers.keep(before);
            return is_known;
        }
    }
    return false;
}

template <class T>
void add(Layout &layout)
{
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
        add_scalar<T>(layout, Kind::floating);
    } else if constexpr (std::is_pointer_v<T>) {
        add_scalar<T>(layout, Kind::pointer);
    } else if constexpr (std::is_enum_v<T>) {
        add_scalar<T>(layout, Kind::whole_signed);
    } else if constexpr (std::is_integral_v<T> && sizeof(T) <= sizeof(long long)) {
        add_scalar<T>(layout, std::is_signed_v<T> ? Kind::whole_signed : Kind::whole_unsigned);
    } else if constexpr (!std::is_void_v<typename PartsOf<T>::Type>) {
        add<typename PartsOf<T>::Type>(layout);
        add<typename PartsOf<T>::Type>(layout);
    } else {
        layout.element = (layout.element + alignof(T) - 1) / alignof(T) * alignof(T);
        if (!add_members<T>(layout))
            add_scalar<T>(layout, Kind::bytes);
    }
}

template <class Whole>
template <class T, class>
AnyValue<Whole>::operator T() const
{
    add<std::remove_cv_t<T>>(*noted);
    return T();
}

template <class T>
void add_lengths(Layout &layout)
{
    if constexpr (std::is_array_v<T>) {
        layout.lengths.push_back(std::extent_v<T>);
        add_lengths<std::remove_extent_t<T>>(layout);
    }
}

inline std::size_t unit_of(const Layout &layout)
{
    std::size_t all = layout.element | 8;
    for (const Number &number : layout.numbers)
        all |= number.kind == Kind::bytes ? 1 : number.at | number.bytes;
    return all & (~all + 1);
}

} // namespace layouts

// Of arrays whose elements are of type T for a kernel.
template <class T>
const Layout &layout_of()
{
    static const Layout *const known = [] {
        auto *const made = new Layout; // never destroyed
        layouts::add<std::remove_cv_t<std::remove_all_extents_t<T>>>(*made);
        layouts::add_lengths<T>(*made);
        made->unit = layouts::unit_of(*made);
        return made;
    }();
    return *known;
}

} // namespace ompc

#endif
