// Sums of doubles that lose no digits, and sums that do not depend on the order of the terms.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "../interrupt.hpp"

namespace concordant {

// A sum that carries its rounding error along (Neumaier), so that ten million terms cost no digits.
class Sum {
public:
    void add(double term) {
        const double next = total_ + term;
        const double term_seen = next - total_;
        error_ += (total_ - (next - term_seen)) + (term - term_seen);
        total_ = next;
    }
    double value() const { return total_ + error_; }

private:
    double total_ = 0, error_ = 0;
};

// A number in twice the precision, as the unevaluated sum of two doubles (Dekker 1971).
struct DoubleDouble {
    double high = 0, low = 0;

    static DoubleDouble sum(double a, double b) {
        const double high = a + b, seen = high - a;
        return {high, (a - (high - seen)) + (b - seen)};
    }
    static DoubleDouble difference(double a, double b) { return sum(a, -b); }
    static DoubleDouble product(double a, double b) {
        const DoubleDouble x = halves(a), y = halves(b);
        const double high = a * b;
        return {high, ((x.high * y.high - high) + x.high * y.low + x.low * y.high) + x.low * y.low};
    }
    double value() const { return high + low; }

    friend DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
        const DoubleDouble s = sum(a.high, b.high);
        return sum(s.high, s.low + (a.low + b.low));
    }
    friend DoubleDouble operator-(DoubleDouble a, DoubleDouble b) {
        return a + DoubleDouble{-b.high, -b.low};
    }
    friend DoubleDouble operator*(DoubleDouble a, double b) {
        const DoubleDouble p = product(a.high, b);
        return sum(p.high, p.low + a.low * b);
    }

private:
    static DoubleDouble halves(double a) {  // of 26 bits each
        const double shifted = a * 134217729.0, high = shifted - (shifted - a);
        return {high, a - high};
    }
};

// A sum of products of counts, in two words: exact for 2^31 products below 2^63.
class WideSum {
public:
    void add(std::int64_t term, std::int64_t times = 1) {
        low_ += (term & 0xffffffff) * times;
        high_ += (term >> 32) * times;
    }
    double value() const { return std::ldexp(static_cast<double>(high_), 32) + static_cast<double>(low_); }

private:
    std::int64_t low_ = 0, high_ = 0;
};

// A power of two; multiplying by it scales a range to about 1, exactly.
inline double power_of_two_near_inverse(double range) {
    return range > 0 ? std::ldexp(1.0, std::clamp(-std::ilogb(range), -1000, 1000)) : 1.0;
}

// A power of two that brings scores up to this size to where sums of 2^62 differences of them stay finite,
// and where products with differences of subnormal scores keep all their digits. Scaling down costs the
// smallest scores their digits, so only the largest doubles are scaled down.
inline double factor_into_range(double largest) {
    if (largest > 0x1p980) return 0x1p-50;
    return largest > 0 ? std::ldexp(1.0, std::clamp(930 - std::ilogb(largest), 0, 1023)) : 1.0;
}

// Do scores span so much that their gaps cannot all be added and divided by in one scale?
inline bool spans_too_much(const double* scores, std::size_t size, double largest) {
    return largest > 0x1p860 && std::any_of(scores, scores + size, [](double score) {
               return score != 0 && std::abs(score) < 0x1p-860;
           });
}

// A sum that is the same for every order of its terms. Each term is cut into three slices at fixed powers of
// two, so coarse that adding a slice of all terms is exact (Demmel and Nguyen, "Fast reproducible
// floating-point summation", 2013); what is left is below 2^-60 of the largest term.
template <class Term>
double order_free_sum(std::size_t size, Term term) {
    double largest = 0;
    with_pauses(size, [&](std::size_t i) { largest = std::fmax(largest, std::fabs(term(i))); });
    if (largest == 0) return 0;
    const int bits = static_cast<int>(std::bit_width(size));
    const int exponent = std::ilogb(largest) + 1;
    const double cut_0 = std::ldexp(1.5, exponent + bits);
    const double cut_1 = std::ldexp(cut_0, bits - 52);
    const double cut_2 = std::ldexp(cut_1, bits - 52);
    double sum_0 = 0, sum_1 = 0, sum_2 = 0;
    with_pauses(size, [&](std::size_t i) {
        double rest = term(i);
        double slice = (rest + cut_0) - cut_0;
        sum_0 += slice;
        rest -= slice;
        slice = (rest + cut_1) - cut_1;
        sum_1 += slice;
        rest -= slice;
        sum_2 += (rest + cut_2) - cut_2;
    });
    return (sum_2 + sum_1) + sum_0;
}

}  // namespace concordant
