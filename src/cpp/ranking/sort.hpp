// Sorting by value, largest first.
//
// A double becomes an integer key that sorts like it. The low bits of the key are replaced by the index of
// the item, so that one word holds both and the sort moves nothing else. Keys that differ only in the
// replaced bits are sorted again afterwards, within their run. Neither sort has a branch that depends on the
// values: short rankings count for each key the smaller ones, four or eight keys at a time in vector
// registers; others take a radix sort of the leading bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "../buffer.hpp"
#include "../compiler.hpp"
#include "../interrupt.hpp"

namespace concordant {

using Index = std::uint32_t;  // an item, or a position in a ranking

// Rankings are shorter than this, so that sums of two counts fit in 32 bits.
constexpr std::size_t largest_size = std::size_t{1} << 31;

// Memory for preparing one ranking after another: first the keys of the sort, twice; afterwards the scores in
// order, as bit patterns (see SortedScores). The scores need the room when the keys are done with, so they
// share it.
struct SortScratch {
    Buffer<std::uint64_t> words;
    std::uint64_t* sorted = nullptr;  // the scores in order, if the sort left them behind

    // For a long ranking, release the half that only the sort needs.
    void shrink_after_sort(std::size_t size) {
        if (size <= (std::size_t{1} << 20)) return;
        sorted = nullptr;
        words.release();
        words.reserve(size);
    }
};

// Smaller keys for larger values; adding 0.0 makes -0.0 and 0.0 one value.
inline std::uint64_t descending_key(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    const std::uint64_t negative = ~(bits >> 63) + 1;  // all ones or none
    return bits ^ (~negative & 0x7fffffffffffffffULL);
}

inline double value_of_key(std::uint64_t key) {
    const std::uint64_t negative = ~(key >> 63) + 1;
    return std::bit_cast<double>(key ^ (~negative & 0x7fffffffffffffffULL));
}

// Values may share a long prefix (1e6 + small gaps): so many leading bits are shifted out of keys less the
// lowest one, so that the bits kept tell them apart.
inline int common_prefix(std::uint64_t low, std::uint64_t high) {
    return high == low ? 0 : std::countl_zero(high - low);
}

// Between the smallest positive and negative values lie most keys that there are: if both signs come, the
// leading bits tell little more than the sign. So the keys of each sign move up to that of zero. `low` and
// `high` are the ends of the keys. No branch depends on the signs, which come in any order.
constexpr std::uint64_t key_of_zero = 0x7fffffffffffffffULL;
inline void close_gaps(std::uint64_t* keys, std::size_t size, std::uint64_t& low, std::uint64_t& high) {
    const auto ones_if = [](bool wanted) { return ~static_cast<std::uint64_t>(wanted) + 1; };
    std::uint64_t above = 0, below = ~0ULL;
    with_pauses(size, [&](std::size_t i) {
        above = std::max(above, keys[i] & ones_if(keys[i] < key_of_zero));
        below = std::min(below, keys[i] | ~ones_if(keys[i] > key_of_zero));
    });
    const std::uint64_t down = key_of_zero - 1 - above;
    const std::uint64_t up = below - key_of_zero - 1;
    with_pauses(size, [=](std::size_t i) {
        keys[i] += (down & ones_if(keys[i] < key_of_zero)) - (up & ones_if(keys[i] > key_of_zero));
    });
    low += down;
    high -= up;
}

// Call write(i, key) for up to `most` values: of their keys 31 bits, from the leading one in which they
// differ.
template <std::size_t most, class Write>
CONCORDANT_ALWAYS_INLINE void short_keys(const double* values, std::size_t size, Write write) {
    std::array<std::uint64_t, most> wide;
    size = std::min(size, most);  // as compilers cannot know
    std::uint64_t low = ~0ULL, high = 0;
    for (std::size_t i = 0; i < size; ++i) {
        wide[i] = descending_key(values[i]);
        low = std::min(low, wide[i]);
        high = std::max(high, wide[i]);
    }
    const int prefix = common_prefix(low, high);
    for (std::size_t i = 0; i < size; ++i)
        write(i, static_cast<std::uint32_t>((wide[i] - low) << prefix >> 33));
}

// Sort the items of a few values by what counting says: how many keys are smaller than each. The keys are
// short ones with the index in place of the last bits: all different.
constexpr std::size_t most_counted = 200;
constexpr std::size_t most_lanes = 8;

struct FewKeys {
    std::array<std::int32_t, most_counted + most_lanes> keys, sorted;
    std::int32_t index = 0;  // the bits of the index
};

// Returns whether two keys differ by their index alone.
template <std::size_t lanes>
CONCORDANT_ALWAYS_INLINE bool count_sort(const double* values, std::size_t size, FewKeys& few, Index* order) {
    size = std::min(size, most_counted);  // as compilers cannot know
    const std::int32_t index = few.index;
    short_keys<most_counted>(values, size, [&](std::size_t i, std::uint32_t key) {
        few.keys[i] = (static_cast<std::int32_t>(key) & ~index) | static_cast<std::int32_t>(i);
    });
    const std::size_t whole = (size + lanes - 1) / lanes * lanes;
    std::fill(few.keys.begin() + size, few.keys.begin() + whole, std::numeric_limits<std::int32_t>::max());
    for (std::size_t i = 0; i < whole; i += lanes) {
        std::array<std::int32_t, lanes> key, smaller{};
        for (std::size_t lane = 0; lane < lanes; ++lane) key[lane] = few.keys[i + lane];
        for (std::size_t j = 0; j < size; ++j) {
            for (std::size_t lane = 0; lane < lanes; ++lane) smaller[lane] += few.keys[j] < key[lane];
        }
        for (std::size_t lane = 0; lane < lanes; ++lane)
            few.sorted[static_cast<std::size_t>(smaller[lane])] = key[lane];
    }
    std::int32_t near = 0;
    for (std::size_t i = 0; i < size; ++i) order[i] = static_cast<Index>(few.sorted[i] & index);
    for (std::size_t i = 1; i < size; ++i) near |= (few.sorted[i] ^ few.sorted[i - 1]) <= index;
    return near != 0;
}

// Up to so many values it is faster than the radix sort, as measured.
#ifdef CONCORDANT_FOR_AVX2
CONCORDANT_FOR_AVX2 inline bool count_sort_avx2(const double* values, std::size_t size, FewKeys& few,
                                                Index* order) {
    return count_sort<8>(values, size, few, order);
}
inline std::size_t counted_sizes() { return has_avx2 ? most_counted : 151; }
inline bool count_sort(const double* values, std::size_t size, FewKeys& few, Index* order) {
    return has_avx2 ? count_sort_avx2(values, size, few, order) : count_sort<4>(values, size, few, order);
}
#else
inline std::size_t counted_sizes() { return 151; }
inline bool count_sort(const double* values, std::size_t size, FewKeys& few, Index* order) {
    return count_sort<4>(values, size, few, order);
}
#endif

constexpr int widest_digit = 11;  // 2048 counters stay in the first-level cache

// Of so many neighbours that differ in the index alone, most will be tied scores.
inline std::size_t many_near(std::size_t size) { return std::max<std::size_t>(size / 64, 1); }

// Sort by the leading bits of the keys, `passes` digits of `width` bits; then sort the runs of keys that
// differ only in the other bits. Returns the array that holds the result. Counts in `near` the
// neighbours that may differ only in the bits of `index`, up to many.
template <std::size_t passes>
std::uint64_t* radix_sort(std::uint64_t* keys, std::uint64_t* spare, std::size_t size, int width,
                          std::uint64_t index, std::size_t& near) {
    const std::size_t digits = std::size_t{1} << width;
    const int low_bit = 64 - static_cast<int>(passes) * width;
    const auto digit = [=](std::uint64_t key, std::size_t pass) {
        return (key >> (low_bit + static_cast<int>(pass) * width)) & (digits - 1);
    };
    std::array<std::array<std::uint32_t, 1 << widest_digit>, passes> count;
    for (auto& each : count) std::fill_n(each.data(), digits, 0);
    with_pauses(size, [&](std::size_t i) {
        for (std::size_t pass = 0; pass < passes; ++pass) ++count[pass][digit(keys[i], pass)];
    });
    for (std::size_t pass = 0; pass < passes; ++pass) {
        checkpoint_if_long(size);
        std::uint32_t* place = count[pass].data();
        if (place[digit(keys[0], pass)] == size) continue;  // all equal in this digit
        std::uint32_t start = 0;
        for (std::size_t value = 0; value < digits; ++value) start += std::exchange(place[value], start);
        with_pauses(size, [=](std::size_t i) { spare[place[digit(keys[i], pass)]++] = keys[i]; });
        std::swap(keys, spare);
    }
    // Sort the run around i, which is not in order; return where it begins and ends.
    const auto sort_run = [=](std::size_t i) {
        const std::uint64_t run = keys[i] >> low_bit;
        std::size_t start = i - 1, end = i + 1;
        while (start > 0 && keys[start - 1] >> low_bit == run) --start;
        while (end < size && keys[end] >> low_bit == run) ++end;
        std::size_t compared = 0;
        std::sort(keys + start, keys + end, [&compared](std::uint64_t a, std::uint64_t b) {
            if ((++compared & 0xfffff) == 0) checkpoint();
            return a < b;
        });
        return std::pair{start, end};
    };
    std::size_t i = 1;
    for (; i < size && near < many_near(size); ++i) {
        if ((keys[i - 1] | index) < keys[i]) continue;
        if (keys[i - 1] < keys[i]) {
            ++near;
            continue;
        }
        const auto [start, end] = sort_run(i);
        for (i = start + 1; i < end; ++i) near += (keys[i - 1] | index) >= keys[i];
    }
    // Which of them are near could not be predicted any more.
    while (i < size) i = keys[i - 1] < keys[i] ? i + 1 : sort_run(i).second;
    return keys;
}

inline std::uint64_t* radix_sort(std::uint64_t* keys, std::uint64_t* spare, std::size_t size,
                                 std::uint64_t index, std::size_t& near) {
    // So many leading bits that about one key in 512 shares them with another.
    const int bits = static_cast<int>(std::bit_width(size)) + 8;
    if (bits <= 2 * widest_digit) return radix_sort<2>(keys, spare, size, (bits + 1) / 2, index, near);
    if (bits <= 3 * widest_digit) return radix_sort<3>(keys, spare, size, (bits + 2) / 3, index, near);
    return radix_sort<4>(keys, spare, size, (bits + 3) / 4, index, near);
}

// Sort the runs of items whose keys agree in all bits kept by their values; returns whether any two values
// are equal. key(k) is the key at position k without its index.
template <class Key>
bool repair_runs(const double* values, std::size_t size, Index* order, Key key) {
    bool equal_values = false;
    for (std::size_t i = 1; i < size; ++i) {
        if (key(i) != key(i - 1)) continue;
        const std::size_t start = i - 1;
        bool same = true;
        for (; i < size && key(i) == key(start); ++i) same = same && values[order[i]] == values[order[start]];
        if (!same) {
            std::size_t compared = 0;
            std::sort(order + start, order + i, [values, &compared](Index a, Index b) {
                if ((++compared & 0xfffff) == 0) checkpoint();
                return values[a] > values[b] || (values[a] == values[b] && a < b);
            });
        }
        for (std::size_t k = start + 1; k < i && !equal_values; ++k) {
            equal_values = values[order[k]] == values[order[k - 1]];
        }
    }
    return equal_values;
}

// Write to order[0, size) the items from the largest value to the smallest, equal values by index. Returns
// whether any two values are equal. Values must be finite.
inline bool sort_descending(const double* values, std::size_t size, SortScratch& scratch, Index* order) {
    scratch.sorted = nullptr;
    if (size == 0) return false;
    const std::uint64_t index = (std::uint64_t{1} << std::bit_width(size - 1)) - 1;
    if (size <= counted_sizes()) {
        FewKeys few;
        few.index = static_cast<std::int32_t>(index);
        if (!count_sort(values, size, few, order)) return false;
        return repair_runs(values, size, order, [&](std::size_t k) { return few.sorted[k] & ~few.index; });
    }
    std::uint64_t* keys = scratch.words.reserve(2 * size);
    // Two ends each, because each step waits for the one before it.
    std::array<std::uint64_t, 2> lows{~0ULL, ~0ULL}, highs{};
    with_pauses(size / 2, [&](std::size_t pair) {
        for (std::size_t one = 0; one < 2; ++one) {
            const std::uint64_t key = descending_key(values[2 * pair + one]);
            keys[2 * pair + one] = key;
            lows[one] = std::min(lows[one], key);
            highs[one] = std::max(highs[one], key);
        }
    });
    keys[size - 1] = descending_key(values[size - 1]);
    std::uint64_t low = std::min({lows[0], lows[1], keys[size - 1]});
    std::uint64_t high = std::max({highs[0], highs[1], keys[size - 1]});
    const bool both_signs = low < key_of_zero && high > key_of_zero;
    if (both_signs) close_gaps(keys, size, low, high);
    const int prefix = common_prefix(low, high);
    with_pauses(size, [=](std::size_t i) { keys[i] = (((keys[i] - low) << prefix) & ~index) | i; });
    std::size_t near = 0;
    keys = radix_sort(keys, keys + size, size, index, near);
    with_pauses(size, [=](std::size_t i) { order[i] = static_cast<Index>(keys[i] & index); });
    checkpoint_if_long(size);
    const auto key = [&](std::size_t k) { return keys[k] & ~index; };
    if (near == 0) return false;
    if (near < many_near(size)) return repair_runs(values, size, order, key);
    // The values in order tell the ties: from the keys, if these hold all of the values.
    std::uint64_t* sorted = scratch.sorted =
        keys == scratch.words.data() ? keys + size : scratch.words.data();
    std::uint64_t lost = 0;
    if (!both_signs) {
        with_pauses(size, [&](std::size_t i) { lost |= (descending_key(values[i]) - low) << prefix; });
        lost &= index;
    }
    if (!both_signs && lost == 0) {
        with_pauses(size, [=](std::size_t i) {
            sorted[i] = std::bit_cast<std::uint64_t>(value_of_key((key(i) >> prefix) + low));
        });
        return true;
    }
    bool equal = false, wrong = false;
    const auto gather = [&] {
        double before = std::numeric_limits<double>::infinity();
        with_pauses(size, [&](std::size_t i) {
            const double value = values[order[i]];
            equal |= value == before;
            wrong |= value > before;
            sorted[i] = std::bit_cast<std::uint64_t>(value);
            before = value;
        });
    };
    gather();
    if (wrong) {
        repair_runs(values, size, order, key);
        gather();
    }
    return equal;
}

}  // namespace concordant
