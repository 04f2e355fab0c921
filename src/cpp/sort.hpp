// Sorting by value, largest first.
//
// A double becomes a 64-bit key that sorts like it; the low bits of the key give way to the item's index, so that one
// word carries both and the sort moves nothing else. Keys that differ only in the bits given up are put right
// afterwards, within their run. Short rankings take a merge without branches, others a radix sort of the leading bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "buffer.hpp"

namespace concordant {

// Smaller keys for larger values; adding 0.0 makes -0.0 and 0.0 one value.
inline std::uint64_t descending_key(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    const std::uint64_t negative = ~(bits >> 63) + 1;  // all ones or none
    return bits ^ (~negative & 0x7fffffffffffffffULL);
}

// a if `first`, else b, without a branch: which of two keys is smaller cannot be predicted.
inline std::uint64_t select(bool first, std::uint64_t a, std::uint64_t b) {
    return b ^ ((a ^ b) & (~std::uint64_t{first} + 1));
}

// Merge two sorted runs, the second as long as the first or one longer, from both ends at once: each end takes as many
// steps as the first run is long, so neither can leave the runs and no bound is tested.
inline void merge(const std::uint64_t* left, std::size_t size_left, const std::uint64_t* right, std::size_t size_right,
                  std::uint64_t* out) {
    const std::uint64_t* left_end = left + size_left - 1;
    const std::uint64_t* right_end = right + size_right - 1;
    std::uint64_t* out_end = out + size_left + size_right - 1;
    for (std::size_t step = 0; step < size_left; ++step) {
        const bool take_left = *left < *right;
        *out++ = select(take_left, *left, *right);
        left += take_left;
        right += !take_left;
        const bool take_left_end = *left_end > *right_end;
        *out_end-- = select(take_left_end, *left_end, *right_end);
        left_end -= take_left_end;
        right_end -= !take_left_end;
    }
    if (size_right > size_left) *out = left <= left_end ? *left : *right;
}

inline void order_two(std::uint64_t& a, std::uint64_t& b) {
    const bool in_order = a < b;
    const std::uint64_t low = select(in_order, a, b);
    b = select(in_order, b, a);
    a = low;
}

// Sort keys[0, size), using `spare` of the same size; the result is in `keys`, or in `spare` if `into_spare`.
inline void merge_sort(std::uint64_t* keys, std::uint64_t* spare, std::size_t size, bool into_spare) {
    if (size <= 4) {
        if (size == 4) {
            order_two(keys[0], keys[1]);
            order_two(keys[2], keys[3]);
            order_two(keys[0], keys[2]);
            order_two(keys[1], keys[3]);
            order_two(keys[1], keys[2]);
        } else if (size == 3) {
            order_two(keys[0], keys[1]);
            order_two(keys[1], keys[2]);
            order_two(keys[0], keys[1]);
        } else if (size == 2) {
            order_two(keys[0], keys[1]);
        }
        if (into_spare) std::copy_n(keys, size, spare);
        return;
    }
    const std::size_t half = size / 2;
    merge_sort(keys, spare, half, !into_spare);
    merge_sort(keys + half, spare + half, size - half, !into_spare);
    const std::uint64_t* from = into_spare ? keys : spare;
    merge(from, half, from + half, size - half, into_spare ? spare : keys);
}

constexpr int widest_digit = 11;  // 2048 counters stay in the first-level cache

// Sort by the leading bits of the keys, `passes` digits of `width` bits, then put right what those leave in one run:
// keys that differ in the bits not looked at. Returns the array that holds the result.
template <int passes>
std::uint64_t* radix_sort(std::uint64_t* keys, std::uint64_t* spare, std::size_t size, int width) {
    const std::size_t digits = std::size_t{1} << width;
    const int low_bit = 64 - passes * width;
    const auto digit = [=](std::uint64_t key, int pass) { return (key >> (low_bit + pass * width)) & (digits - 1); };
    std::array<std::array<std::uint32_t, 1 << widest_digit>, passes> count;
    for (auto& each : count) std::fill_n(each.data(), digits, 0);
    for (std::size_t i = 0; i < size; ++i) {
        for (int pass = 0; pass < passes; ++pass) ++count[static_cast<std::size_t>(pass)][digit(keys[i], pass)];
    }
    for (int pass = 0; pass < passes; ++pass) {
        std::uint32_t* place = count[static_cast<std::size_t>(pass)].data();
        if (place[digit(keys[0], pass)] == size) continue;  // all alike in this digit
        std::uint32_t start = 0;
        for (std::size_t value = 0; value < digits; ++value) start += std::exchange(place[value], start);
        for (std::size_t i = 0; i < size; ++i) spare[place[digit(keys[i], pass)]++] = keys[i];
        std::swap(keys, spare);
    }
    for (std::size_t i = 1; i < size; ++i) {
        if (keys[i - 1] < keys[i]) continue;
        const std::uint64_t run = keys[i] >> low_bit;
        std::size_t start = i - 1, end = i + 1;
        while (start > 0 && keys[start - 1] >> low_bit == run) --start;
        while (end < size && keys[end] >> low_bit == run) ++end;
        merge_sort(keys + start, spare + start, end - start, false);
        i = end;
    }
    return keys;
}

inline std::uint64_t* radix_sort(std::uint64_t* keys, std::uint64_t* spare, std::size_t size) {
    const int bits = static_cast<int>(std::bit_width(size)) + 8;  // about one key in 512 shares them with another
    if (bits <= 2 * widest_digit) return radix_sort<2>(keys, spare, size, (bits + 1) / 2);
    if (bits <= 3 * widest_digit) return radix_sort<3>(keys, spare, size, (bits + 2) / 3);
    return radix_sort<4>(keys, spare, size, (bits + 3) / 4);
}

// Write to order[0, size) the items from the largest value to the smallest, equal values by index. Returns whether any
// two values are equal. Values must be finite.
inline bool sort_descending(const double* values, std::size_t size, Buffer<std::uint64_t>& memory,
                            std::uint32_t* order) {
    constexpr std::size_t merge_below = 128;  // measured: radix wins above
    if (size == 0) return false;
    std::uint64_t* keys = memory.reserve(2 * size);
    std::uint64_t* spare = keys + size;
    const int index_bits = static_cast<int>(std::bit_width(size - 1));
    const std::uint64_t index_mask = (1ULL << index_bits) - 1;
    if (size < merge_below) {
        for (std::size_t i = 0; i < size; ++i) keys[i] = (descending_key(values[i]) & ~index_mask) | i;
        merge_sort(keys, spare, size, false);
    } else {
        // Values may share a long prefix (1e6 + small gaps): shift it out, so that the bits kept tell them apart.
        std::uint64_t low = ~0ULL, high = 0;
        for (std::size_t i = 0; i < size; ++i) {
            keys[i] = descending_key(values[i]);
            low = std::min(low, keys[i]);
            high = std::max(high, keys[i]);
        }
        const int prefix = high == low ? 0 : std::countl_zero(high - low);
        for (std::size_t i = 0; i < size; ++i) keys[i] = (((keys[i] - low) << prefix) & ~index_mask) | i;
        keys = radix_sort(keys, spare, size);
    }
    bool equal_values = false;
    for (std::size_t i = 0; i < size; ++i) order[i] = static_cast<std::uint32_t>(keys[i] & index_mask);
    for (std::size_t i = 1; i < size; ++i) {
        if ((keys[i] ^ keys[i - 1]) & ~index_mask) continue;
        const std::size_t start = i - 1;
        bool same = true;
        for (; i < size && !((keys[i] ^ keys[start]) & ~index_mask); ++i) {
            same = same && values[order[i]] == values[order[start]];
        }
        if (!same) {
            std::sort(order + start, order + i, [values](std::uint32_t a, std::uint32_t b) {
                return values[a] > values[b] || (values[a] == values[b] && a < b);
            });
        }
        for (std::size_t k = start + 1; k < i && !equal_values; ++k) {
            equal_values = values[order[k]] == values[order[k - 1]];
        }
    }
    return equal_values;
}

}  // namespace concordant
