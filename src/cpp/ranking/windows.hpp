// The ties of a ranking: for every position, the window of positions tied with it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "../buffer.hpp"
#include "../interrupt.hpp"
#include "sort.hpp"

namespace concordant {

// The largest difference of two scores that is a tie: the threshold, with a slack for the rounding of the
// scores themselves, so that 0.4 and 0.3 tie at 0.1. A threshold of 0 has no slack. The slack is one for the
// whole ranking. If it depended on the two scores, `beyond` would not be monotone in them, and windows would
// not be ranges.
constexpr double slack_of_one = 4 * std::numeric_limits<double>::epsilon();  // for a score of 1
inline double largest_tie(double threshold, double largest_score) {
    return threshold + slack_of_one * largest_score;
}

// Does the slack exceed a thousandth of the threshold? Then the threshold no longer says what is a tie.
constexpr double largest_slack = 1e-3;
inline bool is_widened(double threshold, double largest_score) {
    return threshold > 0 && slack_of_one * largest_score > largest_slack * threshold;
}

// Is `high` above `low` by more than a tie? The comparison is a subtraction: `high > low + tie` rounds
// differently on each side.
inline bool beyond(double high, double low, double tie) { return high - low > tie; }

// The positions tied with position k are [first, last): those before are above it by more than the threshold,
// those after are below. Both bounds never decrease with k.
struct Window {
    Index first, last;
};

struct Windows {
    Buffer<Window> at;  // by position
    double threshold = 0;
    bool ties = false;         // is any window wider than its own position?
    std::uint64_t untied = 0;  // pairs that are not tied
    Index top = 0;             // positions with nothing above them
    Index levels = 0;          // positions that begin a window; without a threshold, distinct scores
    Index plain = 0;           // so many windows in memory hold their own position only
};

// Scores from the largest to the smallest, kept as bit patterns in the words of the sort.
class SortedScores {
public:
    SortedScores(const double* values, const Index* order, Index size, SortScratch& scratch)
        : bits_(scratch.sorted ? scratch.sorted : scratch.words.reserve(size)) {
        if (scratch.sorted) return;
        with_pauses(size,
                    [=, this](std::size_t k) { bits_[k] = std::bit_cast<std::uint64_t>(values[order[k]]); });
    }
    double operator[](Index k) const { return std::bit_cast<double>(bits_[k]); }

    // How many of the first `end` scores are beyond the value.
    Index n_beyond(Index end, double value, double tie) const {
        const auto above = [=](std::uint64_t bits) {
            return beyond(std::bit_cast<double>(bits), value, tie);
        };
        return static_cast<Index>(std::partition_point(bits_, bits_ + end, above) - bits_);
    }

private:
    std::uint64_t* bits_;
};

// Windows of equal scores. Where one begins cannot be predicted, so no branch depends on it.
inline void find_equal(const SortedScores& sorted, Index size, Window* at) {
    Index first = 0;
    at[0].first = 0;
    for (Index k = 1; k < size; ++k) {
        first = std::max(first, k * static_cast<Index>(sorted[k] != sorted[k - 1]));
        at[k].first = first;
    }
    Index last = size;
    for (Index k = size; k-- > 0;) {
        at[k].last = last;
        last = std::min(last, k + size * static_cast<Index>(at[k].first != k));
    }
}

// Windows under a threshold. How far a window reaches cannot be predicted, so no branch depends on it: of two
// pointers, one moves at each step. Four parts of the ranking take their steps side by side, because each
// step waits for the one before it.
inline void find_within(const SortedScores& sorted, Index size, double tie, Window* at) {
    constexpr Index parts = 4;
    std::array<Index, parts> first{}, k{}, end{};
    for (Index part = 0; part < parts; ++part) {
        k[part] = static_cast<Index>(std::uint64_t{size} * part / parts);
        end[part] = static_cast<Index>(std::uint64_t{size} * (part + 1) / parts);
        const double value = k[part] < size ? sorted[k[part]] : 0.0;
        first[part] = sorted.n_beyond(k[part], value, tie);
    }
    const auto step = [&](Index part) {
        const bool above = beyond(sorted[first[part]], sorted[k[part]], tie);
        at[k[part]].first = first[part];
        first[part] += above;
        k[part] += !above;
    };
    while (k[0] < end[0] && k[1] < end[1] && k[2] < end[2] && k[3] < end[3]) {
        for (Index part = 0; part < parts; ++part) step(part);
    }
    for (Index part = 0; part < parts; ++part) {
        while (k[part] < end[part]) step(part);
    }
    checkpoint_if_long(size);
    // A window ends before the next position whose own window starts after it.
    for (Index p = 0; p < size; ++p) at[p].last = size;
    for (Index p = size; p-- > 0;) {
        if (at[p].first > 0) at[at[p].first - 1].last = p;
    }
    for (Index p = size - 1; p-- > 0;) at[p].last = std::min(at[p].last, at[p + 1].last);
}

// The ties of sorted scores. `equal_values` says whether any two scores are equal.
inline void find_windows(const double* values, const Index* order, Index size, bool equal_values,
                         double threshold, double largest_score, SortScratch& scratch, Windows& out) {
    out.threshold = threshold;
    out.ties = false;
    out.untied = std::uint64_t{size} * (size - (size > 0)) / 2;
    out.top = size > 0;
    out.levels = size;
    if (size == 0) return;
    checkpoint_if_long(size);
    if (out.at.data() == nullptr) out.plain = 0;
    Window* at = out.at.reserve(size);
    if (threshold == 0.0 && !equal_values) {
        for (Index k = 0; k < size && out.plain < size; ++k) at[k] = {k, k + 1};
        out.plain = std::max(out.plain, size);
        return;
    }
    out.plain = 0;
    const SortedScores sorted(values, order, size, scratch);
    if (threshold == 0.0) {
        find_equal(sorted, size, at);
    } else {
        find_within(sorted, size, largest_tie(threshold, largest_score), at);
    }
    checkpoint_if_long(size);
    std::uint64_t untied = 0;
    Index levels = 0;
    for (Index k = 0; k < size; ++k) {
        untied += at[k].first;
        levels += at[k].first == k;
    }
    out.levels = levels;
    out.ties = untied != out.untied;
    out.untied = untied;
    out.top = at[0].last;
}

}  // namespace concordant
