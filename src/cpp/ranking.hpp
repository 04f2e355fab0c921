// One ranking, prepared: its order, and for every position the window of positions tied with it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "buffer.hpp"
#include "sort.hpp"

namespace concordant {

using Index = std::uint32_t;

// Is `high` above `low` by more than the threshold? Differences up to w are ties, with a slack for the rounding of the
// scores themselves, so that 0.4 and 0.3 tie at 0.1; a threshold of 0 has none and is not for this function. The
// comparison is a subtraction: `high > low + w` rounds differently on each side.
inline bool beyond(double high, double low, double threshold) {
    constexpr double slack = 4 * std::numeric_limits<double>::epsilon();
    return high - low > threshold + slack * std::max(std::abs(high), std::abs(low));
}

// The positions tied with position k are [first, last): those before are above it beyond the threshold, those after are
// below. Both bounds never decrease with k.
struct Window {
    Index first, last;
};

struct Windows {
    Buffer<Window> at;  // by position
    double threshold = 0;
    bool ties = false;          // any window wider than its own position?
    std::uint64_t untied = 0;   // pairs that are not tied
    Index top = 0;              // positions with nothing above them
};

// How much of a ranking a request needs: its scores alone, its order, or also the ties of equal scores where the
// thresholds make others.
enum class Order { none, sorted, with_exact_ties };

class Ranking {
public:
    Index size = 0;
    bool finite = true;
    const double* values = nullptr;  // by item; the caller's
    Buffer<Index> order;           // items from best to worst
    Buffer<Index> position;        // the inverse: where each item stands
    std::vector<Windows> windows;  // one for each threshold

    // The scores must outlive the ranking. Scores that are not finite set `finite` to false, and nothing else.
    void prepare(const double* scores, std::size_t n, const std::vector<double>& thresholds, Order wanted,
                 Buffer<std::uint64_t>& memory) {
        values = scores;
        size = static_cast<Index>(n);
        std::uint64_t largest = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint64_t magnitude = std::bit_cast<std::uint64_t>(values[i]) << 1;
            largest = magnitude > largest ? magnitude : largest;
        }
        finite = largest < (0x7ffULL << 53);
        if (!finite || wanted == Order::none) return;
        Index* items = order.reserve(n);
        Index* places = position.reserve(n);
        const bool equal_values = sort_descending(values, n, memory, items);
        for (Index k = 0; k < size; ++k) places[items[k]] = k;
        if (windows.size() != thresholds.size()) windows.resize(thresholds.size());
        bool exact_found = false;
        for (std::size_t w = 0; w < thresholds.size(); ++w) {
            find_windows(equal_values, thresholds[w], memory, windows[w]);
            exact_found = exact_found || thresholds[w] == 0.0;
        }
        if (wanted == Order::with_exact_ties && !exact_found) find_windows(equal_values, 0.0, memory, exact_);
    }

    // The ties of equal values, whatever the thresholds; prepared on request.
    const Windows& exact_windows() const {
        for (const Windows& each : windows) {
            if (each.threshold == 0.0) return each;
        }
        return exact_;
    }

private:
    Windows exact_;

    void find_windows(bool equal_values, double threshold, Buffer<std::uint64_t>& memory, Windows& out) const {
        out.threshold = threshold;
        out.ties = false;
        out.untied = std::uint64_t{size} * (size - (size > 0)) / 2;
        out.top = size > 0;
        if (size == 0) return;
        Window* at = out.at.reserve(size);
        if (threshold == 0.0 && !equal_values) {
            for (Index k = 0; k < size; ++k) at[k] = {k, k + 1};
            return;
        }
        // The sort is done with its memory: the scores in order fit there.
        static_assert(sizeof(double) == sizeof(std::uint64_t));
        double* sorted = reinterpret_cast<double*>(memory.reserve(size));
        for (Index k = 0; k < size; ++k) sorted[k] = values[order.data()[k]];
        if (threshold == 0.0) {
            find_groups(sorted, at);
        } else {
            find_beyond(sorted, threshold, at);
        }
        std::uint64_t untied = 0;
        for (Index k = 0; k < size; ++k) untied += at[k].first;
        out.ties = untied != out.untied;
        out.untied = untied;
        out.top = at[0].last;
    }

    // Windows of equal scores.
    void find_groups(const double* sorted, Window* at) const {
        Index first = 0;
        for (Index k = 0; k < size; ++k) {
            first = sorted[k] == sorted[first] ? first : k;
            at[k].first = first;
        }
        Index last = size;
        for (Index k = size; k-- > 0;) {
            at[k].last = last;
            last = at[k].first == k ? k : last;
        }
    }

    // Windows under a threshold. How far a window reaches cannot be predicted, so no branch depends on it: of two
    // pointers, one moves at each step. Four parts of the ranking take their steps side by side, because each step
    // waits for the one before it.
    void find_beyond(const double* sorted, double threshold, Window* at) const {
        constexpr Index parts = 4;
        std::array<Index, parts> first{}, k{}, end{};
        for (Index part = 0; part < parts; ++part) {
            k[part] = static_cast<Index>(std::uint64_t{size} * part / parts);
            end[part] = static_cast<Index>(std::uint64_t{size} * (part + 1) / parts);
            const double value = k[part] < size ? sorted[k[part]] : 0.0;
            first[part] = static_cast<Index>(
                std::partition_point(sorted, sorted + k[part],
                                     [=](double higher) { return beyond(higher, value, threshold); }) - sorted);
        }
        const auto step = [&](Index part) {
            const bool above = beyond(sorted[first[part]], sorted[k[part]], threshold);
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
        // A window ends before the next position whose own window starts beyond it.
        for (Index p = 0; p < size; ++p) at[p].last = size;
        for (Index p = size; p-- > 0;) {
            if (at[p].first > 0) at[at[p].first - 1].last = p;
        }
        for (Index p = size - 1; p-- > 0;) at[p].last = std::min(at[p].last, at[p + 1].last);
    }
};

}  // namespace concordant
