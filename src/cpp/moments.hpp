// The moments of Pearson's r, and of Spearman's rho, which is r of the mid-ranks.
#pragma once

#include <algorithm>
#include <cmath>

#include "accumulate.hpp"
#include "sums.hpp"

namespace concordant {

// Write the scores less their mean, times a power of two that keeps squares within range, to out[0, size).
inline void centre(const Ranking& ranking, double* out) {
    const Index size = ranking.size;
    const auto [low, high] = std::minmax_element(ranking.values, ranking.values + size);
    const double factor = factor_against_overflow(std::max(std::abs(*low), std::abs(*high)));
    // Relative to the smallest first: exact where the scores share a large offset.
    const double least = *low * factor, range = *high * factor - least;
    const double scale = power_of_two_near_inverse(range);
    for (Index i = 0; i < size; ++i) out[i] = (ranking.values[i] * factor - least) * scale;
    const double mean = order_free_sum(size, [out](std::size_t i) { return out[i]; }) / size;
    for (Index i = 0; i < size; ++i) out[i] = range > 0 ? out[i] - mean : 0.0;
}

inline void moment_sums(const Ranking& x, const Ranking& y, PairMemory& memory, Sums& sums) {
    double* dx = memory.real_a.reserve(x.size);
    double* dy = memory.real_b.reserve(x.size);
    centre(x, dx);
    centre(y, dy);
    sums.moment_xx = order_free_sum(x.size, [=](std::size_t i) { return dx[i] * dx[i]; });
    sums.moment_yy = order_free_sum(x.size, [=](std::size_t i) { return dy[i] * dy[i]; });
    sums.moment_xy = order_free_sum(x.size, [=](std::size_t i) { return dx[i] * dy[i]; });
}

// Twice the mid-rank of the positions [first, last), less twice the mean rank: an integer.
inline std::int64_t centred_midrank(const Windows& windows, Index position, Index size) {
    const Window window = windows.ties ? windows.at.data()[position] : Window{position, position + 1};
    return std::int64_t{window.first} + window.last - size;
}

inline void midrank_sums(const Ranking& x, const Ranking& y, const Windows& wx, const Windows& wy, Sums& sums) {
    WideSum xx, yy, xy;
    for (Index k = 0; k < x.size; ++k) {
        const std::int64_t ry = centred_midrank(wy, k, x.size);
        const std::int64_t rx = centred_midrank(wx, x.position.data()[y.order.data()[k]], x.size);
        xx.add(rx * rx);
        yy.add(ry * ry);
        xy.add(rx * ry);
    }
    sums.midrank_xx = xx.value();
    sums.midrank_yy = yy.value();
    sums.midrank_xy = xy.value();
}

}  // namespace concordant
