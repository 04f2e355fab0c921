// The counts of each item: what lies above it, and how the other ranking orders that.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "../buffer.hpp"
#include "../interrupt.hpp"
#include "../ranking/ranking.hpp"
#include "../sweep/among.hpp"

namespace concordant {

// Where the counts go, by item.
struct ItemCounts {
    static constexpr std::size_t n_fields = 7;
    std::int64_t *above_x, *above_y, *concordant, *discordant, *tied_x, *tied_y, *tied_both;
};

struct ItemCountScratch {
    Buffer<Index> place;  // position in x of the item at each position of y
    AmongScratch among;
};

inline void count_items(const RankingPair& pair, ItemCountScratch& scratch, const ItemCounts& out) {
    const Index* place = gather_places(pair.x, pair.y, scratch.place);
    const std::array<AmongCounts, 4> counts =
        count_among(pair, pair.ties_y, place, 1U << back, true, scratch.among);
    const AmongCounts& ahead = counts[front];
    const AmongCounts& not_after = counts[back];
    Pace pace;
    for (Index k = 0; k < pair.size(); ++k) {
        pace.after(1);
        const Index item = pair.y.order.data()[k];
        const std::int64_t above_y = pair.ties_y.at.data()[k].first;
        const std::int64_t concordant = ahead.above[k], tied_x = ahead.tied(k);
        out.above_x[item] = pair.ties_x.at.data()[place[k]].first;
        out.above_y[item] = above_y;
        out.concordant[item] = concordant;
        out.discordant[item] = above_y - concordant - tied_x;
        out.tied_x[item] = tied_x;
        out.tied_y[item] = not_after.above[k] - concordant;
        out.tied_both[item] = not_after.tied(k) - tied_x - 1;
    }
}

}  // namespace concordant
