// Rankings of few distinct scores, such as grades: each score becomes a small number, its code. What looks
// only at the order of the items is then computed from a table of pairs of codes (sums/coded.hpp), without
// sorting. Whether there are few is found while the scores are read; continuous scores show after a few items
// that there are many.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "../buffer.hpp"
#include "../interrupt.hpp"
#include "windows.hpp"

namespace concordant {

using Code = std::uint8_t;
constexpr std::size_t largest_number_of_codes = 64;

// Up to so many distinct scores are few among n: more would make the table as long as the rankings.
inline std::size_t most_codes(std::size_t n) { return std::min(largest_number_of_codes, n / 8); }

inline std::uint64_t bits_of_score(double score) {
    return std::bit_cast<std::uint64_t>(score + 0.0);  // -0.0 is 0.0
}
// A number below 256.
inline std::size_t hash_of_bits(std::uint64_t bits) {
    return (bits ^ (bits >> 29)) * 0x9e3779b97f4a7c15ULL >> 56;
}

// Do the first scores show that there are more distinct ones? So many that most of their hashes differ, if
// they are continuous; it takes half the time of finding out by numbering them.
inline bool surely_more(const double* scores, std::size_t n, std::size_t most) {
    if (n < 4 || scores[0] == scores[1] || scores[0] == scores[2] || scores[1] == scores[2] ||
        scores[2] == scores[3])
        return false;  // grades, as likely as not
    const std::size_t some = std::min(n, most + most / 2 + 8);
    if (most < 24) {
        std::uint64_t taken = 0;
        for (std::size_t i = 0; i < some; ++i)
            taken |= std::uint64_t{1} << (hash_of_bits(bits_of_score(scores[i])) % 64);
        return static_cast<std::size_t>(std::popcount(taken)) > most;
    }
    std::array<std::uint8_t, 256> taken{};
    for (std::size_t i = 0; i < some; ++i) taken[hash_of_bits(bits_of_score(scores[i]))] = 1;
    unsigned count = 0;
    for (const std::uint8_t each : taken) count += each;
    return count > most;
}

// Numbers distinct scores in the order in which they come.
class CodeReader {
public:
    explicit CodeReader(std::size_t most) : most_(most), last_(std::bit_ceil(4 * most) - 1) {
        std::fill_n(keys_.begin(), last_ + 1, empty);
    }

    // Write the codes of some scores; false if there are more distinct scores than there may be.
    bool append(const double* scores, std::size_t n, Code* codes) {
        bool few = true;
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint64_t bits = bits_of_score(scores[i]);
            std::size_t slot = hash_of_bits(bits) & last_;
            if (keys_[slot] != bits && !(few = find(bits, slot))) break;
            codes[i] = codes_[slot];
        }
        return few;
    }
    std::size_t count() const { return count_; }
    double score(std::size_t code) const { return scores_[code]; }

private:
    static constexpr std::uint64_t empty = std::uint64_t{1} << 63;  // -0.0, which is no key

    // Move to the slot of a score, which gets one if it is new.
    bool find(std::uint64_t bits, std::size_t& slot) {
        while (keys_[slot] != bits && keys_[slot] != empty) slot = (slot + 1) & last_;
        if (keys_[slot] == bits) return true;
        if (count_ == most_) return false;
        keys_[slot] = bits;
        scores_[count_] = std::bit_cast<double>(bits);
        codes_[slot] = static_cast<Code>(count_++);
        return true;
    }

    std::size_t most_, last_, count_ = 0;  // slots are numbered up to `last_`
    std::array<std::uint64_t, 256> keys_;
    std::array<Code, 256> codes_;
    std::array<double, largest_number_of_codes> scores_;
};

// The codes of a ranking, and the order of their scores: the grade of the best score is 0.
class Codes {
public:
    using CodeWindows = std::array<Window, largest_number_of_codes>;  // by grade: the grades tied with it

    // False if the scores are not few.
    bool read(const double* scores, std::size_t n) {
        if (surely_more(scores, n, most_codes(n))) return false;
        CodeReader reader(most_codes(n));
        constexpr std::size_t block = std::size_t{1} << 18;
        Code* out = codes_.reserve(n);
        for (std::size_t start = 0; start < n; start += block) {
            if (start > 0) checkpoint();
            if (!reader.append(scores + start, std::min(block, n - start), out + start)) return false;
        }
        order(reader);
        return true;
    }
    // Memory for codes that the caller reads itself, and then orders.
    Code* reserve(std::size_t n) { return codes_.reserve(n); }

    void order(const CodeReader& reader) {
        count_ = reader.count();
        std::array<Code, largest_number_of_codes> best_first;
        for (std::size_t c = 0; c < count_; ++c) best_first[c] = static_cast<Code>(c);
        for (std::size_t c = 1; c < count_; ++c) {  // few: each goes up to its place
            std::size_t g = c;
            for (; g > 0 && reader.score(best_first[g - 1]) < reader.score(static_cast<Code>(c)); --g)
                best_first[g] = best_first[g - 1];
            best_first[g] = static_cast<Code>(c);
        }
        largest_ = 0;
        finite_ = true;
        for (std::size_t g = 0; g < count_; ++g) {
            grade_[best_first[g]] = static_cast<Code>(g);
            scores_[g] = reader.score(best_first[g]);
            finite_ = finite_ && std::isfinite(scores_[g]);
            largest_ = std::max(largest_, std::abs(scores_[g]));
        }
    }
    void find_windows(double threshold, CodeWindows& out) const {
        const double tie = threshold == 0.0 ? 0.0 : largest_tie(threshold, largest_);
        for (Index g = 0, first = 0, last = 0; g < count_; ++g) {
            while (beyond(scores_[first], scores_[g], tie)) ++first;
            while (last < count_ && !beyond(scores_[g], scores_[last], tie)) ++last;
            out[g] = {first, last};
        }
    }
    // The items from the best score to the worst, equal scores by index; and where each of them stands.
    void sort(std::size_t n, Index* order, Index* position) const {
        std::array<Index, largest_number_of_codes> next{};
        const Code* codes = codes_.data();
        with_pauses(n, [&](std::size_t i) { ++next[grade_[codes[i]]]; });
        Index start = 0;
        for (std::size_t g = 0; g < count_; ++g) start += std::exchange(next[g], start);
        with_pauses(n, [&](std::size_t i) {
            position[i] = next[grade_[codes[i]]]++;
            order[position[i]] = static_cast<Index>(i);
        });
    }

    const Code* data() const { return codes_.data(); }
    std::size_t count() const { return count_; }
    std::size_t grade(std::size_t code) const { return grade_[code]; }
    bool finite() const { return finite_; }
    double largest() const { return largest_; }  // magnitude of a score

private:
    Buffer<Code> codes_;  // by item
    std::size_t count_ = 0;
    bool finite_ = true;
    double largest_ = 0;
    std::array<Code, largest_number_of_codes> grade_;
    std::array<double, largest_number_of_codes> scores_;  // by grade
};

}  // namespace concordant
