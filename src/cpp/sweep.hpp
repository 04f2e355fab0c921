// Counting the items above each item in both rankings: walk down one ranking, keep the positions (in the other) of
// the items passed, and ask how many of them lie before a given position.
//
// A set is one bit per position; a Fenwick tree over the 64-bit words holds how many bits each part has. A query is
// a popcount and a short climb: O(n log n) in all for any pattern of ties and any threshold.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "buffer.hpp"
#include "question.hpp"
#include "ranking.hpp"
#include "sweep_few.hpp"

namespace concordant {

// Sets of positions that are asked the same questions: laid side by side, one climb answers for all.
template <std::size_t sets>
class PositionSets {
public:
    using Counts = std::array<Index, sets>;

    void clear(std::size_t size) {
        words_ = size / 64 + 1;  // one more than needed when 64 divides size: a query may ask for `size`
        bits_ = bits_memory_.reserve(words_);
        tree_ = tree_memory_.reserve(words_ + 1);
        std::fill_n(bits_, words_, Bits{});
        std::fill_n(tree_, words_ + 1, Counts{});
    }
    void insert(std::size_t set, Index place) {
        bits_[place / 64][set] |= std::uint64_t{1} << (place % 64);
        for (std::size_t node = place / 64 + 1; node <= words_; node += node & (~node + 1)) ++tree_[node][set];
    }
    Counts count_before(Index place) const {
        Counts count = count_in_word(place);
        for (std::size_t node = place / 64; node != 0; node &= node - 1) add(tree_[node], count);
        return count;
    }
    // The counts before both ends of a window, side by side; node 0 is empty, so the shorter climb waits there.
    std::array<Counts, 2> count_before(Window window) const {
        Counts first = count_in_word(window.first), last = count_in_word(window.last);
        for (std::size_t a = window.first / 64, b = window.last / 64; (a | b) != 0; a &= a - 1, b &= b - 1) {
            add(tree_[a], first);
            add(tree_[b], last);
        }
        return {first, last};
    }

private:
    using Bits = std::array<std::uint64_t, sets>;

    static void add(const Counts& counts, Counts& sum) {
        for (std::size_t set = 0; set < sets; ++set) sum[set] += counts[set];
    }
    Counts count_in_word(Index place) const {
        const std::uint64_t earlier = (std::uint64_t{1} << (place % 64)) - 1;
        Counts count;
        for (std::size_t set = 0; set < sets; ++set) {
            count[set] = static_cast<Index>(std::popcount(bits_[place / 64][set] & earlier));
        }
        return count;
    }

    Buffer<Bits> bits_memory_;
    Buffer<Counts> tree_memory_;
    Bits* bits_ = nullptr;
    Counts* tree_ = nullptr;
    std::size_t words_ = 0;
};

// Answers questions about two rankings in one walk. place[k] is where item k of the ranking walked stands in the other.
template <std::size_t n>
void sweep(const std::array<Question, n>& questions, const Index* place, const Windows& other, Index size,
           PositionSets<n>& sets) {
    if (size <= 64) return sweep_few<1>(questions, place, other, size);
    if (size <= 128) return sweep_few<2>(questions, place, other, size);
    if (size <= 256) return sweep_few<4>(questions, place, other, size);
    sets.clear(size);
    std::array<Index, n> inserted{};
    const auto enter_until = [&](Index k) {
        for (std::size_t q = 0; q < n; ++q) {
            const Index entered = questions[q].walked->at.data()[k].*questions[q].enter;
            while (inserted[q] < entered) sets.insert(q, place[inserted[q]++]);
        }
    };
    if (!other.ties) {
        for (Index k = 0; k < size; ++k) {
            enter_until(k);
            const auto above = sets.count_before(place[k]);
            for (std::size_t q = 0; q < n; ++q) {
                if (questions[q].above) questions[q].above[k] = above[q];
                if (questions[q].tied) questions[q].tied[k] = inserted[q] > k;
            }
        }
        return;
    }
    const bool ties_asked =
        std::any_of(questions.begin(), questions.end(), [](const Question& each) { return each.tied != nullptr; });
    // The windows come from all over memory: fetched some at a time, they do not wait for one another.
    constexpr Index some = 64;
    std::array<Window, some> windows;
    for (Index k = 0; k < size; ++k) {
        if (k % some == 0) {
            for (Index i = 0; i < std::min(size - k, some); ++i) windows[i] = other.at.data()[place[k + i]];
        }
        enter_until(k);
        const Window window = windows[k % some];
        const auto [above, not_below] =
            ties_asked ? sets.count_before(window) : std::array{sets.count_before(window.first), std::array<Index, n>{}};
        for (std::size_t q = 0; q < n; ++q) {
            if (questions[q].above) questions[q].above[k] = above[q];
            if (questions[q].tied) questions[q].tied[k] = not_below[q] - above[q];
        }
    }
}

}  // namespace concordant
