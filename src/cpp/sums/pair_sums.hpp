// All requested fields of one pair of prepared rankings.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../fields.hpp"
#include "../interrupt.hpp"
#include "../ranking/ranking.hpp"
#include "../scratch.hpp"
#include "coded.hpp"
#include "gap.hpp"
#include "hyperbolic.hpp"
#include "moments.hpp"
#include "ordinal.hpp"
#include "rank.hpp"

namespace concordant {

// Run the algorithms that serve the needs, one after another.
inline void run_algorithms(const RankingPair& pair, Need need, PairScratch& scratch, Sums& sums) {
    const auto starts = [&](Algorithm which, Need served) {
        if ((need & served) == 0) return false;
        checkpoint_if_long(pair.size());
        scratch.make_room_for(which, pair.size());
        return true;
    };
    using enum Algorithm;
    if (starts(ordinal, needs_of<ordinal>)) ordinal_sums(pair, need, scratch.ordinal, sums);
    if (starts(gap, needs_of<gap>)) gap_sums(pair, scratch.gap, sums);
    if (starts(rank, needs_of<rank>)) rank_sums(pair, scratch.rank, sums);
    if (starts(hyperbolic, needs_of<hyperbolic>)) hyperbolic_sums(pair, scratch.hyperbolic, sums);
    if (starts(moments, needs_of<moments>)) moment_sums(pair, scratch.moments, sums);
    if (starts(midranks, needs_of<midranks>)) midrank_sums(pair, sums);
    static_assert((needs_of<preparation> | needs_of<ordinal> | needs_of<gap> | needs_of<rank> |
                   needs_of<hyperbolic> | needs_of<moments> | needs_of<midranks>) == all_needs,
                  "an algorithm of the list of needs does not run here");
}

// Counts of pairs of few items without ties need no sorting. Returns whether that was so, and the sums. The
// thresholds are 0.
inline bool sums_without_sorting(const Ranking& x, const Ranking& y, Need need, PairScratch& scratch,
                                 Sums& sums) {
    constexpr Need told = need_counts | need_ties_x | need_ties_y;
    if ((need & ~told) != 0 || (need & need_counts) == 0 || x.coded || y.coded || x.size < 2) return false;
    const std::int64_t discordant = scratch.every_pair.discordant(x.values, y.values, x.size);
    if (discordant < 0) return false;
    sums = {};
    sums.n = sums.levels_x = sums.levels_y = x.size;
    sums.pivots_x = sums.pivots_y = sums.n - 1;
    sums.untied_x = sums.untied_y = sums.n * (sums.n - 1) / 2;
    sums.discordant = discordant;
    sums.concordant = sums.untied_x - discordant;
    return true;
}

// `w` says which windows of the two rankings to use. What has no threshold form is asked for with a threshold
// of 0.
inline Sums pair_sums(const Ranking& x, const Ranking& y, std::size_t w, Need need, PairScratch& scratch) {
    if (x.coded && y.coded && (need & ~coded_needs) == 0) {
        checkpoint_if_long(x.size);
        return CodedPair(x, y, w, scratch.coded).sums(need);
    }
    static const Windows unknown;
    const RankingPair pair{x, y, x.windows.empty() ? unknown : x.windows[w],
                           y.windows.empty() ? unknown : y.windows[w]};
    Sums sums;
    sums.n = pair.size();
    sums.untied_x = static_cast<std::int64_t>(pair.ties_x.untied);
    sums.untied_y = static_cast<std::int64_t>(pair.ties_y.untied);
    sums.pivots_x = pair.size() - pair.ties_x.top;
    sums.pivots_y = pair.size() - pair.ties_y.top;
    sums.levels_x = pair.ties_x.levels;
    sums.levels_y = pair.ties_y.levels;
    if (pair.size() >= 2) run_algorithms(pair, need, scratch, sums);
    return sums;
}

}  // namespace concordant
