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

// Sixteen counts of 16 or 32 bits, of which an insertion raises those behind it: several to a word, added at
// once.
constexpr std::size_t fan_out = 16;  // words of a row, rows of a block, blocks of a part
template <std::size_t bits>
class CountsBefore {
public:
    CONCORDANT_ALWAYS_INLINE void raise_after(std::size_t k) {
        for (std::size_t j = 0; j < n_words; ++j) words_[j] += behind_[k][j];
    }
    CONCORDANT_ALWAYS_INLINE Index operator[](std::size_t k) const {
        return static_cast<Index>(words_[k / lanes] >> (k % lanes * bits) & ((std::uint64_t{1} << bits) - 1));
    }

private:
    static constexpr std::size_t lanes = 64 / bits, n_words = fan_out / lanes;
    // Entry k: ones behind place k.
    static constexpr auto behind_ = [] {
        std::array<std::array<std::uint64_t, n_words>, fan_out> table{};
        for (std::size_t k = 0; k < fan_out; ++k) {
            for (std::size_t j = k + 1; j < fan_out; ++j)
                table[k][j / lanes] += std::uint64_t{1} << (j % lanes * bits);
        }
        return table;
    }();

    std::array<std::uint64_t, n_words> words_{};
};

// A set of few positions: a bit for each, in words, and for each word the members in the words before it.
struct FewPositions {
    static constexpr Index end = 64 * fan_out;  // positions, and questions, are less
    std::array<std::uint64_t, fan_out> words{};
    CountsBefore<16> before;

    CONCORDANT_ALWAYS_INLINE void insert(Index place) {
        words[place / 64] |= std::uint64_t{1} << (place % 64);
        before.raise_after(place / 64);
    }
    CONCORDANT_ALWAYS_INLINE Index count_before(Index place) const {
        const std::uint64_t earlier = (std::uint64_t{1} << (place % 64)) - 1;
        return static_cast<Index>(std::popcount(words[place / 64] & earlier)) + before[place / 64];
    }
};

// A set of many positions: rows as above; for each row, the members in the rows before it in its block, and
// for each block, those in the blocks before it in its part; and a Fenwick tree over the parts. Members of a
// block are fewer than 2^16.
class Positions {
public:
    void clear(std::size_t size) {
        const std::size_t n_rows = size / FewPositions::end + 1;
        const std::size_t n_blocks = size / block + 1, n_parts = size / part + 1;
        std::fill_n(rows_.reserve(n_rows), n_rows, FewPositions{});
        std::fill_n(before_row_.reserve(n_blocks), n_blocks, CountsBefore<16>{});
        std::fill_n(before_block_.reserve(n_parts), n_parts, CountsBefore<32>{});
        before_part_.resize(n_parts);
        before_part_.fill(0);
        one_block_ = n_blocks == 1;
    }
    void insert(Index place) {
        rows_.data()[place / FewPositions::end].insert(place % FewPositions::end);
        before_row_.data()[place / block].raise_after(place % block / FewPositions::end);
        if (one_block_) return;
        before_block_.data()[place / part].raise_after(place % part / block);
        before_part_.change(place / part, [](Index& node, std::size_t) { ++node; });
    }
    Index count_before(Index place) const {
        Index count = rows_.data()[place / FewPositions::end].count_before(place % FewPositions::end) +
                      before_row_.data()[place / block][place % block / FewPositions::end];
        if (one_block_) return count;
        count += before_block_.data()[place / part][place % part / block];
        before_part_.visit_before(place / part, [&](Index node, std::size_t) { count += node; });
        return count;
    }

private:
    static constexpr Index block = FewPositions::end * fan_out, part = block * fan_out;

    Buffer<FewPositions> rows_;
    Buffer<CountsBefore<16>> before_row_;
    Buffer<CountsBefore<32>> before_block_;
    Fenwick<Index> before_part_;
    bool one_block_ = true;
};

}  // namespace concordant
