// Hyperbolic weights (Vigna 2015): the weight of a pair of items of rank i and j is 1 / i + 1 / j, ranks from
// 1.
//
// The weight is a sum over the two items, so the sum over pairs is one over items: each item's weight times
// the number of pairs it is in that count. These numbers are integers, from the same sweeps as everything
// else.
#pragma once

#include <array>
#include <cstdint>

#include "../buffer.hpp"
#include "../fields.hpp"
#include "../interrupt.hpp"
#include "../sweep/among.hpp"
#include "accumulate.hpp"
#include "canonical.hpp"

namespace concordant {

struct HyperbolicScratch {
    CanonicalScratch order;
    AmongScratch among;
    Buffer<double> net_by_x;      // by position in x: concordant less discordant pairs of the item
    Buffer<Index> untied_y_by_x;  // by position in x: pairs of the item that are untied in y
};

inline void hyperbolic_sums(const RankingPair& pair, HyperbolicScratch& scratch, Sums& sums) {
    const Index size = pair.size();
    const Window* ties_x = pair.ties_x.at.data();
    const Window* ties_y = pair.ties_y.at.data();
    const Index* place = canonical_places(pair, scratch.order);
    const AmongCounts ahead = count_among(pair, pair.ties_y, place, 0, true, scratch.among)[front];

    Index* untied_y_by_x = scratch.untied_y_by_x.reserve(size);
    double* net_by_x = scratch.net_by_x.reserve(size);
    Sum net_sum, untied_x_sum, untied_y_sum;
    Pace pace;
    Index group = 0, run = 0, run_end = 0;  // of items with equal y; of those, also with equal x
    for (Index k = 0; k < size; ++k) {
        pace.after(1);
        const Index p = place[k];
        if (k == run_end) {
            group = ties_y[k].first;
            // Few items are tied in both, so a branch on that alone is predicted well.
            run = k;
            do {
                ++run_end;
            } while (run_end < size && (place[run_end] < ties_x[p].last) & (run_end < ties_y[k].last));
        }
        const std::int64_t concordant_above = ahead.above[k], tied_x_above = ahead.tied(k);
        const std::int64_t above_y = group, below_y = size - ties_y[k].last;
        const std::int64_t above_x = ties_x[p].first, below_x = size - ties_x[p].last;
        const std::int64_t discordant_above = above_y - concordant_above - tied_x_above;
        // The items of the group that are above in x come just before the run.
        const std::int64_t discordant_below = above_x - concordant_above - (run - group);
        const std::int64_t tied_x_below = (ties_x[p].last - ties_x[p].first) - tied_x_above - (run_end - run);
        const std::int64_t concordant_below = below_y - discordant_below - tied_x_below;
        const std::int64_t net = concordant_above + concordant_below - discordant_above - discordant_below;
        const double rank = k + 1.0;
        net_sum.add(static_cast<double>(net) / rank);
        untied_x_sum.add(static_cast<double>(above_x + below_x) / rank);
        untied_y_sum.add(static_cast<double>(above_y + below_y) / rank);
        net_by_x[p] = static_cast<double>(net);
        untied_y_by_x[p] = static_cast<Index>(above_y + below_y);
    }
    sums.by_y_net = net_sum.value();
    sums.by_y_untied_x = untied_x_sum.value();
    sums.by_y_untied_y = untied_y_sum.value();
    checkpoint_if_long(size);
    net_sum = untied_x_sum = untied_y_sum = Sum{};
    for (Index p = 0; p < size; ++p) {
        const double rank = p + 1.0;
        net_sum.add(net_by_x[p] / rank);
        untied_x_sum.add((ties_x[p].first + (size - ties_x[p].last)) / rank);
        untied_y_sum.add(untied_y_by_x[p] / rank);
    }
    sums.by_x_net = net_sum.value();
    sums.by_x_untied_x = untied_x_sum.value();
    sums.by_x_untied_y = untied_y_sum.value();
}

}  // namespace concordant
