// What the core returns for a pair of rankings, and the Kendall and AP part of it: from the counts of each item to sums.
//
// Every sum runs over groups of items that share a denominator, and adds integers within a group before it divides.
// So the order of tied items cannot show in the last bit, and a ranking compared with itself gives whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "accumulate.hpp"
#include "buffer.hpp"
#include "ranking.hpp"
#include "sweep.hpp"

namespace concordant {

// What a caller may ask for, as bits. The counts of untied pairs and of pivots come with every answer.
enum Need : unsigned {
    need_counts = 1,        // concordant, discordant
    need_sign_x = 2,   // sum of (2 concordant - above) / above, walking down x
    need_sign_y = 4,   // the same walking down y
    need_net_x = 8,         // sum of (concordant - discordant) / above, walking down x
    need_net_y = 16,        // the same walking down y
    need_stepped = 32,      // sum for tau_ap_a
    need_equal = 64,        // sum for tau_ap_e
    need_gap = 128,         // tau_gap
    need_rank = 256,        // pearson_rank
    need_hyperbolic = 512,  // tau_h
    need_moments = 1024,    // pearson_r
    need_midranks = 2048,   // spearman_rho
};

#define CONCORDANT_COUNTS(F) \
    F(n) F(concordant) F(discordant) F(untied_x) F(untied_y) F(pivots_x) F(pivots_y)
#define CONCORDANT_REALS(F)                                                             \
    F(sign_x) F(sign_y) F(net_x) F(net_y) F(stepped) F(equal)                 \
    F(gap) F(gap_weight) F(rank) F(rank_weight)                                         \
    F(by_x_net) F(by_x_untied_x) F(by_x_untied_y) F(by_y_net) F(by_y_untied_x) F(by_y_untied_y) \
    F(moment_xx) F(moment_yy) F(moment_xy) F(midrank_xx) F(midrank_yy) F(midrank_xy)

struct Sums {
#define CONCORDANT_FIELD(name) std::int64_t name = 0;
    CONCORDANT_COUNTS(CONCORDANT_FIELD)
#undef CONCORDANT_FIELD
#define CONCORDANT_FIELD(name) double name = 0;
    CONCORDANT_REALS(CONCORDANT_FIELD)
#undef CONCORDANT_FIELD
};

// Sum over positions of value / (positions above), one division for each group of positions with the same items above.
template <class Value>
double sum_over_above(const Windows& windows, Index size, Value value) {
    const Window* at = windows.at.data();
    Sum sum;
    for (Index k = windows.top; k < size;) {
        const Index denominator = at[k].first;
        std::int64_t numerator = 0;
        for (; k < size && at[k].first == denominator; ++k) numerator += value(k, denominator);
        sum.add(static_cast<double>(numerator) / denominator);
    }
    return sum.value();
}

// Where the counts of one pair of rankings live while its sums are made.
struct PairMemory {
    PositionSet set;
    Buffer<Index> place, above, not_below, above_later, not_below_later, extra, by_x;
    Buffer<Index> canonical_x, walk;
    Buffer<double> real_a, real_b;
};

// The counts of each item, in the order of y. "Front" counts look at the items above it in y; "back" counts at those
// not below it in y, itself included.
struct PairCounts {
    const Index* place = nullptr;  // position in x of the item at each position of y
    const Index* front_above = nullptr;      // above in y, above in x: concordant
    const Index* front_not_below = nullptr;  // above in y, not below in x
    const Index* back_above = nullptr;       // not below in y, above in x
    const Index* back_not_below = nullptr;   // not below in y, not below in x
};

inline const Index* gather_places(const Ranking& x, const Ranking& y, PairMemory& memory) {
    Index* place = memory.place.reserve(y.size);
    for (Index k = 0; k < y.size; ++k) place[k] = x.position.data()[y.order.data()[k]];
    return place;
}

inline void count_front(const Windows& x, const Windows& y, Index size, bool discordant, PairMemory& memory,
                        PairCounts& out) {
    Index* above = memory.above.reserve(size);
    Index* not_below = discordant && x.ties ? memory.not_below.reserve(size) : nullptr;
    sweep<Enter::above>(out.place, y, x, size, memory.set, above, not_below);
    out.front_above = above;
    out.front_not_below = not_below ? not_below : above;
}

inline void count_back(const Windows& x, const Windows& y, Index size, PairMemory& memory, PairCounts& out) {
    Index* above = memory.above_later.reserve(size);
    Index* not_below = memory.not_below_later.reserve(size);
    sweep<Enter::not_below>(out.place, y, x, size, memory.set, above, not_below);
    out.back_above = above;
    out.back_not_below = not_below;
}

// tau_ap_a: a group of items tied with exactly the same items ("stepping") shares its positions: each member is
// compared with all above the group, at the mean of 1 / (items above) over the places of the group.
inline double sum_stepped(const Windows& y, Index size, const PairCounts& counts) {
    const Window* at = y.at.data();
    Sum sum;
    for (Index start = 0; start < size;) {
        Index k = start;
        std::int64_t net = 0;
        for (; k < size && at[k].first == at[start].first && at[k].last == at[start].last; ++k) {
            net += std::int64_t{counts.front_above[k]} + counts.front_not_below[k] - at[k].first;
        }
        if (start > 0 && k == start + 1) {
            sum.add(static_cast<double>(net) / start);
        } else if (start > 0) {
            Sum weight;
            for (Index place = start; place < k; ++place) weight.add(1.0 / place);
            sum.add(static_cast<double>(net) * weight.value() / (k - start));
        }
        start = k;
    }
    return sum.value();
}

// tau_ap_e: mean over the orders of items with equal y. In slot s of a group of t, an item meets the q items above the
// group, of which it agrees with a, and s - 1 of the group's others, of which it agrees with g in all. The sum is that
// of (2 agreeing - above) / above, over all items of the group at once.
template <class Agree, class AgreeWithin>
double sum_equal(const Windows& exact, Index size, Agree agree, AgreeWithin agree_within) {
    Sum sum;
    for (Index start = 0; start < size;) {
        const Index end = exact.at.data()[start].last;
        std::int64_t a = 0, g = 0;
        for (Index k = start; k < end; ++k) {
            a += agree(k);
            g += agree_within(k);
        }
        const Index group = end - start;
        if (group == 1) {
            if (start > 0) sum.add(static_cast<double>(2 * a - start) / start);
        } else {
            const double g_each = static_cast<double>(g) / (group - 1);
            Sum slots;
            for (Index slot = start == 0; slot < group; ++slot) {
                const double above = start + slot;
                slots.add((2 * (static_cast<double>(a) + g_each * slot) - group * above) / above);
            }
            sum.add(slots.value() / group);
        }
        start = end;
    }
    return sum.value();
}

inline double sum_equal(const Windows& x, const Windows& y, const Windows& exact_y, Index size,
                        const PairCounts& counts, PairMemory& memory) {
    const Index* concordant = counts.front_above;
    if (!x.ties || !y.ties) {  // no pair is tied in both
        return sum_equal(exact_y, size, [=](Index k) { return std::int64_t{concordant[k]}; },
                         [](Index) { return std::int64_t{0}; });
    }
    // Items tied with k in x: among those of y above k beyond the threshold, all those above k, all those not below.
    // Only what lies between the first two, within the threshold, agrees with k by being tied in both.
    Index* tied_above = memory.extra.reserve(size);
    Index* low = memory.above_later.reserve(size);
    Index* high = memory.not_below_later.reserve(size);
    if (y.threshold == 0.0) {  // nothing lies between
        for (Index k = 0; k < size; ++k) tied_above[k] = counts.front_not_below[k] - concordant[k];
    } else {
        sweep<Enter::above>(counts.place, exact_y, x, size, memory.set, low, high);
        for (Index k = 0; k < size; ++k) tied_above[k] = high[k] - low[k];
    }
    sweep<Enter::not_below>(counts.place, exact_y, x, size, memory.set, low, high);
    return sum_equal(
        exact_y, size,
        [=](Index k) {
            const Index tied_beyond = counts.front_not_below[k] - concordant[k];
            return std::int64_t{concordant[k]} + tied_above[k] - tied_beyond;
        },
        [=](Index k) { return std::int64_t{high[k]} - low[k] - tied_above[k] - 1; });
}

// The Kendall and AP sums.
inline void ordinal_sums(const Ranking& x, const Ranking& y, const Windows& wx, const Windows& wy, unsigned need,
                         PairMemory& memory, Sums& sums) {
    const Index size = x.size;
    PairCounts counts;
    counts.place = gather_places(x, y, memory);
    const bool discordant = need & (need_counts | need_net_y | need_stepped | need_equal);
    count_front(wx, wy, size, discordant, memory, counts);
    const Index* concordant = counts.front_above;
    const Index* not_below = counts.front_not_below;

    if (need & need_counts) {
        for (Index k = 0; k < size; ++k) {
            sums.concordant += concordant[k];
            sums.discordant += wy.at.data()[k].first - not_below[k];
        }
    }
    if (need & need_sign_y) {
        sums.sign_y = sum_over_above(
            wy, size, [=](Index k, std::int64_t above) { return 2 * std::int64_t{concordant[k]} - above; });
    }
    if (need & need_net_y) {
        sums.net_y = sum_over_above(
            wy, size, [=](Index k, std::int64_t above) { return std::int64_t{concordant[k]} + not_below[k] - above; });
    }
    if (need & need_stepped) sums.stepped = sum_stepped(wy, size, counts);
    if (need & need_equal) sums.equal = sum_equal(wx, wy, y.exact_windows(), size, counts, memory);
    if (need & need_sign_x) {
        Index* by_x = memory.by_x.reserve(size);
        for (Index k = 0; k < size; ++k) by_x[counts.place[k]] = concordant[k];
        sums.sign_x = sum_over_above(
            wx, size, [=](Index k, std::int64_t above) { return 2 * std::int64_t{by_x[k]} - above; });
    }
    if (need & need_net_x) {
        // Walking down x, the discordant items are those above in x that are below in y: all above in x, less the
        // back count.
        const Index* back = concordant;
        if (wy.ties) {
            count_back(wx, wy, size, memory, counts);
            back = counts.back_above;
        }
        Index* by_x = memory.by_x.reserve(size);
        for (Index k = 0; k < size; ++k) by_x[counts.place[k]] = concordant[k] + back[k];
        sums.net_x =
            sum_over_above(wx, size, [=](Index k, std::int64_t above) { return std::int64_t{by_x[k]} - above; });
    }
}

// The counts of each item, in the order of the items: what lies above it, and how the other ranking sees that.
struct Profile {
    static constexpr std::size_t n_fields = 7;
    std::int64_t *above_x, *above_y, *concordant, *discordant, *tied_x, *tied_y, *tied_both;
};

inline void pair_profile(const Ranking& x, const Ranking& y, PairMemory& memory, const Profile& out) {
    const Windows& wx = x.windows[0];
    const Windows& wy = y.windows[0];
    const Index size = x.size;
    PairCounts counts;
    counts.place = gather_places(x, y, memory);
    count_front(wx, wy, size, true, memory, counts);
    count_back(wx, wy, size, memory, counts);
    for (Index k = 0; k < size; ++k) {
        const Index item = y.order.data()[k];
        const std::int64_t above_y = wy.at.data()[k].first;
        const std::int64_t concordant = counts.front_above[k];
        const std::int64_t not_below = counts.front_not_below[k];
        out.above_x[item] = wx.at.data()[counts.place[k]].first;
        out.above_y[item] = above_y;
        out.concordant[item] = concordant;
        out.discordant[item] = above_y - not_below;
        out.tied_x[item] = not_below - concordant;
        out.tied_y[item] = counts.back_above[k] - concordant;
        out.tied_both[item] = std::int64_t{counts.back_not_below[k]} - counts.back_above[k] - (not_below - concordant) - 1;
    }
}

}  // namespace concordant
