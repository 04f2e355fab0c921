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

// `w` says which windows of the two rankings to use. What has no threshold form is asked for with a threshold of 0.
inline Sums pair_sums(const Ranking& x, const Ranking& y, std::size_t w, unsigned need, Memory& memory) {
    const Windows& wx = x.windows[w];
    const Windows& wy = y.windows[w];
    Sums sums;
    sums.n = x.size;
    sums.untied_x = static_cast<std::int64_t>(wx.untied);
    sums.untied_y = static_cast<std::int64_t>(wy.untied);
    sums.pivots_x = x.size - wx.top;
    sums.pivots_y = x.size - wy.top;
    if (x.size < 2) return sums;
    if (need & (need_gap - 1)) ordinal_sums(x, y, wx, wy, need, memory.pair, sums);
    if (need & need_gap) gap_sums(x, y, wx, wy, memory.pair, memory.gaps, sums);
    if (need & need_rank) rank_sums(x, y, wx, wy, memory.pair, sums);
    if (need & need_hyperbolic) hyperbolic_sums(x, y, wx, wy, memory.pair, sums);
    if (need & need_moments) moment_sums(x, y, memory.pair, sums);
    if (need & need_midranks) midrank_sums(x, y, wx, wy, sums);
    return sums;
}

}  // namespace concordant
