// For every item of a pair of rankings: how many items of a set, such as those above it in y, are above it or
// tied with it in x.
#pragma once

#include <array>
#include <cstddef>

#include "../buffer.hpp"
#include "../interrupt.hpp"
#include "../ranking/ranking.hpp"
#include "position_sets.hpp"
#include "sweep.hpp"

namespace concordant {

// The sets that an item's counts look at: the items above it in y; those not below it in y, itself included;
// and the same two by the exact ties of y, where a threshold makes others.
enum Among : std::size_t { front, back, exact_front, exact_back };

// How many items of a set are above the item in x (of the front: the concordant ones), and how many are tied
// with it in x. In the order of y; null where not asked for or, for ties, where there are none.
struct AmongCounts {
    const Index* above = nullptr;
    const Index* ties = nullptr;

    Index tied(Index k) const { return ties ? ties[k] : 0; }
};

struct AmongScratch {
    Positions set;
    std::array<Buffer<Index>, 4> above, tied;  // by Among
};

// Position in x of the item at each position of y.
inline const Index* gather_places(const Ranking& x, const Ranking& y, Buffer<Index>& memory) {
    Index* place = memory.reserve(y.size);
    const Index *position = x.position.data(), *order = y.order.data();
    with_pauses(y.size, [=](std::size_t k) { place[k] = position[order[k]]; });
    return place;
}

// Counts among the front and among `others`, which is a set of Among as bits; by Among. `ties` says whether
// ties are counted. place[k] is the position in x of the item at position k of y.
inline std::array<AmongCounts, 4> count_among(const RankingPair& pair, const Windows& exact_y,
                                              const Index* place, unsigned others, bool ties,
                                              AmongScratch& scratch) {
    const Index size = pair.size();
    std::array<AmongCounts, 4> out;
    const auto query = [&](Among which) {
        const bool exact = which == exact_front || which == exact_back;
        const bool itself = which == back || which == exact_back;
        CountQuery asked{exact ? &exact_y : &pair.ties_y, itself ? &Window::last : &Window::first, nullptr,
                         nullptr};
        if (!exact) asked.above = scratch.above[which].reserve(size);
        if (ties && (pair.ties_x.ties || itself)) asked.tied = scratch.tied[which].reserve(size);
        out[which] = {asked.above, asked.tied};
        return asked;
    };
    for (const Among which : {front, back, exact_front, exact_back}) {
        if (which != front && (others >> which & 1) == 0) continue;
        sweep(query(which), place, pair.ties_x, size, scratch.set);
    }
    return out;
}

}  // namespace concordant
