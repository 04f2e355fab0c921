// An order of the items that does not depend on the order of the input, for sums of reals: by y, and items
// tied in y by x. Positions in x are taken with items tied in x ordered by y. Items tied in both are
// interchangeable.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../buffer.hpp"
#include "../interrupt.hpp"
#include "../ranking/ranking.hpp"

namespace concordant {

struct CanonicalScratch {
    Buffer<Index> by_x;   // by position in the canonical order of x: the position in y
    Buffer<Index> next;   // by the first position of a group of tied items: where its next item goes
    Buffer<Index> place;  // the result
};

// Are groups so small that sorting each by insertion moves fewer numbers than there are steps of a walk?
inline bool has_small_groups(const Windows& ties, Index size) {
    return std::uint64_t{size} * (size - 1) / 2 - ties.untied <= 8 * std::uint64_t{size};
}
inline void sort_small_groups(Index* numbers, const Windows& ties, Index size) {
    const Window* at = ties.at.data();
    Index largest = numbers[0];  // of the group so far
    with_pauses(size, [=, &largest](std::size_t k) {
        const Index number = numbers[k];
        // The first exchange, which is as likely as not, has no branch.
        const bool exchanged = (at[k].first < k) & (number < largest);
        numbers[k] = exchanged ? largest : number;
        std::size_t to = k - exchanged;
        numbers[to] = number;
        largest = exchanged ? largest : number;
        for (; exchanged & (to > at[k].first) && numbers[to - 1] > number; --to) {
            numbers[to] = numbers[to - 1];
            numbers[to - 1] = number;
        }
    });
}

// Call write(place, j) for j = 0 .. size - 1: item j, at position(j), takes the next place of its group.
template <class Position, class Write>
void take_places(const Windows& ties, Index size, CanonicalScratch& scratch, Position position, Write write) {
    const Window* at = ties.at.data();
    Index* next = scratch.next.reserve(size);
    with_pauses(size, [=](std::size_t k) { next[k] = static_cast<Index>(k); });
    with_pauses(size, [=](std::size_t j) { write(next[at[position(j)].first]++, static_cast<Index>(j)); });
}

// For each place in the canonical order of y: the position of its item in the canonical order of x.
inline const Index* canonical_places(const RankingPair& pair, CanonicalScratch& scratch) {
    const Index size = pair.size();
    const bool small_x = has_small_groups(pair.ties_x, size), small_y = has_small_groups(pair.ties_y, size);
    const Index *order_x = pair.x.order.data(), *order_y = pair.y.order.data();
    const Index *position_x = pair.x.position.data(), *position_y = pair.y.position.data();
    Index* place = scratch.place.reserve(size);
    if (!pair.ties_x.ties && small_y) {
        with_pauses(size, [=](std::size_t k) { place[k] = position_x[order_y[k]]; });
    } else {
        Index* by_x = scratch.by_x.reserve(size);
        if (small_x) {
            with_pauses(size, [=](std::size_t k) { by_x[k] = position_y[order_x[k]]; });
            if (pair.ties_x.ties) sort_small_groups(by_x, pair.ties_x, size);
        } else {  // down the order of y, the places of a group of x take rising positions
            take_places(
                pair.ties_x, size, scratch, [=](std::size_t j) { return position_x[order_y[j]]; },
                [=](Index to, Index j) { by_x[to] = j; });
        }
        if (!small_y) {
            take_places(
                pair.ties_y, size, scratch, [=](std::size_t j) { return by_x[j]; },
                [=](Index to, Index j) { place[to] = j; });
            return place;
        }
        with_pauses(size, [=](std::size_t k) { place[by_x[k]] = static_cast<Index>(k); });
    }
    if (pair.ties_y.ties) sort_small_groups(place, pair.ties_y, size);
    return place;
}

}  // namespace concordant
