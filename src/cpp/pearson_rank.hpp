// pearson_rank: down x, the cosine between an item's gaps to those above it in x and in y, weighted by its score
// (Gao, Bagdouri and Oard 2016, eq. 1).
//
// Running means and centred moments (Welford): sum (x_j - x_i)^2 = M_xx + m (mean_x - x_i)^2, never a difference of large
// sums. Scores are taken relative to those of the best item, which is above every pivot: what this rounds off is small
// against each pivot's own gaps.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "sums.hpp"

namespace concordant {

// Deviations from the best item, in a unit that grows with them, so that their squares neither overflow nor vanish.
class Deviations {
public:
    explicit Deviations(const double* scores, Index size) : scores_(scores), first_(scores[0]) {
        double largest = 0;
        for (Index p = 0; p < size; ++p) largest = std::max(largest, std::abs(scores[p]));
        factor_ = factor_against_overflow(largest);
        first_ *= factor_;
    }
    // The deviation of position p; if it outgrows the unit, a new unit, and by how much moments shrink with it.
    double at(Index p, double& shrink) {
        const double deviation = scores_[p] * factor_ - first_;
        shrink = 1;
        if (std::abs(deviation) * unit_ > 0x1p200 || (unit_ == 0 && deviation != 0)) {
            const double next = power_of_two_near_inverse(std::abs(deviation));
            shrink = next / (unit_ == 0 ? next : unit_);
            unit_ = next;
        }
        return deviation * unit_;
    }

private:
    const double* scores_;
    double first_, factor_, unit_ = 0;
};

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
    Deviations in_x(sx, size), in_y(sy, size);
    const double weight_factor = factor_against_overflow(std::max(std::abs(sx[0]), std::abs(sx[size - 1])));
    const double least = sx[size - 1] * weight_factor;
    double mean_x = 0, mean_y = 0, m_xx = 0, m_yy = 0, m_xy = 0;
    Sum cosines, weights;
    const auto deviations = [&](Index p) {
        double shrink_x, shrink_y;
        const double dx = in_x.at(p, shrink_x), dy = in_y.at(p, shrink_y);
        mean_x *= shrink_x;
        mean_y *= shrink_y;
        m_xx *= shrink_x * shrink_x;
        m_yy *= shrink_y * shrink_y;
        m_xy *= shrink_x * shrink_y;
        return std::pair{dx, dy};
    };
    const auto compare = [&](Index p, double m, double px, double py) {
        const double dx = mean_x - px, dy = mean_y - py;
        const double xx = m_xx + m * dx * dx, yy = m_yy + m * dy * dy, xy = m_xy + m * dx * dy;
        const double cosine = yy > 0 ? std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0) : 0.0;
        const double weight = sx[p] * weight_factor - least;  // min-max scaling, up to a factor that cancels
        cosines.add(weight * cosine);
        weights.add(weight);
    };
    const auto add = [&](Index p, double px, double py) {
        const double count = p + 1.0;
        const double dx = px - mean_x, dy = py - mean_y;
        mean_x += dx / count;
        mean_y += dy / count;
        m_xx += dx * (px - mean_x);
        m_yy += dy * (py - mean_y);
        m_xy += dx * (py - mean_y);
    };
    for (Index start = 0; start < size;) {
        const Index end = wx.at.data()[start].last;
        if (end == start + 1) {
            const auto [px, py] = deviations(start);
            if (start > 0) compare(start, start, px, py);
            add(start, px, py);
        } else {  // tied items are compared with those above all of them
            for (Index p = start; start > 0 && p < end; ++p) {
                const auto [px, py] = deviations(p);
                compare(p, start, px, py);
            }
            for (Index p = start; p < end; ++p) {
                const auto [px, py] = deviations(p);
                add(p, px, py);
            }
        }
        start = end;
    }
    sums.rank = cosines.value();
    sums.rank_weight = weights.value();
}

}  // namespace concordant
