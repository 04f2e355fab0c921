// pearson_rank: down x, the cosine between an item's gaps to those above it in x and in y, weighted by its score
// (Gao and Oard 2015, eq. 1).
//
// Running means and centred moments (Welford): sum (x_j - x_i)^2 = M_xx + m (mean_x - x_i)^2, never a difference of large
// sums. Scores are taken relative to those of the best item, which is above every pivot: what this rounds off is small
// against each pivot's own gaps.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "sums.hpp"

namespace concordant {

inline void rank_sums(const Ranking& x, const Ranking& y, const Windows& wx, PairMemory& memory, Sums& sums) {
    const Index size = x.size;
    double* sx = memory.real_a.reserve(size);
    double* sy = memory.real_b.reserve(size);
    for (Index p = 0; p < size; ++p) {
        sx[p] = x.values[x.order.data()[p]];
        sy[p] = y.values[x.order.data()[p]];
    }
    // Items tied in x go by y, so that the order they came in does not show.
    for (Index start = 0; wx.ties && start < size; start = wx.at.data()[start].last) {
        std::sort(sy + start, sy + wx.at.data()[start].last, std::greater<>());
    }
    // Powers of two bring the ranges near 1, so that no square overflows; halves first, so that no difference does.
    const double first_x = sx[0] / 2, first_y = sy[0] / 2;
    double range_x = 0, range_y = 0;
    for (Index p = 0; p < size; ++p) {
        sx[p] = sx[p] / 2 - first_x;
        sy[p] = sy[p] / 2 - first_y;
        range_x = std::max(range_x, std::abs(sx[p]));
        range_y = std::max(range_y, std::abs(sy[p]));
    }
    const double scale_x = power_of_two_near_inverse(range_x), scale_y = power_of_two_near_inverse(range_y);
    for (Index p = 0; p < size; ++p) {
        sx[p] *= scale_x;
        sy[p] *= scale_y;
    }
    const double least = sx[size - 1];
    double mean_x = 0, mean_y = 0, m_xx = 0, m_yy = 0, m_xy = 0;
    Sum cosines, weights;
    for (Index start = 0; start < size;) {
        const Index end = wx.at.data()[start].last;
        const double m = start;
        for (Index p = start; start > 0 && p < end; ++p) {
            const double dx = mean_x - sx[p], dy = mean_y - sy[p];
            const double xx = m_xx + m * dx * dx, yy = m_yy + m * dy * dy, xy = m_xy + m * dx * dy;
            const double cosine = yy > 0 ? std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0) : 0.0;
            const double weight = sx[p] - least;  // min-max scaling, up to a factor that cancels
            cosines.add(weight * cosine);
            weights.add(weight);
        }
        for (Index p = start; p < end; ++p) {
            const double count = p + 1.0;
            const double dx = sx[p] - mean_x, dy = sy[p] - mean_y;
            mean_x += dx / count;
            mean_y += dy / count;
            m_xx += dx * (sx[p] - mean_x);
            m_yy += dy * (sy[p] - mean_y);
            m_xy += dx * (sy[p] - mean_y);
        }
        start = end;
    }
    sums.rank = cosines.value();
    sums.rank_weight = weights.value();
}

}  // namespace concordant
