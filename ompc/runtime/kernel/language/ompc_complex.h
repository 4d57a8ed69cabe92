// ompc_complex.h: C's complex numbers (C11 6.2.5, 6.3.1.6 to 6.3.1.8, Annex G), which CUDA C++ does not have.
//
// Complex<double> has size and alignment of `double _Complex`, with as little of a constructor: what is declared without an initial
// value has none. Both operands of an operator have the same T; a real one stays real, as in gcc: 2.0 * z are two products, and z + 2.0
// leaves the imaginary part alone. Nothing is contracted to FMA (ompc_exact_products.h), so that the bits are the host's.
//
// A quotient has the host's bits as well: libgcc (12 and later) divides doubles as Baudin and Smith do ("A Robust Complex Division in
// Scilab", 2012), after it has moved very small and very large numbers by powers of 2, and floats in double. Products and quotients
// that come out as NaN + NaN i are looked at again: G.5.1 says which of them are infinite, or zero.

#ifndef OMPC_COMPLEX_H
#define OMPC_COMPLEX_H

#include "ompc_cuda.h"
#include "ompc_exact_products.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace ompc {

template <class T>
struct Complex {
    using value_type = T; // of the parts, for ompc_layout.h
    T re, im;

    Complex() = default;
    __host__ __device__ constexpr Complex(T real, T imaginary) : re(real), im(imaginary) {}

    template <class R, class = std::enable_if_t<std::is_arithmetic_v<R>>>
    __host__ __device__ explicit constexpr Complex(R real) : re(static_cast<T>(real)), im(0)
    {
    }
    template <class U>
    __host__ __device__ explicit Complex(Complex<U> z) : re(converted_part<T>(z.re)), im(converted_part<T>(z.im))
    {
    }

    __host__ __device__ explicit constexpr operator bool() const { return re != 0 || im != 0; }
};

// ---- one operand

template <class T>
__host__ __device__ constexpr Complex<T> operator+(Complex<T> z)
{
    return z;
}
template <class T>
__host__ __device__ constexpr Complex<T> operator-(Complex<T> z)
{
    return {-z.re, -z.im};
}
// GNU C's conjugate.
template <class T>
__host__ __device__ constexpr Complex<T> operator~(Complex<T> z)
{
    return {z.re, -z.im};
}

// ---- sums

template <class T>
__host__ __device__ inline Complex<T> operator+(Complex<T> a, Complex<T> b)
{
    return {a.re + b.re, a.im + b.im};
}
template <class T>
__host__ __device__ inline Complex<T> operator+(Complex<T> a, T b)
{
    return {a.re + b, a.im};
}
template <class T>
__host__ __device__ inline Complex<T> operator+(T a, Complex<T> b)
{
    return {a + b.re, b.im};
}
template <class T>
__host__ __device__ inline Complex<T> operator-(Complex<T> a, Complex<T> b)
{
    return {a.re - b.re, a.im - b.im};
}
template <class T>
__host__ __device__ inline Complex<T> operator-(Complex<T> a, T b)
{
    return {a.re - b, a.im};
}
template <class T>
__host__ __device__ inline Complex<T> operator-(T a, Complex<T> b)
{
    return {a - b.re, -b.im};
}

// ---- what G.5.1 says of infinite numbers

// Constants, since device code cannot call the functions of std::numeric_limits.
template <class T>
constexpr T infinite = std::numeric_limits<T>::infinity();
template <class T>
constexpr T largest_finite = std::numeric_limits<T>::max();
template <class T>
constexpr T least_normal = std::numeric_limits<T>::min();

template <class T>
__host__ __device__ inline bool is_nan(T x)
{
    return x != x;
}
template <class T>
__host__ __device__ inline bool is_finite(T x)
{
    return fabs(x) <= largest_finite<T>;
}
template <class T>
__host__ __device__ inline bool is_infinite(T x)
{
    return !is_finite(x) && !is_nan(x);
}
template <class T>
__host__ __device__ inline T with_sign(T magnitude, T sign)
{
    return static_cast<T>(copysign(static_cast<double>(magnitude), static_cast<double>(sign)));
}
// An infinite number in the direction of z, boxed: each part is 1 where it was infinite, and else 0, with its sign.
template <class T>
__host__ __device__ inline Complex<T> boxed(Complex<T> z)
{
    return {with_sign<T>(is_infinite(z.re) ? 1 : 0, z.re), with_sign<T>(is_infinite(z.im) ? 1 : 0, z.im)};
}
// 0 in place of a part that is not a number.
template <class T>
__host__ __device__ inline Complex<T> without_nan(Complex<T> z)
{
    return {is_nan(z.re) ? with_sign<T>(0, z.re) : z.re, is_nan(z.im) ? with_sign<T>(0, z.im) : z.im};
}

template <class T>
__host__ __device__ inline Complex<T> plain_product(Complex<T> a, Complex<T> b)
{
    return {mul(a.re, b.re) - mul(a.im, b.im), mul(a.re, b.im) + mul(a.im, b.re)};
}

// a * b where both parts came out as NaN, which they are unless something is infinite.
template <class T>
__host__ __device__ inline Complex<T> product_again(Complex<T> a, Complex<T> b, Complex<T> product)
{
    bool again = false;
    const bool overflows = is_infinite(mul(a.re, b.re)) || is_infinite(mul(a.im, b.im)) || is_infinite(mul(a.re, b.im)) ||
                           is_infinite(mul(a.im, b.re));
    if (is_infinite(a.re) || is_infinite(a.im)) {
        a = boxed(a), b = without_nan(b);
        again = true;
    }
    if (is_infinite(b.re) || is_infinite(b.im)) {
        b = boxed(b), a = without_nan(a);
        again = true;
    }
    if (!again && overflows) {
        a = without_nan(a), b = without_nan(b);
        again = true;
    }
    if (!again)
        return product;
    const Complex<T> direction = plain_product(a, b);
    return {infinite<T> * direction.re, infinite<T> * direction.im};
}

// The numerators of a / b: a times the conjugate of b.
template <class T>
__host__ __device__ inline Complex<T> numerators(Complex<T> a, Complex<T> b)
{
    return {mul(a.re, b.re) + mul(a.im, b.im), mul(a.im, b.re) - mul(a.re, b.im)};
}

// a / b where both parts came out as NaN.
template <class T>
__host__ __device__ inline Complex<T> quotient_again(Complex<T> a, Complex<T> b, Complex<T> quotient)
{
    if (b.re == 0 && b.im == 0 && (!is_nan(a.re) || !is_nan(a.im))) {
        const T divided = with_sign(infinite<T>, b.re);
        return {divided * a.re, divided * a.im};
    }
    if ((is_infinite(a.re) || is_infinite(a.im)) && is_finite(b.re) && is_finite(b.im)) {
        const Complex<T> direction = numerators(boxed(a), b);
        return {infinite<T> * direction.re, infinite<T> * direction.im};
    }
    if ((is_infinite(b.re) || is_infinite(b.im)) && is_finite(a.re) && is_finite(a.im)) {
        const Complex<T> direction = numerators(a, boxed(b));
        return {0 * direction.re, 0 * direction.im};
    }
    return quotient;
}

// ---- products

template <class T>
__host__ __device__ inline Complex<T> operator*(Complex<T> a, Complex<T> b)
{
    const Complex<T> product = plain_product(a, b);
    return is_nan(product.re) && is_nan(product.im) ? product_again(a, b, product) : product;
}
template <class T>
__host__ __device__ inline Complex<T> operator*(Complex<T> a, T b)
{
    return {mul(a.re, b), mul(a.im, b)};
}
template <class T>
__host__ __device__ inline Complex<T> operator*(T a, Complex<T> b)
{
    return {mul(a, b.re), mul(a, b.im)};
}

// ---- quotients

// v r, where the quotient r = numerator / denominator may have come out as zero: then v is divided first.
__host__ __device__ inline double scaled(double v, double r, double numerator, double denominator)
{
    return fabs(r) > least_normal<double> ? mul(v, r) : mul(numerator, v / denominator);
}

// What both parts of both numbers are multiplied with so that nothing on the way is too large or too small.
__host__ __device__ inline double range_factor(Complex<double> a, double larger)
{
    constexpr double large = largest_finite<double> / 2, least = least_normal<double>;
    constexpr double small = 2.220446049250313e-16, top = large * small; // 2^-52
    const double re = fabs(a.re), im = fabs(a.im), divisor = fabs(larger);
    if (divisor >= large)
        return 0.5;
    const bool is_uneven = (re < least && im < top && divisor < top) || (im < least && re < top && divisor < top);
    return divisor < small || is_uneven ? 1 / small : 1;
}

// Moves the parts into the middle of the range, and divides. What is infinite then, or zero, counts as that.
__host__ __device__ inline Complex<double> plain_quotient(Complex<double> &a, Complex<double> &b)
{
    const bool is_steep = fabs(b.re) < fabs(b.im);
    const double factor = range_factor(a, is_steep ? b.im : b.re);
    a = a * factor, b = b * factor; // powers of 2
    if (is_steep) {
        const double r = b.re / b.im, scale = mul(b.re, r) + b.im;
        return {(scaled(a.re, r, b.re, b.im) + a.im) / scale, (scaled(a.im, r, b.re, b.im) - a.re) / scale};
    }
    const double r = b.im / b.re, scale = mul(b.im, r) + b.re;
    return {(a.re + scaled(a.im, r, b.im, b.re)) / scale, (a.im - scaled(a.re, r, b.im, b.re)) / scale};
}

// In double, where no product of two floats is rounded.
__host__ __device__ inline Complex<float> plain_quotient(const Complex<float> &a, const Complex<float> &b)
{
    const Complex<double> above = numerators(Complex<double>(a), Complex<double>(b)), below(b);
    const double scale = mul(below.re, below.re) + mul(below.im, below.im);
    return {static_cast<float>(above.re / scale), static_cast<float>(above.im / scale)};
}

template <class T>
__host__ __device__ inline Complex<T> operator/(Complex<T> a, Complex<T> b)
{
    const Complex<T> quotient = plain_quotient(a, b);
    return is_nan(quotient.re) && is_nan(quotient.im) ? quotient_again(a, b, quotient) : quotient;
}
template <class T>
__host__ __device__ inline Complex<T> operator/(Complex<T> a, T b)
{
    return {a.re / b, a.im / b};
}
template <class T>
__host__ __device__ inline Complex<T> operator/(T a, Complex<T> b)
{
    return Complex<T>(a, 0) / b;
}

// ---- comparisons

template <class T>
__host__ __device__ constexpr bool operator==(Complex<T> a, Complex<T> b)
{
    return a.re == b.re && a.im == b.im;
}
template <class T>
__host__ __device__ constexpr bool operator!=(Complex<T> a, Complex<T> b)
{
    return !(a == b);
}

// ---- assignments: `z op= v` is computed in the common type of both, and converted back

template <class V, class T>
struct Beside {
    using type = std::conditional_t<std::is_integral_v<V>, T, decltype(T() + V())>; // a real number stays one
    using real = type;
};
template <class U, class T>
struct Beside<Complex<U>, T> {
    using real = decltype(T() + U());
    using type = Complex<real>;
};

#define OMPC_ASSIGNMENT(op)                                                                                            \
    template <class T, class V>                                                                                        \
    __host__ __device__ inline Complex<T> &operator op##=(Complex<T> &z, V v)                                          \
    {                                                                                                                  \
        using In = Beside<V, T>;                                                                                       \
        return z = Complex<T>(Complex<typename In::real>(z) op static_cast<typename In::type>(v));                     \
    }
OMPC_ASSIGNMENT(+)
OMPC_ASSIGNMENT(-)
OMPC_ASSIGNMENT(*)
OMPC_ASSIGNMENT(/)
#undef OMPC_ASSIGNMENT

template <class T>
__host__ __device__ inline Complex<T> &operator++(Complex<T> &z)
{
    return z += 1;
}
template <class T>
__host__ __device__ inline Complex<T> &operator--(Complex<T> &z)
{
    return z -= 1;
}
template <class T>
__host__ __device__ inline Complex<T> operator++(Complex<T> &z, int)
{
    const Complex<T> was = z;
    ++z;
    return was;
}
template <class T>
__host__ __device__ inline Complex<T> operator--(Complex<T> &z, int)
{
    const Complex<T> was = z;
    --z;
    return was;
}

// ---- <complex.h>

template <class T>
__host__ __device__ constexpr T creal(Complex<T> z)
{
    return z.re;
}
template <class T>
__host__ __device__ constexpr T cimag(Complex<T> z)
{
    return z.im;
}
template <class T>
__host__ __device__ constexpr Complex<T> conj(Complex<T> z)
{
    return ~z;
}
template <class T>
__host__ __device__ inline Complex<T> cproj(Complex<T> z)
{
    return is_infinite(z.re) || is_infinite(z.im) ? Complex<T>(infinite<T>, with_sign<T>(0, z.im)) : z;
}
__host__ __device__ inline double cabs(Complex<double> z)
{
    return hypot(z.re, z.im);
}
__host__ __device__ inline float cabs(Complex<float> z)
{
    return hypotf(z.re, z.im);
}
__host__ __device__ inline double carg(Complex<double> z)
{
    return atan2(z.im, z.re);
}
__host__ __device__ inline float carg(Complex<float> z)
{
    return atan2f(z.im, z.re);
}

// exp(z); what G.6.3.1 says of infinite parts, and of those that are not numbers.
__host__ __device__ inline Complex<double> cexp(Complex<double> z)
{
    if (!is_finite(z.im)) {
        if (is_infinite(z.re))
            return z.re > 0 ? Complex<double>(z.re, z.im - z.im) : Complex<double>(0, with_sign(0.0, z.im));
        return {z.im - z.im, z.im - z.im};
    }
    if (z.im == 0)
        return {exp(z.re), z.im};
    if (is_infinite(z.re)) {
        const double size = z.re > 0 ? z.re : 0;
        return {with_sign(size, cos(z.im)), with_sign(size, sin(z.im))};
    }
    const double half = z.re > 700 || z.re < -700 ? z.re / 2 : z.re; // exp(z.re) may be beyond the range, and not its product
    const double size = exp(half), once_more = half == z.re ? 1 : size;
    return {mul(mul(size, cos(z.im)), once_more), mul(mul(size, sin(z.im)), once_more)};
}

// The root with a real part that is not negative; G.6.4.2.
__host__ __device__ inline Complex<double> csqrt(Complex<double> z)
{
    if (is_infinite(z.im))
        return {infinite<double>, z.im};
    if (is_infinite(z.re) && z.re > 0)
        return {z.re, is_nan(z.im) ? z.im : with_sign(0.0, z.im)};
    if (is_infinite(z.re))
        return {is_nan(z.im) ? z.im : 0, with_sign(infinite<double>, z.im)};
    if (is_nan(z.re) || is_nan(z.im))
        return {z.re + z.im, z.re + z.im};
    const double larger = fmax(fabs(z.re), fabs(z.im));
    if (larger == 0)
        return {0, z.im};
    const double factor = larger > 1e300 ? 0x1p-4 : larger < 1e-290 ? 0x1p+108 : 1, back = larger > 1e300 ? 4 : larger < 1e-290 ? 0x1p-54 : 1;
    const Complex<double> w = z * factor;
    const double root = sqrt((fabs(w.re) + hypot(w.re, w.im)) / 2), other = fabs(w.im) / (2 * root);
    return {(w.re >= 0 ? root : other) * back, with_sign((w.re >= 0 ? other : root) * back, z.im)};
}

// In double, where neither the parts of the result nor those on the way are too large or too small.
__host__ __device__ inline Complex<float> cexp(Complex<float> z)
{
    return Complex<float>(cexp(Complex<double>(z)));
}
__host__ __device__ inline Complex<float> csqrt(Complex<float> z)
{
    return Complex<float>(csqrt(Complex<double>(z)));
}

} // namespace ompc

#endif
