// Sets of positions that are asked how many members they have before a given position.
//
// A set is one bit per position; a Fenwick tree over the 64-bit words holds how many bits each part has. A
// query is a popcount and a short climb.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../buffer.hpp"
#include "../fenwick.hpp"
#include "../ranking/windows.hpp"

namespace concordant {

// Several sets that are asked the same questions: laid side by side, one climb answers for all.
template <std::size_t sets>
class PositionSets {
public:
    using CountOfEach = std::array<Index, sets>;

    void clear(std::size_t size) {
        // One word more than needed when 64 divides the size: a query may ask for `size`.
        const std::size_t words = size / 64 + 1;
        std::fill_n(words_.reserve(words), words, WordOfEach{});
        tree_.resize(words);
        tree_.fill(CountOfEach{});
    }
    void insert(std::size_t set, Index place) {
        words_.data()[place / 64][set] |= std::uint64_t{1} << (place % 64);
        tree_.change(place / 64, [set](CountOfEach& node, std::size_t) { ++node[set]; });
    }
    CountOfEach count_before(Index place) const {
        CountOfEach count = count_in_word(place);
        tree_.visit_before(place / 64, [&](const CountOfEach& node, std::size_t) { add(node, count); });
        return count;
    }
    // The counts before both ends of a window, side by side; node 0 is empty, so the shorter climb waits
    // there. Within one word, one climb answers both.
    std::array<CountOfEach, 2> count_before(Window window) const {
        CountOfEach first = count_in_word(window.first), last = count_in_word(window.last);
        std::size_t a = window.first / 64, b = window.last / 64;
        if (a == b) {
            tree_.visit_before(a, [&](const CountOfEach& node, std::size_t) {
                add(node, first);
                add(node, last);
            });
            return {first, last};
        }
        while ((a | b) != 0) {
            add(tree_[a], first);
            add(tree_[b], last);
            a = tree_.next_before(a);
            b = tree_.next_before(b);
        }
        return {first, last};
    }

private:
    using WordOfEach = std::array<std::uint64_t, sets>;

    static void add(const CountOfEach& counts, CountOfEach& sum) {
        for (std::size_t set = 0; set < sets; ++set) sum[set] += counts[set];
    }
    CountOfEach count_in_word(Index place) const {
        const std::uint64_t earlier = (std::uint64_t{1} << (place % 64)) - 1;
        CountOfEach count;
        for (std::size_t set = 0; set < sets; ++set) {
            count[set] = static_cast<Index>(std::popcount(words_.data()[place / 64][set] & earlier));
        }
        return count;
    }

    Buffer<WordOfEach> words_;
    Fenwick<CountOfEach> tree_;
};

}  // namespace concordant
