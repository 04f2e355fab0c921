// What the core returns for a pair of rankings, and the Kendall and AP part of it: from the counts of each item to sums.
//
// Every sum runs over groups of items that share a denominator, and adds integers within a group before it divides.
// So the order of tied items cannot show in the last bit, and a ranking compared with itself gives whole numbers.
#pragma once

#include <array>
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
    PositionSets<1> set;
    PositionSets<2> two_sets;
    std::array<Buffer<Index>, 4> above, tied;  // by Among
    Buffer<Index> place, extra, by_x;
    Buffer<Index> canonical_x, walk;
    Buffer<double> real_a, real_b;
};

// The items that an item's counts look at: those above it in y, those not below it in y (itself included), and the same
// by the exact ties of y, where a threshold makes others.
enum Among : std::size_t { front, back, exact_front, exact_back };

// How many of them are above the item in x (of the front: the concordant), and how many tied with it in x. In the order
// of y; null where not asked or, for ties, where there are none.
struct Counts {
    const Index* above = nullptr;
    const Index* ties = nullptr;

    Index tied(Index k) const { return ties ? ties[k] : 0; }
};

struct PairCounts {
    const Index* place = nullptr;  // position in x of the item at each position of y
    std::array<Counts, 4> among;   // by Among
};

inline const Index* gather_places(const Ranking& x, const Ranking& y, PairMemory& memory) {
    Index* place = memory.place.reserve(y.size);
    for (Index k = 0; k < y.size; ++k) place[k] = x.position.data()[y.order.data()[k]];
    return place;
}

// Counts among the front, and among `others` (as bits); two questions to a walk.
inline void count(const Windows& x, const Windows& y, const Windows& exact_y, Index size, unsigned others, bool ties,
                  PairMemory& memory, PairCounts& out) {
    const auto question = [&](Among which) {
        const bool exact = which == exact_front || which == exact_back;
        const bool itself = which == back || which == exact_back;
        Question asked{exact ? &exact_y : &y, itself ? &Window::last : &Window::first, nullptr, nullptr};
        if (!exact) asked.above = memory.above[which].reserve(size);
        if (ties && (x.ties || itself)) asked.tied = memory.tied[which].reserve(size);
        out.among[which] = {asked.above, asked.tied};
        return asked;
    };
    if (others == 0) sweep<1>({question(front)}, out.place, x, size, memory.set);
    bool front_asked = others == 0;
    for (const Among which : {back, exact_front, exact_back}) {
        if ((others >> which & 1) == 0) continue;
        if (front_asked) {
            sweep<1>({question(which)}, out.place, x, size, memory.set);
        } else {
            sweep<2>({question(front), question(which)}, out.place, x, size, memory.two_sets);
        }
        front_asked = true;
    }
}

// tau_ap_a: a group of items tied with exactly the same items ("stepping") shares its positions: each member is
// compared with all above the group, at the mean of 1 / (items above) over the places of the group.
inline double sum_stepped(const Windows& y, Index size, const Counts& counts) {
    const Window* at = y.at.data();
    Sum sum;
    for (Index start = 0; start < size;) {
        Index k = start;
        std::int64_t net = 0;
        for (; k < size && at[k].first == at[start].first && at[k].last == at[start].last; ++k) {
            net += 2 * std::int64_t{counts.above[k]} + counts.tied(k) - at[k].first;
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

// What sum_equal looks at beside the front where pairs are tied on both sides, as bits.
inline unsigned needed_for_equal(const Windows& x, const Windows& y, const Windows& exact_y) {
    if (!x.ties || !y.ties) return 0;
    if (y.threshold == 0.0) return 1U << back;
    return 1U << exact_front | (exact_y.ties ? 1U << exact_back : 0);
}

inline double sum_equal(const Windows& y, const Windows& exact_y, Index size, const PairCounts& counts) {
    // Of the items tied with k in x: those above k in y and those not below, by the exact order of y. The ones above
    // that are so within the threshold agree with k by being tied in both.
    const Counts& beyond = counts.among[front];
    const Counts& above = counts.among[y.threshold == 0.0 ? front : exact_front];
    const Counts& not_below = counts.among[y.threshold == 0.0 ? back : exact_back];
    const bool tied_in_both = above.ties != nullptr;
    const bool groups = not_below.ties != nullptr;
    return sum_equal(
        exact_y, size,
        [=](Index k) {
            return std::int64_t{beyond.above[k]} + (tied_in_both ? above.tied(k) - beyond.tied(k) : 0);
        },
        [=](Index k) { return groups ? std::int64_t{not_below.tied(k)} - above.tied(k) - 1 : 0; });
}

// The Kendall and AP sums.
inline void ordinal_sums(const Ranking& x, const Ranking& y, const Windows& wx, const Windows& wy, unsigned need,
                         PairMemory& memory, Sums& sums) {
    const Index size = x.size;
    const Windows& exact_y = need & need_equal ? y.exact_windows() : wy;
    unsigned others = 0;
    if (need & need_equal) others |= needed_for_equal(wx, wy, exact_y);
    if (need & need_net_x && wy.ties) others |= 1U << back;
    const bool ties = need & (need_counts | need_net_y | need_stepped | need_equal);
    PairCounts counts;
    counts.place = gather_places(x, y, memory);
    count(wx, wy, exact_y, size, others, ties, memory, counts);
    const Counts& ahead = counts.among[front];
    const Index* concordant = ahead.above;

    if (need & need_counts) {
        for (Index k = 0; k < size; ++k) {
            sums.concordant += concordant[k];
            sums.discordant += wy.at.data()[k].first - concordant[k] - ahead.tied(k);
        }
    }
    if (need & need_sign_y) {
        sums.sign_y = sum_over_above(
            wy, size, [=](Index k, std::int64_t above) { return 2 * std::int64_t{concordant[k]} - above; });
    }
    if (need & need_net_y) {
        sums.net_y = sum_over_above(wy, size, [=](Index k, std::int64_t above) {
            return 2 * std::int64_t{concordant[k]} + ahead.tied(k) - above;
        });
    }
    if (need & need_stepped) sums.stepped = sum_stepped(wy, size, ahead);
    if (need & need_equal) sums.equal = sum_equal(wy, exact_y, size, counts);
    if (need & need_sign_x) {
        Index* by_x = memory.by_x.reserve(size);
        for (Index k = 0; k < size; ++k) by_x[counts.place[k]] = concordant[k];
        sums.sign_x = sum_over_above(
            wx, size, [=](Index k, std::int64_t above) { return 2 * std::int64_t{by_x[k]} - above; });
    }
    if (need & need_net_x) {
        // Walking down x, the discordant items are those above in x that are below in y: all above in x, less those
        // not below in y.
        const Index* above_back = wy.ties ? counts.among[back].above : concordant;
        Index* by_x = memory.by_x.reserve(size);
        for (Index k = 0; k < size; ++k) by_x[counts.place[k]] = concordant[k] + above_back[k];
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
    count(wx, wy, wy, size, 1U << back, true, memory, counts);
    const Counts& ahead = counts.among[front];
    const Counts& not_after = counts.among[back];
    for (Index k = 0; k < size; ++k) {
        const Index item = y.order.data()[k];
        const std::int64_t above_y = wy.at.data()[k].first;
        const std::int64_t concordant = ahead.above[k], tied_x = ahead.tied(k);
        out.above_x[item] = wx.at.data()[counts.place[k]].first;
        out.above_y[item] = above_y;
        out.concordant[item] = concordant;
        out.discordant[item] = above_y - concordant - tied_x;
        out.tied_x[item] = tied_x;
        out.tied_y[item] = not_after.above[k] - concordant;
        out.tied_both[item] = not_after.tied(k) - tied_x - 1;
    }
}

}  // namespace concordant
