// Sets of positions that are asked how many members they have before a given position. No branch depends on
// the positions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../buffer.hpp"
#include "../compiler.hpp"
#include "../fenwick.hpp"
#include "../ranking/windows.hpp"

namespace concordant {

// Sixteen counts of 16 bits, of which an insertion raises those behind it: four to a word, added at once.
class CountsBefore {
public:
    static constexpr std::size_t width = 16;

    CONCORDANT_ALWAYS_INLINE void raise_after(std::size_t k) {
        for (std::size_t j = 0; j < n_words; ++j) words_[j] += behind_[k][j];
    }
    CONCORDANT_ALWAYS_INLINE Index operator[](std::size_t k) const {
        return static_cast<std::uint16_t>(words_[k / 4] >> (k % 4 * 16));
    }

private:
    static constexpr std::size_t n_words = width / 4;
    // Entry k: ones behind place k.
    static constexpr auto behind_ = [] {
        std::array<std::array<std::uint64_t, n_words>, width> table{};
        for (std::size_t k = 0; k < width; ++k) {
            for (std::size_t j = k + 1; j < width; ++j) table[k][j / 4] += std::uint64_t{1} << (j % 4 * 16);
        }
        return table;
    }();

    std::array<std::uint64_t, n_words> words_{};
};

// A set of few positions: a bit for each, in words, and for each word the members in the words before it.
struct FewPositions {
    static constexpr Index end = 64 * CountsBefore::width;  // positions, and questions, are less
    std::array<std::uint64_t, CountsBefore::width> words{};
    CountsBefore before;

    CONCORDANT_ALWAYS_INLINE void insert(Index place) {
        words[place / 64] |= std::uint64_t{1} << (place % 64);
        before.raise_after(place / 64);
    }
    CONCORDANT_ALWAYS_INLINE Index count_before(Index place) const {
        const std::uint64_t earlier = (std::uint64_t{1} << (place % 64)) - 1;
        return static_cast<Index>(std::popcount(words[place / 64] & earlier)) + before[place / 64];
    }
};

// A set of many positions: rows as above; for each row, the members in the rows before it in its block; and a
// Fenwick tree over the blocks. Members of a block are fewer than 2^16.
class Positions {
public:
    void clear(std::size_t size) {
        const std::size_t n_rows = size / FewPositions::end + 1, n_blocks = size / block + 1;
        std::fill_n(rows_.reserve(n_rows), n_rows, FewPositions{});
        std::fill_n(before_row_.reserve(n_blocks), n_blocks, CountsBefore{});
        before_block_.resize(n_blocks);
        before_block_.fill(0);
    }
    void insert(Index place) {
        rows_.data()[place / FewPositions::end].insert(place % FewPositions::end);
        before_row_.data()[place / block].raise_after(place % block / FewPositions::end);
        before_block_.change(place / block, [](Index& node, std::size_t) { ++node; });
    }
    Index count_before(Index place) const {
        Index count = rows_.data()[place / FewPositions::end].count_before(place % FewPositions::end) +
                      before_row_.data()[place / block][place % block / FewPositions::end];
        before_block_.visit_before(place / block, [&](Index node, std::size_t) { count += node; });
        return count;
    }

private:
    static constexpr Index block = FewPositions::end * CountsBefore::width;

    Buffer<FewPositions> rows_;
    Buffer<CountsBefore> before_row_;
    Fenwick<Index> before_block_;
};

}  // namespace concordant
