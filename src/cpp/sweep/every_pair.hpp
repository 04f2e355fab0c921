// The discordant pairs of few items, by looking at every pair, eight at a time: faster than sorting. It can
// tell only where no scores are tied, or nearly so.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "../compiler.hpp"
#include "../ranking/sort.hpp"
#ifdef CONCORDANT_FOR_AVX2
#include <immintrin.h>
#endif

namespace concordant {

class EveryPair {
public:
    static constexpr std::size_t most = 350;  // items; for more, sorting is faster, as measured

    // Returns the number of discordant pairs of at least two items; -1 if it cannot tell.
    std::int64_t discordant([[maybe_unused]] const double* x, [[maybe_unused]] const double* y,
                            [[maybe_unused]] std::size_t size) {
#ifdef CONCORDANT_FOR_AVX2
        if (!has_avx2 || size > most) return -1;
        if (passed_over_ > 0) {
            --passed_over_;
            return -1;
        }
        const std::int64_t found = count(x, y, size);
        constexpr unsigned some = 15;
        if (found < 0) passed_over_ = some;  // if these have ties, the next ones will, too
        return found;
#else
        return -1;
#endif
    }

private:
#ifdef CONCORDANT_FOR_AVX2
    static constexpr std::size_t lanes = 8;
    // The keys of the items, and again of the first ones: at distance s behind item i is item (i + s) mod n.
    using Keys = std::array<std::uint32_t, most + most / 2 + lanes>;

    CONCORDANT_FOR_AVX2 static void read(const double* values, std::size_t size, Keys& keys) {
        short_keys<most>(values, size, [&](std::size_t i, std::uint32_t key) { keys[i] = key; });
        for (std::size_t i = 0; i < size / 2 + lanes; ++i) keys[size + i] = keys[i];
    }
    CONCORDANT_FOR_AVX2 static __m256i load(const std::uint32_t* from) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    }
    CONCORDANT_FOR_AVX2 static std::array<std::uint32_t, lanes> stored(__m256i lane) {
        std::array<std::uint32_t, lanes> out;
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out.data()), lane);
        return out;
    }

    // Eight items, or those at a distance behind them; the smallest gap to these is 0 if two keys are equal.
    struct Side {
        __m256i here, nearest;

        CONCORDANT_FOR_AVX2 __m256i gap(const std::uint32_t* there) {
            const __m256i found = _mm256_sub_epi32(load(there), here);
            nearest = _mm256_min_epu32(nearest, found);
            return found;
        }
    };
    // Keys are below 2^31, so that the sign of a difference of two tells their order.
    CONCORDANT_FOR_AVX2 static __m256i are_discordant(__m256i gap_x, __m256i gap_y) {
        return _mm256_srli_epi32(_mm256_xor_si256(gap_x, gap_y), 31);
    }

    CONCORDANT_FOR_AVX2 std::int64_t count(const double* x, const double* y, std::size_t size) {
        read(x, size, keys_x_);
        read(y, size, keys_y_);
        const std::size_t half = size / 2;
        std::int64_t total = 0;
        Side side_x{{}, _mm256_set1_epi32(-1)}, side_y = side_x;
        for (std::size_t i = 0; i < size; i += lanes) {
            const std::uint32_t *from_x = &keys_x_[i], *from_y = &keys_y_[i];
            side_x.here = load(from_x);
            side_y.here = load(from_y);
            __m256i found = _mm256_setzero_si256();
            for (std::size_t k = 1; k <= (size - 1) / 2; ++k)
                found =
                    _mm256_add_epi32(found, are_discordant(side_x.gap(from_x + k), side_y.gap(from_y + k)));
            const auto each = stored(found);
            for (std::size_t lane = 0; lane < std::min(lanes, size - i); ++lane) total += each[lane];
            if (size % 2 != 0 || i >= half) continue;
            // Half way round, each pair comes twice.
            const auto across = stored(are_discordant(side_x.gap(from_x + half), side_y.gap(from_y + half)));
            for (std::size_t lane = 0; lane < std::min(lanes, half - i); ++lane) total += across[lane];
        }
        for (const std::uint32_t gap : stored(_mm256_min_epu32(side_x.nearest, side_y.nearest))) {
            if (gap == 0) return -1;
        }
        return total;
    }

    Keys keys_x_, keys_y_;
    unsigned passed_over_ = 0;  // so many calls do not try
#endif
};

}  // namespace concordant
