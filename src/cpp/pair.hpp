// Everything asked for about one pair of prepared rankings.
#pragma once

#include "gap.hpp"
#include "hyperbolic.hpp"
#include "moments.hpp"
#include "pearson_rank.hpp"
#include "sums.hpp"

namespace concordant {

struct Memory {
    PairMemory pair;
    GapTree gaps;
};

inline Order order_of_x(unsigned need) { return need == need_moments ? Order::none : Order::sorted; }

// pearson_rank walks down x only, Pearson's r down neither.
inline Order order_of_y(unsigned need) {
    if (need != 0 && (need & ~unsigned{need_rank | need_moments}) == 0) return Order::none;
    return need & need_equal ? Order::with_exact_ties : Order::sorted;
}

// `w` says which windows of the two rankings to use. What has no threshold form is asked for with a threshold of 0.
inline Sums pair_sums(const Ranking& x, const Ranking& y, std::size_t w, unsigned need, Memory& memory) {
    static const Windows unknown;
    const Windows& wx = x.windows.empty() ? unknown : x.windows[w];
    const Windows& wy = y.windows.empty() ? unknown : y.windows[w];
    Sums sums;
    sums.n = x.size;
    sums.untied_x = static_cast<std::int64_t>(wx.untied);
    sums.untied_y = static_cast<std::int64_t>(wy.untied);
    sums.pivots_x = x.size - wx.top;
    sums.pivots_y = x.size - wy.top;
    if (x.size < 2) return sums;
    if (need & (need_gap - 1)) ordinal_sums(x, y, wx, wy, need, memory.pair, sums);
    if (need & need_gap) gap_sums(x, y, wx, wy, memory.pair, memory.gaps, sums);
    if (need & need_rank) rank_sums(x, y, wx, memory.pair, sums);
    if (need & need_hyperbolic) hyperbolic_sums(x, y, wx, wy, memory.pair, sums);
    if (need & need_moments) moment_sums(x, y, memory.pair, sums);
    if (need & need_midranks) midrank_sums(x, y, wx, wy, sums);
    return sums;
}

}  // namespace concordant
