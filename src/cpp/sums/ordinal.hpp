// The sums that only look at the order of the items: pairs, and AP correlation in several forms. They are
// made from the counts of each item.
//
// Every sum runs over groups of items that share a denominator, and adds integers within a group before it
// divides. So the order of tied items cannot change the last bit, and a ranking compared with itself gives
// whole numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "../buffer.hpp"
#include "../fields.hpp"
#include "../ranking/ranking.hpp"
#include "../sweep/among.hpp"
#include "accumulate.hpp"

namespace concordant {

struct OrdinalScratch {
    Buffer<Index> place;  // position in x of the item at each position of y
    AmongScratch among;
    Buffer<Index> concordant_by_x;  // by position in x: concordant items above in y
    Buffer<Index> broken;           // the positions of y, items tied there from best to worst in x
    Buffer<Index> next_of_group;    // by the first position of a group of y: where its next item goes
    Buffer<Index> agreeing_by_x;    // the same, plus the items above in x that are not below in y
};

// Sum over positions of value / (positions above), one division for each group of positions with the same
// items above.
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

// Sum of 1 / place over the places from start (> 0) to end. Four sums take turns, because each addition waits
// for the one before it. Two neighbours need one division, while their product is exact.
inline double sum_of_inverses(Index start, Index end) {
    constexpr Index n_turns = 4, exact_products = Index{1} << 26;
    std::array<Sum, n_turns> turns;
    Index place = start;
    for (; end <= exact_products && end - place >= 2 * n_turns; place += 2 * n_turns) {
        for (Index k = 0; k < n_turns; ++k) {
            const double first = place + 2 * k;
            turns[k].add((2 * first + 1) / (first * (first + 1)));
        }
    }
    for (; end - place >= n_turns; place += n_turns) {
        for (Index k = 0; k < n_turns; ++k) turns[k].add(1.0 / (place + k));
    }
    for (; place < end; ++place) turns[0].add(1.0 / place);
    Sum all;
    for (const Sum& each : turns) all.add(each.value());
    return all.value();
}

// AP correlation with mean weights within groups: items that are tied with exactly the same items share their
// places. Each member of such a group is compared with all items above the group, and weighs the mean of 1 /
// (items above) over the places of the group.
// This adds the term of a group at [start, end), whose agreements less disagreements are `net`.
inline void add_stepped(Sum& sum, std::int64_t net, Index start, Index end) {
    if (start > 0 && end == start + 1) {
        sum.add(static_cast<double>(net) / start);
    } else if (start > 0) {
        sum.add(static_cast<double>(net) * sum_of_inverses(start, end) / (end - start));
    }
}

inline double sum_stepped(const Windows& y, Index size, const AmongCounts& counts) {
    const Window* at = y.at.data();
    Sum sum;
    for (Index start = 0; start < size;) {
        Index k = start;
        std::int64_t net = 0;
        for (; k < size && at[k].first == at[start].first && at[k].last == at[start].last; ++k) {
            net += 2 * std::int64_t{counts.above[k]} + counts.tied(k) - at[k].first;
        }
        add_stepped(sum, net, start, k);
        start = k;
    }
    return sum.value();
}

// AP correlation whose ties are equality: the mean over the orders of items with equal y. In slot s = 0, 1,
// ... of a group of t items, an item meets the q items above the group and s of its t - 1 others in the
// group. Let a be the number of agreements with items above, g that of agreements within the group, both
// summed over the group. Then the expected sum for slot s over the items, each of which is in it with
// probability 1 / t, is
//
//     (2 (a + g' s) - t (q + s)) / (q + s) / t  =  ((2 g' - t) + 2 (a - g' q) / (q + s)) / t,
// where g' = g / (t - 1).
// This adds the terms of the group at [start, end).
inline void add_slots(Sum& sum, std::int64_t a, std::int64_t g, Index start, Index end) {
    const Index group = end - start;
    if (group == 1) {
        if (start > 0) sum.add(static_cast<double>(2 * a - start) / start);
        return;
    }
    const double g_each = static_cast<double>(g) / (group - 1);
    const Index first = std::max<Index>(start, 1);
    sum.add(((end - first) * (2 * g_each - group) +
             2 * (static_cast<double>(a) - g_each * start) * sum_of_inverses(first, end)) /
            group);
}

template <class Agree, class AgreeWithin>
double sum_over_slots(const Windows& exact, Index size, Agree agree, AgreeWithin agree_within) {
    Sum sum;
    for (Index start = 0; start < size;) {
        const Index end = exact.at.data()[start].last;
        std::int64_t a = 0, g = 0;
        for (Index k = start; k < end; ++k) {
            a += agree(k);
            g += agree_within(k);
        }
        add_slots(sum, a, g, start, end);
        start = end;
    }
    return sum.value();
}

// The sets beside the front that sum_equal looks at where pairs are tied on both sides, as bits.
inline unsigned needed_for_equal(const Windows& x, const Windows& y, const Windows& exact_y) {
    if (!x.ties || !y.ties) return 0;
    if (y.threshold == 0.0) return 1U << back;
    return 1U << exact_front | (exact_y.ties ? 1U << exact_back : 0);
}

inline double sum_equal(const Windows& y, const Windows& exact_y, Index size,
                        const std::array<AmongCounts, 4>& counts) {
    // Of the items tied with k in x: those above k in y and those not below, by the exact order of y. Items
    // that are above only within the threshold agree with k, because they are tied in both rankings.
    const AmongCounts& beyond = counts[front];
    const AmongCounts& above = counts[y.threshold == 0.0 ? front : exact_front];
    const AmongCounts& not_below = counts[y.threshold == 0.0 ? back : exact_back];
    const bool tied_in_both = above.ties != nullptr;
    const bool groups = not_below.ties != nullptr;
    return sum_over_slots(
        exact_y, size,
        [=](Index k) {
            return std::int64_t{beyond.above[k]} + (tied_in_both ? above.tied(k) - beyond.tied(k) : 0);
        },
        [=](Index k) { return groups ? std::int64_t{not_below.tied(k)} - above.tied(k) - 1 : 0; });
}

// AP correlation, its largest and smallest value over all ways of breaking ties. It is largest where ties of
// x are broken as y has them and ties of y as x has them: of two neighbours in a group of y, it gains to have
// the one that is better in x first. Then the items of a group that come before an item agree with it, and of
// the items above the group only the discordant ones do not. It is smallest where each is broken against the
// other: the items of a group that come before an item do not agree with it, and of the items above the group
// only the concordant ones do. Items tied in both have the same counts, so their order does not matter.
inline void sum_broken(const RankingPair& pair, const AmongCounts& counts, OrdinalScratch& scratch,
                       Sums& sums) {
    const Window* at = pair.ties_y.at.data();
    const Index size = pair.size();
    Index* by_x = scratch.broken.reserve(size);
    with_pauses(size, [=](std::size_t k) { by_x[k] = static_cast<Index>(k); });
    if (pair.ties_y.ties) {
        // Down x, each item takes the next free place of its group of y.
        const Index *order = pair.x.order.data(), *position = pair.y.position.data();
        Index* next = scratch.next_of_group.reserve(size);
        with_pauses(size, [=](std::size_t k) { next[k] = static_cast<Index>(k); });
        with_pauses(size, [=](std::size_t k) {
            const Index in_y = position[order[k]];
            by_x[next[at[in_y].first]++] = in_y;
        });
    }
    Sum high, low;
    Pace pace;
    for (Index start = 0; start < size;) {
        const Index end = at[start].last;
        pace.after(end - start);
        for (Index above = std::max<Index>(start, 1); above < end; ++above) {
            const Index best = by_x[above], worst = by_x[start + (end - 1 - above)];
            const std::int64_t discordant = start - counts.above[best] - counts.tied(best);
            high.add(static_cast<double>(above - 2 * discordant) / above);
            low.add(static_cast<double>(2 * std::int64_t{counts.above[worst]} - above) / above);
        }
        start = end;
    }
    sums.broken_for = high.value();
    sums.broken_against = low.value();
}

inline void ordinal_sums(const RankingPair& pair, Need need, OrdinalScratch& scratch, Sums& sums) {
    const Index size = pair.size();
    const Windows& wx = pair.ties_x;
    const Windows& wy = pair.ties_y;
    const Windows& exact_y = need & need_equal ? pair.y.exact_windows() : wy;
    unsigned others = 0;
    if (need & need_equal) others |= needed_for_equal(wx, wy, exact_y);
    if (need & need_net_x && wy.ties) others |= 1U << back;
    const bool ties = need & (need_counts | need_net_y | need_stepped | need_equal | need_broken);
    const Index* place = gather_places(pair.x, pair.y, scratch.place);
    const std::array<AmongCounts, 4> counts = count_among(pair, exact_y, place, others, ties, scratch.among);
    const AmongCounts& ahead = counts[front];
    const Index* concordant = ahead.above;

    if (need & need_counts) {
        std::int64_t tied = 0;
        for (Index k = 0; k < size; ++k) sums.concordant += concordant[k];
        for (Index k = 0; ahead.ties && k < size; ++k) tied += ahead.ties[k];
        sums.discordant = static_cast<std::int64_t>(wy.untied) - sums.concordant - tied;
    }
    checkpoint_if_long(size);
    if (need & need_sign_y) {
        sums.sign_y = sum_over_above(
            wy, size, [=](Index k, std::int64_t above) { return 2 * std::int64_t{concordant[k]} - above; });
    }
    if (need & need_net_y) {
        sums.net_y = sum_over_above(wy, size, [=](Index k, std::int64_t above) {
            return 2 * std::int64_t{concordant[k]} + ahead.tied(k) - above;
        });
    }
    checkpoint_if_long(size);
    if (need & need_stepped) sums.stepped = sum_stepped(wy, size, ahead);
    if (need & need_equal) sums.equal = sum_equal(wy, exact_y, size, counts);
    if (need & need_broken) sum_broken(pair, ahead, scratch, sums);
    if (need & need_sign_x) {
        Index* by_x = scratch.concordant_by_x.reserve(size);
        with_pauses(size, [=](std::size_t k) { by_x[place[k]] = concordant[k]; });
        sums.sign_x = sum_over_above(
            wx, size, [=](Index k, std::int64_t above) { return 2 * std::int64_t{by_x[k]} - above; });
    }
    if (need & need_net_x) {
        // Walking down x, the discordant items are those above in x that are below in y: all above in x, less
        // those not below in y.
        const Index* not_below = wy.ties ? counts[back].above : concordant;
        Index* by_x = scratch.agreeing_by_x.reserve(size);
        with_pauses(size, [=](std::size_t k) { by_x[place[k]] = concordant[k] + not_below[k]; });
        sums.net_x = sum_over_above(
            wx, size, [=](Index k, std::int64_t above) { return std::int64_t{by_x[k]} - above; });
    }
}

}  // namespace concordant
