// An order of the items that does not depend on the order of the input, for sums of reals: by y, and items
// tied in y by x. Positions in x are taken with items tied in x ordered by y. Items tied in both are
// interchangeable.
#pragma once

#include <algorithm>
#include <cstddef>

#include "../buffer.hpp"
#include "../interrupt.hpp"
#include "../ranking/ranking.hpp"

namespace concordant {

struct CanonicalScratch {
    Buffer<Index> items;       // the order that is being made: first that of x, then that of y
    Buffer<Index> position_x;  // by item
    Buffer<Index> place;       // the result
};

// Copy an order of items, and sort each group of tied items by `position`.
inline const Index* order_with_ties_by(const Ranking& ranking, const Windows& ties, const Index* position,
                                       Buffer<Index>& memory) {
    Index* items = memory.reserve(ranking.size);
    std::copy_n(ranking.order.data(), ranking.size, items);
    std::size_t compared = 0;
    for (Index start = 0; ties.ties && start < ranking.size;) {
        const Index end = ties.at.data()[start].last;
        std::sort(items + start, items + end, [=, &compared](Index a, Index b) {
            if ((++compared & 0xfffff) == 0) checkpoint();
            return position[a] < position[b];
        });
        start = end;
    }
    return items;
}

// For each place in the canonical order of y: the position of its item in the canonical order of x.
inline const Index* canonical_places(const RankingPair& pair, CanonicalScratch& scratch) {
    const Index size = pair.size();
    const Index* position_x = pair.x.position.data();
    if (pair.ties_x.ties) {
        const Index* by_x = order_with_ties_by(pair.x, pair.ties_x, pair.y.position.data(), scratch.items);
        Index* canonical = scratch.position_x.reserve(size);
        with_pauses(size, [=](std::size_t k) { canonical[by_x[k]] = static_cast<Index>(k); });
        position_x = canonical;
    }
    const Index* by_y = order_with_ties_by(pair.y, pair.ties_y, position_x, scratch.items);
    Index* place = scratch.place.reserve(size);
    with_pauses(size, [=](std::size_t k) { place[k] = position_x[by_y[k]]; });
    return place;
}

}  // namespace concordant
