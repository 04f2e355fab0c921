// The sweep for few items: the set of items passed, as it is after every step, fits in a few words. So all of them are
// kept, and every question is a look-up, an AND with the positions before the one asked about, and a popcount: no
// branch depends on the data.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "question.hpp"
#include "ranking.hpp"

namespace concordant {

template <std::size_t words>
using Bits = std::array<std::uint64_t, words>;

// Entry p: the positions before p.
template <std::size_t words>
inline constexpr auto positions_before = [] {
    std::array<Bits<words>, 64 * words + 1> table{};
    for (std::size_t p = 0; p < 64 * words; ++p) {
        table[p + 1] = table[p];
        table[p + 1][p / 64] |= std::uint64_t{1} << (p % 64);
    }
    return table;
}();

template <std::size_t words>
Index count_common(const Bits<words>& a, const Bits<words>& b) {
    int count = 0;
    for (std::size_t word = 0; word < words; ++word) count += std::popcount(a[word] & b[word]);
    return static_cast<Index>(count);
}

// At most 64 * words items.
template <std::size_t words, std::size_t n>
void sweep_few(const std::array<Question, n>& questions, const Index* place, const Windows& other, Index size) {
    std::array<Bits<words>, 64 * words + 1> passed;  // entry k: the places of the first k items walked
    Bits<words> now{};
    for (Index k = 0; k < size; ++k) {
        passed[k] = now;
        for (std::size_t word = 0; word < words; ++word) {
            now[word] |= std::uint64_t{place[k] / 64 == word} << (place[k] % 64);
        }
    }
    passed[size] = now;
    for (const Question& question : questions) {
        for (Index k = 0; k < size; ++k) {
            const Bits<words>& entered = passed[question.walked->at.data()[k].*question.enter];
            const Window window = other.at.data()[place[k]];
            const Index above = count_common(entered, positions_before<words>[window.first]);
            if (question.above) question.above[k] = above;
            if (question.tied) question.tied[k] = count_common(entered, positions_before<words>[window.last]) - above;
        }
    }
}

}  // namespace concordant
