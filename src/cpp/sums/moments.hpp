// Centred second moments of the scores of two rankings, and of their mid-ranks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../buffer.hpp"
#include "../fields.hpp"
#include "../interrupt.hpp"
#include "../ranking/ranking.hpp"
#include "accumulate.hpp"

namespace concordant {

struct MomentScratch {
    Buffer<double> centred_x, centred_y;  // scores less their mean, up to a factor
};

// Write the scores less their mean, times a power of two that keeps squares within range, to out[0, size).
inline void write_centred(const Ranking& ranking, double* out) {
    const Index size = ranking.size;
    const auto [low, high] = std::minmax_element(ranking.values, ranking.values + size);
    const double factor = factor_into_range(std::max(std::abs(*low), std::abs(*high)));
    // Relative to the smallest first: exact where the scores share a large offset.
    const double least = *low * factor, range = *high * factor - least;
    const double scale = power_of_two_near_inverse(range);
    const double* values = ranking.values;
    with_pauses(size, [=](std::size_t i) { out[i] = (values[i] * factor - least) * scale; });
    const double mean = order_free_sum(size, [out](std::size_t i) { return out[i]; }) / size;
    with_pauses(size, [=](std::size_t i) { out[i] = range > 0 ? out[i] - mean : 0.0; });
}

inline void moment_sums(const RankingPair& pair, MomentScratch& scratch, Sums& sums) {
    const Index size = pair.size();
    double* dx = scratch.centred_x.reserve(size);
    double* dy = scratch.centred_y.reserve(size);
    write_centred(pair.x, dx);
    write_centred(pair.y, dy);
    sums.moment_xx = order_free_sum(size, [=](std::size_t i) { return dx[i] * dx[i]; });
    sums.moment_yy = order_free_sum(size, [=](std::size_t i) { return dy[i] * dy[i]; });
    sums.moment_xy = order_free_sum(size, [=](std::size_t i) { return dx[i] * dy[i]; });
}

// Twice the mid-rank of the positions [first, last), less twice the mean rank: an integer.
inline std::int64_t centred_midrank(const Windows& windows, Index position, Index size) {
    const Window window = windows.ties ? windows.at.data()[position] : Window{position, position + 1};
    return std::int64_t{window.first} + window.last - size;
}

inline void midrank_sums(const RankingPair& pair, Sums& sums) {
    const Index size = pair.size();
    WideSum xx, yy, xy;
    with_pauses(size, [&](std::size_t k) {
        const std::int64_t ry = centred_midrank(pair.ties_y, static_cast<Index>(k), size);
        const Index position_x = pair.x.position.data()[pair.y.order.data()[k]];
        const std::int64_t rx = centred_midrank(pair.ties_x, position_x, size);
        xx.add(rx * rx);
        yy.add(ry * ry);
        xy.add(rx * ry);
    });
    sums.midrank_xx = xx.value();
    sums.midrank_yy = yy.value();
    sums.midrank_xy = xy.value();
}

}  // namespace concordant
