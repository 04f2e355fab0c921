// Gap-weighted AP correlation: for every item, the gaps in x to the items above it in y, signed over absolute
// (Gao and Oard 2015, eq. 3). Items with equal y take all their orders, with equal probability.
//
// The sum of the signed gaps to the items passed is the sum of their scores less their number times the
// item's own, in twice the precision. The sum of the gaps to those with larger scores comes from a Fenwick
// tree over blocks of positions in x that holds, for the items passed, their number and the sum of their
// distances to the near end of the node: terms that are never negative. So nothing cancels, for any offset
// and any spread of the scores.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "../buffer.hpp"
#include "../compiler.hpp"
#include "../fenwick.hpp"
#include "../fields.hpp"
#include "../interrupt.hpp"
#include "accumulate.hpp"
#include "canonical.hpp"
#include "slots.hpp"

namespace concordant {

class GapTree {
public:
    // scores[0, size) by position, largest first.
    void clear(const double* scores, std::size_t size) {
        scores_ = scores;
        const std::size_t blocks = (size + block - 1) / block;
        std::fill_n(members_.reserve(blocks), blocks, std::uint32_t{0});
        tree_.resize(blocks);
        for (std::size_t node = 1; node <= blocks; ++node) {
            tree_[node] = {scores[std::min(node * block, size) - 1], 0, 0};
        }
    }
    void insert(std::size_t place) {
        const double score = scores_[place];
        members_.data()[place / block] |= std::uint32_t{1} << (place % block);
        tree_.change(place / block, [score](Node& node, std::size_t) {
            node.distance += score - node.end;
            node.items += 1;
        });
    }
    // Prefetch the memory of the next query.
    CONCORDANT_ALWAYS_INLINE void prefetch(std::size_t place) const {
        concordant::prefetch(scores_ + place / block * block);
        concordant::prefetch(scores_ + place);
        concordant::prefetch(&tree_[place / block]);
    }
    struct Above {
        double gaps, items;
    };
    // The items at positions before `place`, all with scores of at least `score`: the sum of their gaps,
    // their number.
    Above before(std::size_t place, double score) const {
        double gaps = 0, items = 0;
        tree_.visit_before(place / block, [&](const Node& node, std::size_t) {
            gaps += node.distance + node.items * (node.end - score);
            items += node.items;
        });
        const std::size_t start = place / block * block;
        if (place == start) return {gaps, items};
        const std::uint32_t earlier = (std::uint32_t{1} << (place % block)) - 1;
        for (std::uint32_t rest = members_.data()[place / block] & earlier; rest != 0; rest &= rest - 1) {
            gaps += scores_[start + static_cast<std::size_t>(std::countr_zero(rest))] - score;
            items += 1;
        }
        return {gaps, items};
    }

private:
    static constexpr std::size_t block = 16;
    struct Node {
        double end;       // the smallest score of its range
        double distance;  // sum of the distances of its items to that
        double items;
    };

    const double* scores_ = nullptr;
    Buffer<std::uint32_t> members_;  // one bit per position of a block
    Fenwick<Node> tree_;
};

struct GapScratch {
    CanonicalScratch order;
    Buffer<double> scores;  // of x, by position
    Buffer<double> larger;  // by place in a group of equal y: the gaps to the items with larger x
    GapTree tree;
    Buffer<double> turned;  // the scores with their signs changed, from the last position to the first
    GapTree from_below;     // over those
};

// The scores by position, in a scale in which sums of them stay finite.
inline const double* scaled_scores(const Ranking& x, Buffer<double>& memory, bool& lost) {
    const Index* best = x.order.data();
    const double largest = std::max(std::abs(x.values[best[0]]), std::abs(x.values[best[x.size - 1]]));
    const double scale = factor_into_range(largest);
    lost = lost || spans_too_much(x.values, x.size, largest);
    double* scores = memory.reserve(x.size);
    const double* values = x.values;
    with_pauses(x.size, [=](std::size_t p) { scores[p] = values[best[p]] * scale; });
    return scores;
}

// One function, because the loop is 10 % slower when its two parts are functions or lambdas of their own.
//
// With a threshold the gap of a pair that is tied in x counts as 0; y has only the order, and so no
// threshold. The gaps to the items passed that are above and those to the ones below then come from a tree
// each.
template <bool threshold>
void gap_sums(const RankingPair& pair, GapScratch& scratch, Sums& sums) {
    const Index size = pair.size();
    const Window* ties_x = pair.ties_x.at.data();
    const Windows& equal_y = pair.y.exact_windows();
    const Window* ties_y = equal_y.at.data();
    const Index* place = canonical_places({pair.x, pair.y, pair.x.exact_windows(), equal_y}, scratch.order);
    const double* scores = scaled_scores(pair.x, scratch.scores, sums.lost);
    if constexpr (threshold) {
        double* turned = scratch.turned.reserve(size);
        with_pauses(size, [=](std::size_t p) { turned[size - 1 - p] = -scores[p]; });
        scratch.from_below.clear(turned, size);
    }
    Index largest_group = 1;
    for (Index start = 0; equal_y.ties && start < size; start = ties_y[start].last) {
        largest_group = std::max(largest_group, ties_y[start].last - start);
    }
    double* larger = scratch.larger.reserve(largest_group);
    GapTree& tree = scratch.tree;
    tree.clear(scores, size);
    const double origin = scores[place[0]];  // score of the first item passed: no gap to it exceeds the mass
    DoubleDouble passed;                     // sum of the scores passed, relative to the origin
    Sum terms, weights;
    Pace pace;

    for (Index start = 0; start < size;) {
        const Index end = ties_y[start].last;
        const Index group = end - start;
        pace.after(group);
        // The items at [start, end) have equal y and are in the order of x: running sums of the gaps to those
        // before and after.
        larger[0] = 0;
        Index beyond = 0;  // so many items of the group are not tied
        for (Index k = start + 1; k < end; ++k) {
            const double score = scores[place[k]], step = scores[place[k - 1]] - score;
            larger[k - start] = larger[k - start - 1] + (threshold ? beyond : k - start) * step;
            while (threshold && place[start + beyond] < ties_x[place[k]].first) {
                larger[k - start] += scores[place[start + beyond++]] - score;
            }
        }
        double smaller = 0;
        beyond = 0;
        for (Index k = end; k-- > start;) {
            const Index p = place[k];
            const double score = scores[p];
            if (k + 1 < end) {
                smaller += (threshold ? beyond : end - 1 - k) * (score - scores[place[k + 1]]);
            }
            while (threshold && place[end - 1 - beyond] >= ties_x[p].last) {
                smaller += score - scores[place[end - 1 - beyond++]];
            }
            const auto above = tree.before(ties_x[p].first, score);
            double up = above.gaps, down = 0;
            if constexpr (threshold) {
                down = scratch.from_below.before(size - ties_x[p].last, -score).gaps;
            } else {
                // If all items passed are above, or none, the net gap is the exact answer.
                const double net = (passed - DoubleDouble::difference(score, origin) * start).value();
                up = above.items == start ? net : up;
                down = std::max(up - net, 0.0);
            }
            if (group == 1) {
                if (up + down > 0) {
                    terms.add((up - down) / (up + down));
                    weights.add(1);
                }
                continue;
            }
            const double others = group - 1.0;
            double counted = 0;
            const double total = sum_of_slots(up - down, (larger[k - start] - smaller) / others, up + down,
                                              (larger[k - start] + smaller) / others, group, counted);
            terms.add(total / group);
            weights.add(counted / group);
        }
        // From now on these items are above all that follow.
        for (Index k = start; k < end; ++k) {
            if (size - k > 12) {
                tree.prefetch(place[k + 12]);
                prefetch(ties_x + place[k + 12]);
            }
            tree.insert(place[k]);
            if constexpr (threshold) scratch.from_below.insert(size - 1 - place[k]);
            passed = passed + DoubleDouble::difference(scores[place[k]], origin);
        }
        start = end;
    }
    sums.gap = terms.value();
    sums.gap_weight = weights.value();
}

inline void gap_sums(const RankingPair& pair, GapScratch& scratch, Sums& sums) {
    if (pair.ties_x.threshold > 0) return gap_sums<true>(pair, scratch, sums);
    gap_sums<false>(pair, scratch, sums);
}

}  // namespace concordant
