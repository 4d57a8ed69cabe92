// ompc_std.h (nvrtc): what the device's part of the runtime uses of C++'s library, where there is no library.
//
// NVRTC compiles without the host compiler's headers. This file stands for each of those that kernels include (<type_traits>,
// <limits>, <cstring>, ...): their names are in toolchain/machine/nvrtc.py. What is only declared is used by functions of the host,
// which are read and not compiled.

#ifndef OMPC_STD_H
#define OMPC_STD_H

#define offsetof(type, member) __INTADDR__(&static_cast<type *>(nullptr)->member) // a constant for the compiler's front end

int memcmp(const void *a, const void *b, decltype(sizeof 0) bytes);

#define FLT_EPSILON 1.1920928955078125e-07f
#define FLT_MAX 3.4028234663852886e+38f
#define FLT_MIN 1.1754943508222875e-38f
#define DBL_EPSILON 2.220446049250313e-16
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308

namespace std {

using size_t = decltype(sizeof 0);
using ptrdiff_t = decltype(static_cast<char *>(nullptr) - static_cast<char *>(nullptr));
using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned;
using uint64_t = unsigned long;
using intptr_t = long;
using uintptr_t = unsigned long;

using ::memcpy;

[[noreturn]] void abort();
int atoi(const char *text);
char *getenv(const char *name);

// ---- <type_traits>

template <class T, T v>
struct integral_constant {
    static constexpr T value = v;
    __host__ __device__ constexpr operator T() const { return v; }
};
using true_type = integral_constant<bool, true>;
using false_type = integral_constant<bool, false>;

template <class...>
using void_t = void;

template <bool is_first, class A, class>
struct conditional {
    using type = A;
};
template <class A, class B>
struct conditional<false, A, B> {
    using type = B;
};
template <bool is_first, class A, class B>
using conditional_t = typename conditional<is_first, A, B>::type;

template <bool, class = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> {
    using type = T;
};
template <bool is_so, class T = void>
using enable_if_t = typename enable_if<is_so, T>::type;

template <class T>
struct remove_const {
    using type = T;
};
template <class T>
struct remove_const<const T> {
    using type = T;
};
template <class T>
using remove_const_t = typename remove_const<T>::type;

template <class T>
struct remove_volatile {
    using type = T;
};
template <class T>
struct remove_volatile<volatile T> {
    using type = T;
};
template <class T>
using remove_cv_t = typename remove_volatile<remove_const_t<T>>::type;

template <class T>
struct remove_reference {
    using type = T;
};
template <class T>
struct remove_reference<T &> {
    using type = T;
};
template <class T>
struct remove_reference<T &&> {
    using type = T;
};
template <class T>
using remove_reference_t = typename remove_reference<T>::type;

template <class A, class B>
constexpr bool is_same_v = false;
template <class T>
constexpr bool is_same_v<T, T> = true;

template <class T>
constexpr bool is_const_v = false;
template <class T>
constexpr bool is_const_v<const T> = true;

template <class T>
constexpr bool is_pointer_v = false;
template <class T>
constexpr bool is_pointer_v<T *> = true;

template <class T>
constexpr bool is_class_v = __is_class(T);
template <class T>
constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);

template <class T, class... Others>
constexpr bool is_one_of_v = (is_same_v<T, Others> || ...);
template <class T>
constexpr bool is_floating_point_v = is_one_of_v<remove_cv_t<T>, float, double>;
template <class T>
constexpr bool is_integral_v = is_one_of_v<remove_cv_t<T>, bool, char, signed char, unsigned char, short, unsigned short, int, unsigned,
                                           long, unsigned long, long long, unsigned long long, char16_t, char32_t, wchar_t>;
template <class T>
constexpr bool is_arithmetic_v = is_integral_v<T> || is_floating_point_v<T>;

template <class T, bool = is_arithmetic_v<T>>
constexpr bool is_signed_v = static_cast<T>(-1) < static_cast<T>(0);
template <class T>
constexpr bool is_signed_v<T, false> = false;
template <class T>
constexpr bool is_unsigned_v = is_arithmetic_v<T> && !is_signed_v<T>;

template <class T>
struct make_unsigned {
    static constexpr size_t bytes = sizeof(T);
    using type = conditional_t<bytes == 1, unsigned char,
                               conditional_t<bytes == 2, unsigned short,
                                             conditional_t<bytes == 4, unsigned, conditional_t<is_same_v<remove_cv_t<T>, long>, unsigned long, unsigned long long>>>>;
};
template <>
struct make_unsigned<unsigned long> {
    using type = unsigned long;
};
template <class T>
using make_unsigned_t = typename make_unsigned<T>::type;

template <class T>
T &&declval() noexcept;

template <class... T>
struct common_type;
template <class T>
struct common_type<T> {
    using type = remove_cv_t<remove_reference_t<T>>;
};
template <class A, class B>
struct common_type<A, B> {
    using type = remove_cv_t<remove_reference_t<decltype(false ? declval<A>() : declval<B>())>>;
};
template <class... T>
using common_type_t = typename common_type<T...>::type;

template <class, class F, class... Arguments>
constexpr bool can_be_called = false;
template <class F, class... Arguments>
constexpr bool can_be_called<void_t<decltype(declval<F>()(declval<Arguments>()...))>, F, Arguments...> = true;
template <class F, class... Arguments>
constexpr bool is_invocable_v = can_be_called<void, F, Arguments...>;

// ---- <limits>

template <class T>
struct numeric_limits {
    static constexpr bool is_specialized = is_integral_v<T>, is_signed = is_signed_v<T>, has_infinity = false;
    static constexpr int digits = static_cast<int>(sizeof(T)) * 8 - (is_signed ? 1 : 0);
    static constexpr T min() { return is_signed ? static_cast<T>(make_unsigned_t<T>(1) << (sizeof(T) * 8 - 1)) : static_cast<T>(0); }
    static constexpr T lowest() { return min(); }
    static constexpr T max() { return static_cast<T>(~static_cast<make_unsigned_t<T>>(min())); }
    static constexpr T infinity() { return T(); }
};
template <>
struct numeric_limits<bool> {
    static constexpr bool is_specialized = true, is_signed = false, has_infinity = false;
    static constexpr int digits = 1;
    static constexpr bool min() { return false; }
    static constexpr bool lowest() { return false; }
    static constexpr bool max() { return true; }
    static constexpr bool infinity() { return false; }
};
template <>
struct numeric_limits<float> {
    static constexpr bool is_specialized = true, is_signed = true, has_infinity = true;
    static constexpr int digits = 24;
    static constexpr float min() { return FLT_MIN; }
    static constexpr float lowest() { return -FLT_MAX; }
    static constexpr float max() { return FLT_MAX; }
    static constexpr float infinity() { return __builtin_bit_cast(float, 0x7f800000u); }
    static constexpr float quiet_NaN() { return __builtin_bit_cast(float, 0x7fc00000u); }
};
template <>
struct numeric_limits<double> {
    static constexpr bool is_specialized = true, is_signed = true, has_infinity = true;
    static constexpr int digits = 53;
    static constexpr double min() { return DBL_MIN; }
    static constexpr double lowest() { return -DBL_MAX; }
    static constexpr double max() { return DBL_MAX; }
    static constexpr double infinity() { return __builtin_bit_cast(double, 0x7ff0000000000000ull); }
    static constexpr double quiet_NaN() { return __builtin_bit_cast(double, 0x7ff8000000000000ull); }
};

// ---- <algorithm>

template <class T>
__host__ __device__ constexpr const T &min(const T &a, const T &b)
{
    return b < a ? b : a;
}
template <class T>
__host__ __device__ constexpr const T &max(const T &a, const T &b)
{
    return a < b ? b : a;
}
template <class T>
T min(initializer_list<T> values);
template <class T>
T max(initializer_list<T> values);

} // namespace std

#endif
