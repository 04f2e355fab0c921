// Sums of fractions whose numerator and denominator grow in equal steps, in O(1).
#pragma once

#include <algorithm>
#include <cmath>

#include "../ranking/sort.hpp"

namespace concordant {

// Sum over r = 0 .. terms - 1 of f(r) = r / (z + r), for z >= 16, by the Euler-Maclaurin formula.
//
// With b = terms - 1, and because f(0) = 0, the sum is
//
//     I  +  f(b) / 2  +  sum over k = 1 .. 6 of B_2k / (2k)! (f^(2k-1)(b) - f^(2k-1)(0))  +  R.
//
// I is the integral of f over [0, b], which is z (u - log(1 + u)) with u = b / z. B_2k is a Bernoulli number.
// Because f(r) = 1 - z / (z + r), its odd derivatives are (2k-1)! z / (z + r)^(2k), and a term of the sum is
//
//     B_2k / (2k) (z / (z + b)^(2k) - z / z^(2k)).
//
// The even derivatives of f are negative for r >= 0. So R has the sign of the first term left out, k = 7, and
// is not larger; with B_14 / 14 = 1/12,
//
//     |R| <= (z^-13 - z (z + b)^-14) / 12 < z^-13 / 12 <= 1.9e-17 for z >= 16, and 9.6e-20 for z >= 24.
//
// The sum is at least 1 / (z + 1). So R is below 1.8e-16 of it for z >= 16, and below 1.1e-18 of it for
// z >= 24, which is what sum_of_slots asks for. The bounds were compared with sums in 50 digits, for 2 to
// 1000 terms. Rounding is the larger error: u - log(1 + u) loses two digits for u just above 0.01, where the
// computed sum differs by up to 2e-14 of itself.
inline double sum_of_shares(double terms, double z) {
    if (std::isinf(z)) return 0;
    const double last = terms - 1, end = z + last, u = last / z;
    // Where u - log(1 + u) would cancel, its series; the terms left out are below u^10 / 6 < 1e-20 of it.
    double integral;
    if (u < 0.01) {
        double power = u * u;
        integral = power / 2;
        for (int k = 3; k < 12; ++k) {
            power *= -u;
            integral += power / k;
        }
        integral *= z;
    } else {
        integral = z * (u - std::log1p(u));
    }
    constexpr double bernoulli_over_2k[] = {1.0 / 12,   -1.0 / 120, 1.0 / 252,
                                            -1.0 / 240, 1.0 / 132,  -691.0 / 32760};
    double correction = 0, at_start = z, at_end = z;
    for (const double each : bernoulli_over_2k) {
        at_start /= z * z;
        at_end /= end * end;
        correction += each * (at_end - at_start);
    }
    return integral + last / end / 2 + correction;
}

// Sum over slots k = 0 .. slots - 1 of (signed_gap + k signed_step) / (mass + k mass_step), slots without
// mass left out; also counts the slots that have mass.
//
// The first 24 terms are added one by one. With a and m the numerator and denominator of slot 24, s and t
// their steps, and z = m / t, which is at least 24 because the mass of slot 0 is not negative, each of the
// others is
//
//     (a + r s) / (m + r t) = a / m + (s - a t / m) / t * r / (z + r),    r = 0, 1, ...
inline double sum_of_slots(double signed_gap, double signed_step, double mass, double mass_step, Index slots,
                           double& counted) {
    constexpr Index one_by_one = 24;
    Index first = mass > 0 ? 0 : 1;
    if (mass_step == 0) {
        if (mass == 0) return 0;
        counted += slots;
        return slots * (signed_gap / mass);
    }
    counted += slots - first;
    double total = 0;
    for (; first < std::min(slots, one_by_one); ++first) {
        total += (signed_gap + first * signed_step) / (mass + first * mass_step);
    }
    if (first < slots) {
        const double a = signed_gap + first * signed_step, m = mass + first * mass_step;
        const double terms = slots - first;
        total += terms * (a / m) +
                 (signed_step - a * (mass_step / m)) / mass_step * sum_of_shares(terms, m / mass_step);
    }
    return total;
}

}  // namespace concordant
