// Cosines of gaps: walk down x, and for each item take the cosine between the vectors of its gaps in x and of
// its gaps in y to the items above it in x, weighted by its score (Gao, Bagdouri and Oard 2016, eq. 1).
//
// Running means and centred moments (Welford) of the m items passed give, for the gaps to item i,
//
//     sum over j of (x_j - x_i)^2 = M_xx + m (mean_x - x_i)^2,
//
// and so on, without differences of large sums. Scores are taken relative to those of the best item, which is
// above every compared item, so that the rounding errors are small compared with the gaps of the item.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "../buffer.hpp"
#include "../compiler.hpp"
#include "../fields.hpp"
#include "../interrupt.hpp"
#include "../ranking/ranking.hpp"
#include "accumulate.hpp"

namespace concordant {

struct RankScratch {
    Buffer<double> scores_x, scores_y;  // by position in x
};

// Deviations from the best item, in a unit that grows with them, so that their squares neither overflow nor
// vanish.
class Deviations {
public:
    Deviations(const double* scores, Index size) : scores_(scores), first_(scores[0]) {
        double largest = 0;
        for (Index p = 0; p < size; ++p) largest = std::max(largest, std::abs(scores[p]));
        factor_ = factor_into_range(largest);
        first_ *= factor_;
        lost = spans_too_much(scores, size, largest);
    }
    bool lost;  // the scores span too much
    double at(Index p) const { return scores_[p] * factor_ - first_; }
    double in_units(double deviation) const { return deviation * unit_; }

    bool outgrows_unit(double deviation) const {
        return std::abs(deviation) * unit_ > 0x1p200 || (unit_ == 0 && deviation != 0);
    }
    // Take a new unit if the deviation outgrows the old one; returns by how much numbers in units shrink.
    double fit_unit(double deviation) {
        if (!outgrows_unit(deviation)) return 1;
        const double next = power_of_two_near_inverse(std::abs(deviation));
        const double shrink = next / (unit_ == 0 ? next : unit_);
        unit_ = next;
        return shrink;
    }

private:
    const double* scores_;
    double first_, factor_, unit_ = 0;
};

// The walk: scores of x and y by position in x.
class CosineWalk {
public:
    CosineWalk(const double* scores_x, const double* scores_y, Index size)
        : scores_x_(scores_x), in_x_(scores_x, size), in_y_(scores_y, size) {
        const double largest = std::max(std::abs(scores_x[0]), std::abs(scores_x[size - 1]));
        weight_factor_ = factor_into_range(largest);
        least_ = scores_x[size - 1] * weight_factor_;
    }

    // Compare the item at position p with the p items above it, then pass it.
    void compare_and_pass(Index p) {
        const Point item = item_at(p);
        if (p > 0) compare(p, p, item);
        add(p, item);
    }
    // Compare the items at [start, end), tied in x, with those above all of them, then pass them. An item
    // that outgrows the units is compared apart: the next one is not compared with it, and needs the units.
    void compare_and_pass_tied(Index start, Index end) {
        for (Index p = start; start > 0 && p < end; ++p) {
            if (in_x_.outgrows_unit(in_x_.at(p)) || in_y_.outgrows_unit(in_y_.at(p))) {
                CosineWalk apart = *this;
                apart.compare(p, start, apart.item_at(p));
                cosines_ = apart.cosines_;
                weights_ = apart.weights_;
            } else {
                compare(p, start, item_at(p));
            }
        }
        for (Index p = start; p < end; ++p) add(p, item_at(p));
    }
    bool lost() const { return in_x_.lost || in_y_.lost; }
    double cosines() const { return cosines_.value(); }
    double weights() const { return weights_.value(); }

private:
    struct Point {
        double x, y;
    };

    // The deviations of an item, in units. Inlined, so that the moments stay in registers.
    CONCORDANT_ALWAYS_INLINE Point item_at(Index p) {
        const double x = in_x_.at(p), y = in_y_.at(p);
        if (in_x_.outgrows_unit(x) || in_y_.outgrows_unit(y)) change_units(x, y);
        return {in_x_.in_units(x), in_y_.in_units(y)};
    }
    // The moments follow their units.
    CONCORDANT_ALWAYS_INLINE void change_units(double x, double y) {
        const double shrink_x = in_x_.fit_unit(x), shrink_y = in_y_.fit_unit(y);
        mean_x_ *= shrink_x;
        mean_y_ *= shrink_y;
        m_xx_ *= shrink_x * shrink_x;
        m_yy_ *= shrink_y * shrink_y;
        m_xy_ *= shrink_x * shrink_y;
    }
    void compare(Index p, double passed, Point item) {
        const double dx = mean_x_ - item.x, dy = mean_y_ - item.y;
        const double xx = m_xx_ + passed * dx * dx;
        const double yy = m_yy_ + passed * dy * dy;
        const double xy = m_xy_ + passed * dx * dy;
        const double cosine = yy > 0 ? std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0) : 0.0;
        // The score scaled to 0 .. 1, up to a factor that cancels.
        const double weight = scores_x_[p] * weight_factor_ - least_;
        cosines_.add(weight * cosine);
        weights_.add(weight);
    }
    void add(Index p, Point item) {
        const double count = p + 1.0;
        const double dx = item.x - mean_x_, dy = item.y - mean_y_;
        mean_x_ += dx / count;
        mean_y_ += dy / count;
        m_xx_ += dx * (item.x - mean_x_);
        m_yy_ += dy * (item.y - mean_y_);
        m_xy_ += dx * (item.y - mean_y_);
    }

    const double* scores_x_;
    Deviations in_x_, in_y_;
    double weight_factor_, least_;
    double mean_x_ = 0, mean_y_ = 0, m_xx_ = 0, m_yy_ = 0, m_xy_ = 0;  // of the items passed
    Sum cosines_, weights_;
};

inline void rank_sums(const RankingPair& pair, RankScratch& scratch, Sums& sums) {
    const Index size = pair.size();
    const Index* best = pair.x.order.data();
    const Window* ties_x = pair.ties_x.at.data();
    double* scores_x = scratch.scores_x.reserve(size);
    double* scores_y = scratch.scores_y.reserve(size);
    const double *values_x = pair.x.values, *values_y = pair.y.values;
    with_pauses(size, [=](std::size_t p) {
        scores_x[p] = values_x[best[p]];
        scores_y[p] = values_y[best[p]];
    });
    // Items tied in x are ordered by y, so that the result does not depend on the order in which they came.
    Pace sorting;
    for (Index start = 0; pair.ties_x.ties && start < size; start = ties_x[start].last) {
        sorting.after(ties_x[start].last - start);
        std::sort(scores_y + start, scores_y + ties_x[start].last, std::greater<>());
    }
    CosineWalk walk(scores_x, scores_y, size);
    sums.lost = sums.lost || walk.lost();
    Pace pace;
    for (Index start = 0; start < size; start = ties_x[start].last) {
        pace.after(ties_x[start].last - start);
        if (ties_x[start].last == start + 1) {
            walk.compare_and_pass(start);
        } else {
            walk.compare_and_pass_tied(start, ties_x[start].last);
        }
    }
    sums.rank = walk.cosines();
    sums.rank_weight = walk.weights();
}

}  // namespace concordant
