// The core for the playground: plain functions that WebAssembly exports, over memory that the page writes to.
//
// The page reserves memory for its scores, and asks for the fields of many pairs of rankings. Resamples of
// topics and random orders are drawn as NumPy draws them, so that the page and the command use the same ones.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "../../src/cpp/fields.hpp"
#include "../../src/cpp/round.hpp"
#include "../../src/cpp/scratch.hpp"
#include "../../src/cpp/sums/pair_sums.hpp"

#define EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace {

using namespace concordant;

// NumPy's default generator: PCG64 (XSL-RR), seeded by SeedSequence with one word of 32 bits.
class Random {
public:
    explicit Random(std::uint32_t seed) {
        std::uint32_t hash = 0x43b0d7e5;
        const auto mixed = [&](std::uint32_t value) {
            value ^= hash;
            hash *= 0x931e8875;
            value *= hash;
            return value ^ (value >> 16);
        };
        const auto joined = [](std::uint32_t a, std::uint32_t b) {
            const std::uint32_t value = a * 0xca01f9ddU - b * 0x4973f715U;
            return value ^ (value >> 16);
        };
        std::array<std::uint32_t, 4> pool = {mixed(seed), mixed(0), mixed(0), mixed(0)};
        for (std::size_t from = 0; from < 4; ++from) {
            for (std::size_t to = 0; to < 4; ++to) {
                if (from != to) pool[to] = joined(pool[to], mixed(pool[from]));
            }
        }
        std::array<std::uint64_t, 4> words{};
        std::uint32_t other = 0x8b51f9dd;
        for (std::size_t k = 0; k < 8; ++k) {
            std::uint32_t value = pool[k % 4] ^ other;
            other *= 0x58f38ded;
            value *= other;
            words[k / 2] |= static_cast<std::uint64_t>(value ^ (value >> 16)) << (32 * (k % 2));
        }
        const auto wide = [](std::uint64_t high, std::uint64_t low) { return (Wide{high} << 64) | low; };
        step_ = (wide(words[2], words[3]) << 1) | 1;
        state_ = (step_ + wide(words[0], words[1])) * factor + step_;
    }

    // A whole number below `end`, each equally likely (Lemire's method), from 32 bits at a time.
    std::uint32_t below(std::uint32_t end) {
        std::uint64_t product = std::uint64_t{next()} * end;
        if (static_cast<std::uint32_t>(product) < end) {
            const std::uint32_t least = (0U - end) % end;
            while (static_cast<std::uint32_t>(product) < least) product = std::uint64_t{next()} * end;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

    // The same up to `last`, by another method: from as many bits as `last` has, again if they are too many.
    std::uint32_t up_to(std::uint32_t last) {
        const std::uint32_t mask = std::bit_ceil(last + 1) - 1;
        std::uint32_t value = next() & mask;
        while (value > last) value = next() & mask;
        return value;
    }

private:
    using Wide = unsigned __int128;
    static constexpr Wide factor = (Wide{0x2360ed051fc65da4} << 64) | 0x4385df649fccf645;

    std::uint32_t next() {
        if (has_half_) {
            has_half_ = false;
            return half_;
        }
        state_ = state_ * factor + step_;
        const auto high = static_cast<std::uint64_t>(state_ >> 64);
        const std::uint64_t word =
            std::rotr(high ^ static_cast<std::uint64_t>(state_), static_cast<int>(high >> 58));
        has_half_ = true;
        half_ = static_cast<std::uint32_t>(word >> 32);
        return static_cast<std::uint32_t>(word);
    }

    Wide state_ = 0, step_ = 0;
    std::uint32_t half_ = 0;
    bool has_half_ = false;
};

Random stream(0);  // draws go on where the last ones ended; `start` begins anew

}  // namespace

// The page stops where the library would throw: without memory. No other work is interrupted.
extern "C" void* __cxa_allocate_exception(std::size_t) noexcept { std::abort(); }
extern "C" [[noreturn]] void __cxa_throw(void*, void*, void (*)(void*)) { std::abort(); }

EXPORT(reserve) void* reserve(std::size_t bytes) { return std::malloc(bytes); }
EXPORT(release) void release(void* memory) { std::free(memory); }
EXPORT(field_name) const char* field_name(std::size_t k) {
    return k < n_fields ? field_table[k].name : nullptr;
}
EXPORT(erfc) double erfc_of(double value) { return std::erfc(value); }

EXPORT(start) void start(std::uint32_t seed) { stream = Random(seed); }

// Write all fields of each row of x with the same row of y, rows x fields. Returns 0 if one has no meaning.
EXPORT(fields)
bool fields(const double* x, const double* y, std::size_t rows, std::size_t size, double* out) {
    constexpr double exact = 0.0;
    SortScratch sort;
    PairScratch scratch;
    Ranking rx, ry;
    bool good = true;
    for (std::size_t row = 0; row < rows; ++row) {
        rx.prepare(x + row * size, size, {&exact, 1}, preparation_of_x(all_needs), sort);
        ry.prepare(y + row * size, size, {&exact, 1}, preparation_of_y(all_needs), sort);
        const bool finite = rx.finite && ry.finite;
        const Sums sums = finite ? pair_sums(rx, ry, 0, all_needs, scratch) : Sums{};
        good = good && finite && !sums.lost;
        for (const FieldEntry& field : field_table) {
            *out++ = field.count != nullptr ? static_cast<double>(sums.*field.count) : sums.*field.real;
        }
    }
    return good;
}

// Write how often each of the topics is drawn, resamples x topics, as `rng.integers(0, topics, topics)`
// draws.
EXPORT(resamples) void resamples(std::size_t rows, std::uint32_t topics, double* counts) {
    std::fill_n(counts, rows * topics, 0.0);
    for (std::size_t row = 0; row < rows; ++row, counts += topics) {
        for (std::uint32_t k = 0; k < topics; ++k) counts[stream.below(topics)] += 1;
    }
}

// Write random orders of the values, rows x size, as `rng.permuted` draws them.
EXPORT(orders) void orders(std::size_t rows, const double* values, std::uint32_t size, double* out) {
    for (std::size_t row = 0; row < rows; ++row, out += size) {
        std::copy_n(values, size, out);
        for (std::uint32_t k = size - 1; k > 0; --k) std::swap(out[k], out[stream.up_to(k)]);
    }
}

// Write the means of the systems, rows x systems: a row of `counts` says how often each of the topics counts,
// and `scores` are topics x systems. The sums are those of `exact_sums` in scores/means.py. Means are rounded
// to 12 digits; `doubtful` marks those that the caller has to round.
EXPORT(means)
void means(const double* counts, std::size_t rows, std::size_t topics, const double* scores,
           std::size_t systems, double* out, std::uint8_t* doubtful) {
    double most = 1;
    for (std::size_t row = 0; row < rows; ++row) {
        double total = 0;
        for (std::size_t t = 0; t < topics; ++t) total += counts[row * topics + t];
        most = std::max(most, total);
    }
    const int width = 52 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most)));
    std::vector<double> high(topics * systems), low(topics * systems);
    std::vector<int> exponent(systems);
    for (std::size_t s = 0; s < systems; ++s) {
        double largest = 0;
        for (std::size_t t = 0; t < topics; ++t)
            largest = std::max(largest, std::fabs(scores[t * systems + s]));
        (void)std::frexp(largest, &exponent[s]);
        for (std::size_t t = 0; t < topics; ++t) {
            const double scaled = std::ldexp(scores[t * systems + s], -exponent[s]);
            double& top = high[t * systems + s];
            top = std::ldexp(std::nearbyint(std::ldexp(scaled, width)), -width);
            low[t * systems + s] =
                std::ldexp(std::nearbyint(std::ldexp(scaled - top, 2 * width)), -2 * width);
        }
    }
    std::vector<double> sums(systems), rest(systems);
    for (std::size_t row = 0; row < rows; ++row, counts += topics) {
        double total = 0;
        std::fill(sums.begin(), sums.end(), 0.0);
        std::fill(rest.begin(), rest.end(), 0.0);
        for (std::size_t t = 0; t < topics; ++t) {
            if (counts[t] == 0) continue;
            total += counts[t];
            for (std::size_t s = 0; s < systems; ++s) {
                sums[s] += counts[t] * high[t * systems + s];
                rest[s] += counts[t] * low[t * systems + s];
            }
        }
        for (std::size_t s = 0; s < systems; ++s) {
            *doubtful++ = !round_to_digits(std::ldexp(sums[s] + rest[s], exponent[s]) / total, *out);
            ++out;
        }
    }
}
