// ompc_compare.h: the device's results beside the host's, number by number (ompc_verify.h).
//
// Integers must be equal. Floating values a and b may differ by tolerance * max(|a|, |b|), or by what rounding makes of the
// largest values of the array: 16 units in the last place of the largest of the host's. What is not a number is equal to what
// is none. Pointers, which no kernel changes, are not compared.

#ifndef OMPC_COMPARE_H
#define OMPC_COMPARE_H

#include "ompc_extent.h"
#include "ompc_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace ompc {

// What a launch may have written of one array, or its results in one variable: the elements from `pointer` on have indices.
struct Written {
    std::string name;
    Address pointer, begin, end;
    const Layout *layout;
    std::vector<char> device; // what the device has made of the bytes from `begin` to `end`
};

// Of one array.
struct Differences {
    unsigned long long count = 0, compared = 0;
    std::string first, worst; // a place and the two values
    double worst_by = 0;      // relative; 0: no floating values differ
};

class Comparison {
public:
    // Negative: what is usual for the type.
    explicit Comparison(double tolerance) : tolerance_(tolerance) {}

    Differences differences(const Written &written) const
    {
        Differences found;
        const Layout &layout = *written.layout;
        const double largest[] = {largest_of<float>(written), largest_of<double>(written)};
        const auto element = static_cast<long long>(layout.element);
        const long long first = rounded_down(static_cast<long long>(written.begin) - static_cast<long long>(written.pointer), element);
        for (long long index = first; ; index++) {
            const Address at = written.pointer + static_cast<Address>(index * element);
            if (static_cast<long long>(at - written.end) >= 0)
                return found;
            for (const Number &number : layout.numbers)
                if (at + number.at >= written.begin && at + number.at + number.bytes <= written.end)
                    compare(written, number, at + number.at, index, largest, found);
        }
    }

private:
    static long long rounded_down(long long a, long long b) { return a / b - (a % b < 0); }

    void compare(const Written &written, const Number &number, Address at, long long index, const double *largest, Differences &found) const
    {
        const char *const device = written.device.data() + (at - written.begin), *const host = reinterpret_cast<const char *>(at);
        if (number.kind == Kind::pointer)
            return;
        found.compared++;
        if (std::memcmp(device, host, number.bytes) == 0)
            return;
        double by = 0;
        if (number.kind == Kind::floating) {
            by = number.bytes == sizeof(float) ? differs<float>(device, host, largest[0]) : differs<double>(device, host, largest[1]);
            if (by == 0)
                return;
        }
        const bool is_worst = by > found.worst_by;
        if (found.count++ != 0 && !is_worst)
            return;
        const std::string place = place_of(written, number, index) + ": the device has " + text_of(number, device) + ", the host " + text_of(number, host);
        if (found.count == 1)
            found.first = place;
        if (is_worst) {
            found.worst = place;
            found.worst_by = by;
        }
    }

    template <class T>
    static T value_at(const char *at)
    {
        T value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }

    // 0: by no more than they may; else relative to the larger one.
    template <class T>
    double differs(const char *device, const char *host, double largest) const
    {
        const double a = value_at<T>(device), b = value_at<T>(host);
        if (a == b || (std::isnan(a) && std::isnan(b)))
            return 0;
        if (!std::isfinite(a) || !std::isfinite(b))
            return std::numeric_limits<double>::infinity();
        const double scale = std::max(std::fabs(a), std::fabs(b)), distance = std::fabs(a / 2 - b / 2) * 2; // no overflow
        const double tolerance = tolerance_ >= 0 ? tolerance_ : sizeof(T) == sizeof(float) ? 1e-4 : 1e-9;
        const double noise = tolerance == 0 ? 0 : 16 * std::numeric_limits<T>::epsilon() * largest;
        return distance <= std::max(tolerance * scale, noise) ? 0 : distance / scale;
    }

    // Of the host's finite values of that type.
    template <class T>
    static double largest_of(const Written &written)
    {
        double largest = 0;
        for (const Number &number : written.layout->numbers) {
            if (number.kind != Kind::floating || number.bytes != sizeof(T))
                continue;
            const Address step = written.layout->element, behind = written.pointer + number.at;
            const Address before = behind > written.begin ? (behind - written.begin) / step * step : 0;
            const Address missing = behind < written.begin ? (written.begin - behind + step - 1) / step * step : 0;
            for (Address at = behind - before + missing; at + sizeof(T) <= written.end; at += step) {
                const double value = std::fabs(static_cast<double>(value_at<T>(reinterpret_cast<const char *>(at))));
                largest = std::isfinite(value) ? std::max(largest, value) : largest;
            }
        }
        return largest;
    }

    // `u[3][5]`; of a variable its name; of a struct with the byte at which the member stands.
    static std::string place_of(const Written &written, const Number &number, long long index)
    {
        const Layout &layout = *written.layout;
        std::string place = written.name;
        const bool is_variable = written.begin == written.pointer && written.end - written.begin == layout.element && layout.lengths.empty();
        if (!is_variable) {
            std::string inner;
            for (std::size_t k = layout.lengths.size(); k-- > 0;) {
                const auto entries = static_cast<long long>(layout.lengths[k]), outside = rounded_down(index, entries);
                inner = "[" + std::to_string(index - outside * entries) + "]" + inner;
                index = outside;
            }
            place += "[" + std::to_string(index) + "]" + inner;
        }
        return layout.numbers.size() == 1 ? place : place + " (byte " + std::to_string(number.at) + " of it)";
    }

    static std::string text_of(const Number &number, const char *at)
    {
        char text[64] = "";
        if (number.kind == Kind::floating && number.bytes == sizeof(float))
            std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value_at<float>(at)));
        else if (number.kind == Kind::floating)
            std::snprintf(text, sizeof text, "%.17g", value_at<double>(at));
        else if (number.kind != Kind::bytes && number.bytes <= sizeof(long long))
            std::snprintf(text, sizeof text, number.kind == Kind::whole_signed ? "%lld" : "%llu", whole(number, at));
        else
            return "other bytes";
        return text;
    }

    static long long whole(const Number &number, const char *at)
    {
        const bool is_negative = number.kind == Kind::whole_signed && (at[number.bytes - 1] & 0x80) != 0;
        long long value = is_negative ? -1 : 0;
        std::memcpy(&value, at, number.bytes);
        return value;
    }

    double tolerance_;
};

} // namespace ompc

#endif
