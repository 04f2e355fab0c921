// One ranking, prepared: its order, and for every position the window of positions tied with it.
#pragma once

#include <algorithm>
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
// scores themselves, so that 0.4 and 0.3 tie at 0.1. The comparison is a subtraction: `high > low + w` rounds
// differently on each side.
inline bool beyond(double high, double low, double threshold) {
    if (threshold == 0.0) return high > low;
    constexpr double slack = 4 * std::numeric_limits<double>::epsilon();
    return high - low > threshold + slack * std::max(std::abs(high), std::abs(low));
}

// The positions tied with position k are [first[k], last[k]): those before are above it beyond the threshold, those
// after are below. Both bounds never decrease with k.
struct Windows {
    Buffer<Index> first, last;
    double threshold = 0;
    bool ties = false;          // any window wider than its own position?
    std::uint64_t untied = 0;   // pairs that are not tied
    Index top = 0;              // positions with nothing above them
};

class Ranking {
public:
    Index size = 0;
    bool finite = true;
    const double* values = nullptr;  // by item; the caller's
    Buffer<Index> order;           // items from best to worst
    Buffer<Index> position;        // the inverse: where each item stands
    std::vector<Windows> windows;  // one for each threshold

    // The scores must outlive the ranking. Scores that are not finite set `finite` to false, and nothing else.
    void prepare(const double* scores, std::size_t n, const std::vector<double>& thresholds, bool with_exact,
                 Buffer<std::uint64_t>& memory) {
        values = scores;
        size = static_cast<Index>(n);
        std::uint64_t largest = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint64_t magnitude = std::bit_cast<std::uint64_t>(values[i]) << 1;
            largest = magnitude > largest ? magnitude : largest;
        }
        finite = largest < (0x7ffULL << 53);
        if (!finite) return;
        Index* items = order.reserve(n);
        Index* places = position.reserve(n);
        const bool equal_values = sort_descending(values, n, memory, items);
        for (Index k = 0; k < size; ++k) places[items[k]] = k;
        if (windows.size() != thresholds.size()) windows.resize(thresholds.size());
        bool exact_found = false;
        for (std::size_t w = 0; w < thresholds.size(); ++w) {
            find_windows(equal_values, thresholds[w], windows[w]);
            exact_found = exact_found || thresholds[w] == 0.0;
        }
        if (with_exact && !exact_found) find_windows(equal_values, 0.0, exact_);
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

    void find_windows(bool equal_values, double threshold, Windows& out) const {
        out.threshold = threshold;
        Index* first = out.first.reserve(size);
        Index* last = out.last.reserve(size);
        if (threshold == 0.0 && !equal_values) {
            std::iota(first, first + size, Index{0});
            std::iota(last, last + size, Index{1});
            out.ties = false;
            out.untied = std::uint64_t{size} * (size - (size > 0)) / 2;
            out.top = size > 0;
            return;
        }
        const Index* items = order.data();
        out.untied = 0;
        Index above = 0;  // how many positions are above position k
        for (Index k = 0; k < size; ++k) {
            const double value = values[items[k]];
            while (beyond(values[items[above]], value, threshold)) last[above++] = k;
            first[k] = above;
            out.untied += above;
        }
        std::fill(last + above, last + size, size);
        out.ties = out.untied != std::uint64_t{size} * (size - 1) / 2;
        out.top = size > 0 ? last[0] : 0;
    }
};

}  // namespace concordant
