// One order of the items that does not depend on the order they came in, for sums of reals: by y, items tied in y by x;
// and positions in x with items tied in x by y. Items equal in both are interchangeable.
#pragma once

#include <algorithm>
#include <numeric>

#include "ranking.hpp"
#include "sums.hpp"

namespace concordant {

struct Arrangement {
    const Index* walk = nullptr;   // items down y, ties by x
    const Index* place = nullptr;  // for each of these, its position in x, ties by y
};

inline Arrangement arrange(const Ranking& x, const Ranking& y, const Windows& wx, const Windows& wy,
                           PairMemory& memory) {
    const Index size = x.size;
    const Index* position_x = x.position.data();
    if (wx.ties) {
        Index* items = memory.walk.reserve(size);
        Index* canonical = memory.canonical_x.reserve(size);
        std::copy_n(x.order.data(), size, items);
        for (Index start = 0; start < size;) {
            const Index end = wx.at.data()[start].last;
            std::sort(items + start, items + end,
                      [&](Index a, Index b) { return y.position.data()[a] < y.position.data()[b]; });
            for (Index k = start; k < end; ++k) canonical[items[k]] = k;
            start = end;
        }
        position_x = canonical;
    }
    Index* walk = memory.walk.reserve(size);
    Index* place = memory.place.reserve(size);
    std::copy_n(y.order.data(), size, walk);
    for (Index start = 0; wy.ties && start < size;) {
        const Index end = wy.at.data()[start].last;
        std::sort(walk + start, walk + end, [&](Index a, Index b) { return position_x[a] < position_x[b]; });
        start = end;
    }
    for (Index k = 0; k < size; ++k) place[k] = position_x[walk[k]];
    return {walk, place};
}

}  // namespace concordant
