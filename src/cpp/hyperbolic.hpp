// tau_h: a pair weighs 1 / (1 + rank) of both its items (Vigna 2015).
//
// The weight is a sum over the two items, so the sum over pairs is one over items: each item's weight times the number
// of pairs it is in that count. These numbers are integers, from the same sweeps as everything else.
#pragma once

#include "arrange.hpp"
#include "sums.hpp"

namespace concordant {

inline void hyperbolic_sums(const Ranking& x, const Ranking& y, const Windows& wx, const Windows& wy,
                            PairMemory& memory, Sums& sums) {
    const Index size = x.size;
    const Arrangement order = arrange(x, y, wx, wy, memory);
    PairCounts counts;
    counts.place = order.place;
    const bool ties = wx.ties || wy.ties;
    count(wx, wy, wy, size, ties ? 1U << back : 0, ties, memory, counts);
    const Counts& ahead = counts.among[front];
    const Counts& not_after = counts.among[back];

    // By rank in x: concordant less discordant pairs of the item there, and its pairs untied in x and in y.
    Index* untied_y_by_x = memory.extra.reserve(size);
    double* net_by_x = memory.real_a.reserve(size);
    Sum net_sum, untied_x_sum, untied_y_sum;
    for (Index k = 0; k < size; ++k) {
        const Index p = order.place[k];
        const std::int64_t concordant_above = ahead.above[k], tied_x_above = ahead.tied(k);
        const Window in_x = wx.at.data()[p], in_y = wy.at.data()[k];
        const std::int64_t above_y = in_y.first, below_y = size - in_y.last;
        const std::int64_t above_x = in_x.first, below_x = size - in_x.last;
        const std::int64_t discordant_above = above_y - concordant_above - tied_x_above;
        std::int64_t discordant_below = above_x - concordant_above, tied_x_below = 0;
        if (ties) {
            discordant_below = above_x - not_after.above[k];
            const std::int64_t tied_both = not_after.tied(k) - tied_x_above - 1;
            tied_x_below = size - above_x - below_x - 1 - tied_x_above - tied_both;
        }
        const std::int64_t concordant_below = below_y - discordant_below - tied_x_below;
        const std::int64_t net = concordant_above + concordant_below - discordant_above - discordant_below;
        const double weight = k + 1.0;
        net_sum.add(static_cast<double>(net) / weight);
        untied_x_sum.add(static_cast<double>(above_x + below_x) / weight);
        untied_y_sum.add(static_cast<double>(above_y + below_y) / weight);
        net_by_x[p] = static_cast<double>(net);
        untied_y_by_x[p] = static_cast<Index>(above_y + below_y);
    }
    sums.by_y_net = net_sum.value();
    sums.by_y_untied_x = untied_x_sum.value();
    sums.by_y_untied_y = untied_y_sum.value();
    net_sum = untied_x_sum = untied_y_sum = Sum{};
    for (Index p = 0; p < size; ++p) {
        const double weight = p + 1.0;
        net_sum.add(net_by_x[p] / weight);
        untied_x_sum.add((wx.at.data()[p].first + (size - wx.at.data()[p].last)) / weight);
        untied_y_sum.add(untied_y_by_x[p] / weight);
    }
    sums.by_x_net = net_sum.value();
    sums.by_x_untied_x = untied_x_sum.value();
    sums.by_x_untied_y = untied_y_sum.value();
}

}  // namespace concordant
