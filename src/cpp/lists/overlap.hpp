// Rank-biased overlap (Webber, Moffat and Zobel 2010; ties: Corsi and Urbano 2024).
//
// An item whose group has the ranks t .. b contributes c(d) = 0 for d < t, (d - t + 1) / (b - t + 1) for
// t <= d < b, and 1 from b on. The overlap at depth d is X(d) = sum of c_1(d) c_2(d) over the common items.
// At any depth at most one group of each list is being crossed, so that
//
//     X = whole_whole + f_1 f_2 partial_partial + f_1 partial_whole + f_2 whole_partial
//
// with four counts of items and the fractions f of the two groups: O(n). Under Ties::equal a group is one
// item wide: c(d) = 1 from t on.
//
// The sum over depths of (1 - p) p^(d-1) A(d), with A constant from some depth on, is summed by parts:
//
//     A(1) + sum of p^d (A(d + 1) - A(d)),
//
// which is exactly 1 if A is 1 everywhere, and exactly 0 if it is 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../interrupt.hpp"
#include "../sums/accumulate.hpp"
#include "lists.hpp"

namespace concordant {

enum class Ties { average, normalised, equal };  // a, b and w of Corsi and Urbano

struct OverlapBounds {
    double extrapolated = 0, least = 0, most = 0;
};

// p^0, p^1, ..., by multiplication; computed afresh before rounding errors grow. Below 1e-300 it is 0.
class Powers {
public:
    explicit Powers(double p) : p_(p) {}

    double next() {
        const double power = power_;
        ++exponent_;
        power_ = exponent_ % 256 == 0 ? std::pow(p_, static_cast<double>(exponent_)) : power_ * p_;
        if (power_ < 1e-300) power_ = 0;
        return power;
    }

private:
    double p_, power_ = 1;
    std::size_t exponent_ = 0;
};

// A weighted mean of A(1), A(2), ... in the weights (1 - p) p^(d-1), A constant after the last one added.
class GeometricMean {
public:
    // `weight` is p^(d-1).
    void add(double value, double weight) {
        sum_.add(weight * (value - last_));
        last_ = value;
    }
    double value() const { return sum_.value(); }
    double last() const { return last_; }

private:
    Sum sum_;
    double last_ = 0;
};

// The sum of p^d / d over d > length.
inline double logarithmic_tail(double p, std::size_t length) {
    const auto n = static_cast<double>(length);
    if (n * (1 - p) < 1) {  // ln(1 / (1 - p)) less the first terms, which loses no digits here
        Sum sum;
        sum.add(-std::log1p(-p));
        Powers powers(p);
        powers.next();
        for (std::size_t d = 1; d <= length; ++d) sum.add(-powers.next() / static_cast<double>(d));
        return std::max(0.0, sum.value());
    }
    // The incomplete beta function B_p(n + 1, 0) as a continued fraction, by Lentz' method.
    const double a = n + 1, power = std::pow(p, a);
    if (power == 0) return 0;
    constexpr double tiny = 1e-300;
    double c = 1, d = 1 / std::max(tiny, 1 - a * p / (a + 1)), found = d;
    for (double m = 1; m < 1e7; ++m) {
        const double even = -m * m * p / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        found *= d * c;
        const double odd = -(a + m) * (a + m) * p / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        const double factor = d * c;
        found *= factor;
        if (std::abs(factor - 1) < 1e-16) break;
    }
    return power / a * found;
}

// The overlap of two lists, in memory that is reused. Call `start`, then `add` for each common item, then the
// function of the result.
class Overlap {
public:
    void start(const ItemList& x, const ItemList& y, Ties ties) {
        x_ = x;
        y_ = y;
        ties_ = ties;
        tied_ = x.ends != nullptr || y.ends != nullptr;
        common_ = 0;
        longest_ = std::max(x.size, y.size);
        const std::size_t size = longest_ + 2;
        whole_.assign(size, 0);
        if (!tied_ || ties == Ties::equal) return;
        both_partial_.assign(size, 0);
        partial_x_.assign(size, 0);
        partial_y_.assign(size, 0);
    }

    void add(RankRange x, RankRange y) {
        ++common_;
        if (ties_ == Ties::equal) {
            ++whole_[std::max(x.top, y.top)];
            return;
        }
        ++whole_[std::max(x.bottom, y.bottom)];
        if (!tied_) return;
        add_between(both_partial_, std::max(x.top, y.top), std::min(x.bottom, y.bottom));
        add_between(partial_x_, std::max(x.top, y.bottom), x.bottom);
        add_between(partial_y_, std::max(y.top, x.bottom), y.bottom);
    }

    void add_all(const Places& places_of_x) {
        y_.for_each_group([&](RankRange range, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                const RankRange other = places_of_x.of(y_, i);
                if (other.top > 0) add(other, range);
            }
        });
    }

    // Webber et al., eq. 32 (extrapolated), 11 (least) and 23 (most), with the agreements of Corsi and
    // Urbano. Without `bounds` only the first is computed.
    OverlapBounds rank_biased(double p, bool bounds) {
        GeometricMean extrapolated, least, most;
        Powers powers(p);
        bool settled = false;  // the rest is smaller than the last bit
        walk(bounds, [&](std::size_t, OverlapBounds agreement) {
            const double weight = powers.next();
            settled = settled || weight < 1e-20 * extrapolated.value();
            if (!settled) extrapolated.add(agreement.extrapolated, weight);
            if (!bounds) return weight > 0 && !settled;
            least.add(agreement.least, weight);
            most.add(agreement.most, weight);
            return weight > 0;
        });
        if (!bounds) return {extrapolated.value(), 0, 0};
        const auto shared = static_cast<double>(common_);
        const double seen = std::pow(p, static_cast<double>(longest_));
        double low = least.value() - seen * least.last();
        if (common_ > 0) low += (1 - p) / p * shared * logarithmic_tail(p, longest_);
        // As soon as possible both lists hold what the other has: all items of either at depth `all`.
        const std::size_t all = x_.size + y_.size - common_;
        for (std::size_t d = longest_ + 1; d <= all; ++d) {
            const double weight = powers.next();
            if (weight == 0) break;
            most.add(2 - static_cast<double>(all) / static_cast<double>(d), weight);
        }
        return {extrapolated.value(), low, most.value()};
    }

    // X(d) / d for one depth, averaged over all ways of breaking the ties; of short lists, at their end.
    double at(std::size_t depth) {
        const std::size_t last = std::min(depth, longest_);
        double found = 0;
        walk(true, [&](std::size_t d, OverlapBounds agreement) {
            found = agreement.least;
            return d < last;
        });
        return found;
    }

    // Call visit(d, agreement) for d = 1 .. length of the longer list, until it returns false.
    template <class Visit>
    void walk(bool bounds, Visit visit) {
        const bool x_is_longer = x_.size > y_.size;
        const std::size_t shortest = std::min(x_.size, y_.size);
        const bool simple = !tied_ || ties_ == Ties::equal;
        GroupCursor x(x_), y(y_);
        const GroupCursor& longer = x_is_longer ? x : y;
        std::int64_t whole = 0, both = 0, only_x = 0, only_y = 0;
        double at_shortest = 0;
        Pace pace;
        for (std::size_t d = 1; d <= longest_; ++d) {
            pace.after(1);
            x.go_to(d);
            y.go_to(d);
            whole += whole_[d];
            double shared = static_cast<double>(whole);
            if (!simple) {
                both += both_partial_[d];
                only_x += partial_x_[d];
                only_y += partial_y_[d];
                // In this order the sum is the same with x and y exchanged.
                shared =
                    (shared + x.fraction() * y.fraction() * static_cast<double>(both)) +
                    (x.fraction() * static_cast<double>(only_x) + y.fraction() * static_cast<double>(only_y));
            }
            const double depth = static_cast<double>(d);
            const double scale = scale_at(depth, x, y);
            if (d <= shortest) {
                at_shortest = shared / scale;
                if (!visit(d, {at_shortest, at_shortest, at_shortest})) return;
                continue;
            }
            // Beyond the end of the shorter list: items of the longer one that the shorter one lacks.
            const double beyond = depth - static_cast<double>(shortest);
            const double in_both = static_cast<double>(x_is_longer ? only_x : only_y);
            const bool equal = ties_ == Ties::equal;
            const double lacking = (equal ? longer.active() : longer.whole()) - static_cast<double>(whole);
            const double lacking_partial = equal ? 0 : longer.partial() - in_both;
            const double mean = (lacking + longer.fraction() * lacking_partial) / (lacking + lacking_partial);
            OverlapBounds agreement;
            agreement.extrapolated = (shared + beyond * at_shortest * mean) / scale;
            if (bounds) {
                const double taken = std::min(beyond, lacking);
                agreement.least = shared / scale;
                agreement.most = (shared + (taken + longer.fraction() * (beyond - taken))) / scale;
            }
            if (!visit(d, agreement)) return;
        }
    }

private:
    static void add_between(std::vector<std::int32_t>& changes, std::uint32_t from, std::uint32_t to) {
        if (from >= to) return;
        ++changes[from];
        --changes[to];
    }

    // What X is divided by. Beyond its end, a list has one item at each rank.
    double scale_at(double depth, const GroupCursor& x, const GroupCursor& y) const {
        const bool in_x = depth <= static_cast<double>(x_.size), in_y = depth <= static_cast<double>(y_.size);
        if (!tied_ || ties_ == Ties::average) return depth;
        if (ties_ == Ties::equal) return ((in_x ? x.active() : depth) + (in_y ? y.active() : depth)) / 2;
        return std::sqrt((in_x ? x.squares() : depth) * (in_y ? y.squares() : depth));
    }

    ItemList x_, y_;
    Ties ties_ = Ties::average;
    bool tied_ = false;
    std::size_t common_ = 0, longest_ = 0;
    // By depth, the change of a count of common items: whole in both lists, partial in both, ...
    std::vector<std::int32_t> whole_, both_partial_, partial_x_, partial_y_;
};

}  // namespace concordant
