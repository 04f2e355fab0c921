// Integers as items: the same integer gets the same code in all lists.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../buffer.hpp"
#include "../compiler.hpp"
#include "../interrupt.hpp"

namespace concordant {

struct Numbering {
    std::size_t n_codes = 0;
    std::int64_t repeated = -1;  // the place of an item that its list has twice
};

// Lists laid end to end. Values within a small range are codes themselves; others go through a hash table.
class Numberer {
public:
    Numbering number(const std::int64_t* values, const std::int64_t* offsets, std::size_t count,
                     std::int64_t* codes) {
        const auto size = static_cast<std::size_t>(offsets[count]);
        if (size == 0) return {};
        const auto [least, most] = std::minmax_element(values, values + size);
        const std::uint64_t range = static_cast<std::uint64_t>(*most) - static_cast<std::uint64_t>(*least);
        if (range < 4 * size + 1024) return shifted(values, *least, range + 1, offsets, count, codes);
        return hashed(values, size, offsets, count, codes);
    }

private:
    struct Slot {
        std::int64_t value;
        std::int32_t code, row;  // row + 1 of the latest list that has it; 0 for an empty slot
    };

    static Numbering shifted(const std::int64_t* values, std::int64_t least, std::size_t n_codes,
                             const std::int64_t* offsets, std::size_t count, std::int64_t* codes) {
        std::vector<std::int32_t> row_of(n_codes, 0);
        for (std::size_t row = 0; row < count; ++row) {
            const auto mark = static_cast<std::int32_t>(row + 1);
            for (std::int64_t k = offsets[row]; k < offsets[row + 1]; ++k) {
                if ((k & 0xffff) == 0) checkpoint();
                const std::uint64_t code =
                    static_cast<std::uint64_t>(values[k]) - static_cast<std::uint64_t>(least);
                if (row_of[code] == mark) return {0, k};
                row_of[code] = mark;
                codes[k] = static_cast<std::int64_t>(code);
            }
        }
        return {n_codes, -1};
    }

    static std::uint64_t mixed(std::int64_t value) {  // the finaliser of splitmix64
        auto z = static_cast<std::uint64_t>(value) + 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    Numbering hashed(const std::int64_t* values, std::size_t size, const std::int64_t* offsets,
                     std::size_t count, std::int64_t* codes) {
        const std::size_t capacity = std::bit_ceil(size + size / 2 + 16), mask = capacity - 1;
        Slot* slots = slots_.reserve(capacity);
        std::fill_n(slots, capacity, Slot{0, 0, 0});
        std::int32_t n_codes = 0;
        constexpr std::int64_t block = 32;  // slots that are fetched together
        std::array<std::size_t, block> places{};
        Pace pace;
        for (std::size_t row = 0; row < count; ++row) {
            const auto mark = static_cast<std::int32_t>(row + 1);
            for (std::int64_t start = offsets[row]; start < offsets[row + 1]; start += block) {
                const std::int64_t n = std::min(block, offsets[row + 1] - start);
                pace.after(static_cast<std::size_t>(n));
                for (std::int64_t k = 0; k < n; ++k) {
                    const std::size_t place = mixed(values[start + k]) & mask;
                    places[static_cast<std::size_t>(k)] = place;
                    prefetch(slots + place);
                }
                for (std::int64_t k = 0; k < n; ++k) {
                    const std::int64_t value = values[start + k];
                    std::size_t place = places[static_cast<std::size_t>(k)];
                    while (slots[place].row != 0 && slots[place].value != value) place = (place + 1) & mask;
                    Slot& slot = slots[place];
                    if (slot.row == mark) return {0, start + k};
                    if (slot.row == 0) slot = {value, n_codes++, mark};
                    slot.row = mark;
                    codes[start + k] = slot.code;
                }
            }
        }
        return {static_cast<std::size_t>(n_codes), -1};
    }

    Buffer<Slot> slots_;
};

}  // namespace concordant
