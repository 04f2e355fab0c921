// Rounding to 12 significant decimal digits.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace concordant {

// Powers of ten from 1e-12 on; those from 1 to 1e22 are exact.
inline constexpr int least_power = -12, most_power = 22;
inline constexpr std::array<double, most_power - least_power + 1> powers_of_ten = {
    1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1,
    1e0,   1e1,   1e2,   1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12,  1e13,  1e14,  1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Write the rounded value to out. Returns whether it is certain for all values that are up to `error` away:
// the product may have been rounded to the other side of a half, and very large and very small values need
// powers that are not exact.
inline bool round_to_digits(double value, double& out, double error = 0) {
    const double size = std::fabs(value);
    const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(size) >> 52) - 1023;
    // The power of ten at or below the value: first floor(exponent log10(2)), then one more if that fits.
    // 315653 / 2^20 is 1.6e-7 above log10(2); the floor is the same for all exponents from -2000 to 2000
    // (compared one by one with powers in exact arithmetic), and those of doubles are from -1023 to 1024.
    int below = (exponent * 315653) >> 20;
    out = value;
    if (size == 0) return error == 0;
    if (below < least_power + 1 || below > 10) return false;
    below += size >= powers_of_ten[static_cast<std::size_t>(below + 1 - least_power)];
    const double factor = powers_of_ten[static_cast<std::size_t>(11 - below - least_power)];
    const double scaled = value * factor;
    // Adding this leaves no bits for a fraction, so that the sum is rounded to a whole number, ties to even.
    constexpr double whole = 0x1.8p52;
    const double nearest = (scaled + whole) - whole;
    out = nearest / factor;
    // The factor is exact, and the product below 2^40: it is off by 2^-14 at most.
    return std::fabs(std::fabs(scaled - nearest) - 0.5) >= 0x1p-13 + error * factor;
}

}  // namespace concordant
