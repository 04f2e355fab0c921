// Counting the items above each item in both rankings: walk down one ranking, keep the positions (in the
// other) of the items passed, and ask how many of them lie before a given position. O(n log n) for any
// pattern of ties and any threshold.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../compiler.hpp"
#include "../interrupt.hpp"
#include "../ranking/windows.hpp"
#include "position_sets.hpp"

namespace concordant {

// What a sweep counts for every position k of the ranking walked: the items of a set that are above item k in
// the other ranking, and those that are tied with it there.
//
// `enter` says which items are in the set when item k asks. Its window in the ranking walked is [first,
// last):
//
//     positions walked   0 .. first - 1   first .. last - 1   last .. size - 1
//                        above item k     tied with item k    below item k
//     &Window::first     in the set
//     &Window::last      in the set       in the set
//
// So with &Window::last the item itself is in the set and counts as tied with itself.
struct CountQuery {
    const Windows* walked;  // ties of the ranking walked
    Index Window::* enter;
    Index* above;  // where the answers go, unless null
    Index* tied;
};

// The sweep for few items: the set of items passed, as it is after every step, fits in a few words. So all of
// these sets are kept, and every answer is a look-up, an AND with the positions before the one asked about,
// and a popcount: no branch depends on the data.
template <std::size_t words>
using SmallSet = std::array<std::uint64_t, words>;

// Entry p: the positions before p.
template <std::size_t words>
inline constexpr auto positions_before = [] {
    std::array<SmallSet<words>, 64 * words + 1> table{};
    for (std::size_t p = 0; p < 64 * words; ++p) {
        table[p + 1] = table[p];
        table[p + 1][p / 64] |= std::uint64_t{1} << (p % 64);
    }
    return table;
}();

template <std::size_t words>
Index count_common(const SmallSet<words>& a, const SmallSet<words>& b) {
    int count = 0;
    for (std::size_t word = 0; word < words; ++word) count += std::popcount(a[word] & b[word]);
    return static_cast<Index>(count);
}

template <std::size_t words>
struct SetInWords {
    SmallSet<words> bits{};

    CONCORDANT_ALWAYS_INLINE void insert(Index place) {
        for (std::size_t word = 0; word < words; ++word)
            bits[word] |= std::uint64_t{place / 64 == word} << (place % 64);
    }
    CONCORDANT_ALWAYS_INLINE Index count_before(Index place) const {
        return count_common(bits, positions_before<words>[place]);
    }
};
// At most 64 * words items.
template <std::size_t words>
void sweep_few(const CountQuery& query, const Index* place, const Windows& other, Index size) {
    std::array<SmallSet<words>, 64 * words + 1> passed;  // entry k: the places of the first k items walked
    SetInWords<words> now;
    for (Index k = 0; k < size; ++k) {
        passed[k] = now.bits;
        now.insert(place[k]);
    }
    passed[size] = now.bits;
    for (Index k = 0; k < size; ++k) {
        const SmallSet<words>& entered = passed[query.walked->at.data()[k].*query.enter];
        const Window window = other.at.data()[place[k]];
        const Index above = count_common(entered, positions_before<words>[window.first]);
        if (query.above) query.above[k] = above;
        if (query.tied) query.tied[k] = count_common(entered, positions_before<words>[window.last]) - above;
    }
}

// Where nothing is tied, the items passed are one set.
template <class Set>
void sweep_untied(Index* above, const Index* place, Index size) {
    Set set;
    for (Index k = 0; k < size; ++k) {
        above[k] = set.count_before(place[k]);
        set.insert(place[k]);
    }
}

// The sweep for any number of items, in a set that grows.
template <class Set>
void walk(const CountQuery& query, const Index* place, const Windows& other, Index size, Set& set) {
    const Window* walked = query.walked->at.data();
    Index inserted = 0;
    const auto enter_until = [&](Index k) {
        const Index entered = walked[k].*query.enter;
        while (inserted < entered) set.insert(place[inserted++]);
    };
    constexpr Index look_after = 0xffff;
    if (!other.ties) {
        for (Index k = 0; k < size; ++k) {
            if ((k & look_after) == look_after) checkpoint();
            enter_until(k);
            if (query.above) query.above[k] = set.count_before(place[k]);
            if (query.tied) query.tied[k] = inserted > k;
        }
        return;
    }
    // The windows come from all over memory: fetched some at a time, they do not wait for one another.
    constexpr Index some = 64;
    std::array<Window, some> windows;
    for (Index k = 0; k < size; ++k) {
        if (k % some == 0) {
            if ((k & look_after) == look_after - (some - 1)) checkpoint();
            for (Index i = 0; i < std::min(size - k, some); ++i) windows[i] = other.at.data()[place[k + i]];
        }
        enter_until(k);
        const Window window = windows[k % some];
        const Index above = set.count_before(window.first);
        if (query.above) query.above[k] = above;
        if (query.tied) query.tied[k] = set.count_before(window.last) - above;
    }
}

// Answers a query about two rankings in one walk. place[k] is where item k of the ranking walked stands in
// the other.
inline void sweep(const CountQuery& query, const Index* place, const Windows& other, Index size,
                  Positions& set) {
    const bool ties = query.walked->ties || other.ties;
    if (!ties && query.enter == &Window::first && query.above && !query.tied) {
        if (size <= 64) return sweep_untied<SetInWords<1>>(query.above, place, size);
        if (size <= 128) return sweep_untied<SetInWords<2>>(query.above, place, size);
        if (size < FewPositions::end) return sweep_untied<FewPositions>(query.above, place, size);
    }
    if (size <= 64) return sweep_few<1>(query, place, other, size);
    if (size <= 128) return sweep_few<2>(query, place, other, size);
    if (size <= 256) return sweep_few<4>(query, place, other, size);
    if (size < FewPositions::end) {
        FewPositions few;
        return walk(query, place, other, size, few);
    }
    set.clear(size);
    walk(query, place, other, size, set);
}

}  // namespace concordant
