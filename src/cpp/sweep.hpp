// Counting the items above each item in both rankings: walk down one ranking, keep the positions (in the other) of
// the items passed, and ask how many of them lie before a given position.
//
// The set is one bit per position; a Fenwick tree over the 64-bit words holds how many bits each part has. A query is
// a popcount and a short climb: O(n log n) in all for any pattern of ties and any threshold.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "buffer.hpp"
#include "ranking.hpp"

namespace concordant {

class PositionSet {
public:
    void clear(std::size_t size) {
        words_ = size / 64 + 1;  // one more than needed when 64 divides size: a query may ask for `size`
        bits_ = bits_memory_.reserve(words_);
        tree_ = tree_memory_.reserve(words_ + 1);
        std::fill_n(bits_, words_, 0);
        std::fill_n(tree_, words_ + 1, 0);
    }
    void insert(Index place) {
        bits_[place / 64] |= std::uint64_t{1} << (place % 64);
        for (std::size_t node = place / 64 + 1; node <= words_; node += node & (~node + 1)) ++tree_[node];
    }
    Index count_before(Index place) const {
        const std::uint64_t earlier_bits = (std::uint64_t{1} << (place % 64)) - 1;
        auto count = static_cast<Index>(std::popcount(bits_[place / 64] & earlier_bits));
        for (std::size_t node = place / 64; node != 0; node &= node - 1) count += tree_[node];
        return count;
    }

private:
    Buffer<std::uint64_t> bits_memory_;
    Buffer<Index> tree_memory_;
    std::uint64_t* bits_ = nullptr;
    Index* tree_ = nullptr;
    std::size_t words_ = 0;
};

// When an item enters the set: as soon as it is above the item asking, or as soon as it is not below it.
enum class Enter { above, not_below };

// For every position k of the ranking walked, with the items in the set that are above it there (or not below it): how
// many of them are above item k in the other ranking, and (`not_below`, unless null) how many are not below it.
// place[k] is where item k stands in the other ranking.
template <Enter enter>
void sweep(const Index* place, const Windows& walked, const Windows& other, Index size, PositionSet& set, Index* above,
           Index* not_below) {
    set.clear(size);
    Index inserted = 0;
    for (Index k = 0; k < size; ++k) {
        const Index entered = enter == Enter::above ? walked.at.data()[k].first : walked.at.data()[k].last;
        while (inserted < entered) set.insert(place[inserted++]);
        if (!other.ties) {
            above[k] = set.count_before(place[k]);
            if (not_below) not_below[k] = above[k] + (enter == Enter::not_below);  // item k itself, if it has entered
        } else {
            const Window window = other.at.data()[place[k]];
            above[k] = set.count_before(window.first);
            if (not_below) not_below[k] = set.count_before(window.last);
        }
    }
}

}  // namespace concordant
