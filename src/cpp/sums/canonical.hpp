// An order of the items that does not depend on the order of the input, for sums of reals: by y, and items
// tied in y by x. Positions in x are taken with items tied in x ordered by y. Items tied in both are
// interchangeable.
#pragma once

#include <cstddef>

#include "../buffer.hpp"
#include "../interrupt.hpp"
#include "../ranking/ranking.hpp"

namespace concordant {

struct CanonicalScratch {
    Buffer<Index> items;       // by position in x
    Buffer<Index> position_x;  // by item
    Buffer<Index> next;        // by the first position of a group of tied items: where its next item goes
    Buffer<Index> place;       // the result
};

// The order of a ranking, items tied in it as they come in `walked`: down that order, each item takes the
// next place of its group.
inline const Index* order_with_ties_by(const Ranking& ranking, const Windows& ties, const Index* walked,
                                       CanonicalScratch& scratch) {
    if (!ties.ties) return ranking.order.data();
    const Window* at = ties.at.data();
    const Index* position = ranking.position.data();
    Index* next = scratch.next.reserve(ranking.size);
    Index* items = scratch.items.reserve(ranking.size);
    with_pauses(ranking.size, [=](std::size_t k) { next[k] = static_cast<Index>(k); });
    with_pauses(ranking.size,
                [=](std::size_t k) { items[next[at[position[walked[k]]].first]++] = walked[k]; });
    return items;
}

// For each place in the canonical order of y: the position of its item in the canonical order of x.
inline const Index* canonical_places(const RankingPair& pair, CanonicalScratch& scratch) {
    const Index size = pair.size();
    const Index* position_x = pair.x.position.data();
    const Index* by_x = order_with_ties_by(pair.x, pair.ties_x, pair.y.order.data(), scratch);
    if (pair.ties_x.ties) {
        Index* canonical = scratch.position_x.reserve(size);
        with_pauses(size, [=](std::size_t k) { canonical[by_x[k]] = static_cast<Index>(k); });
        position_x = canonical;
    }
    Index* place = scratch.place.reserve(size);
    if (!pair.ties_y.ties) {
        const Index* by_y = pair.y.order.data();
        with_pauses(size, [=](std::size_t k) { place[k] = position_x[by_y[k]]; });
        return place;
    }
    // Down the order of x, the places of a group of y take rising positions.
    const Window* at = pair.ties_y.at.data();
    const Index* position_y = pair.y.position.data();
    Index* next = scratch.next.reserve(size);
    with_pauses(size, [=](std::size_t k) { next[k] = static_cast<Index>(k); });
    with_pauses(size,
                [=](std::size_t k) { place[next[at[position_y[by_x[k]]].first]++] = static_cast<Index>(k); });
    return place;
}

}  // namespace concordant
