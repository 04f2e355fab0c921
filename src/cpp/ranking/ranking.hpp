// One ranking, prepared: its order, and for every position the window of positions tied with it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../buffer.hpp"
#include "../interrupt.hpp"
#include "preparation.hpp"
#include "sort.hpp"
#include "windows.hpp"

namespace concordant {

class Ranking {
public:
    Index size = 0;
    bool finite = true;
    bool widened = false;            // the slack of one of the thresholds is too wide; see `is_widened`
    const double* values = nullptr;  // by item; nobody else writes to this memory
    Buffer<Index> order;             // items from best to worst
    Buffer<Index> position;          // the inverse: where each item stands
    std::vector<Windows> windows;    // one for each threshold

    // The scores must outlive the ranking. If a score is not finite, only `finite` is set, to false.
    void prepare(const double* scores, std::size_t n, std::span<const double> thresholds, Preparation wanted,
                 SortScratch& scratch) {
        values = scores;
        size = static_cast<Index>(n);
        std::uint64_t largest = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint64_t magnitude = std::bit_cast<std::uint64_t>(values[i]) << 1;
            largest = magnitude > largest ? magnitude : largest;
        }
        finite = largest < (0x7ffULL << 53);
        widened = false;
        if (!finite || !wanted.sorted) return;
        const double largest_score = std::bit_cast<double>(largest >> 1);
        Index* items = order.reserve(n);
        const bool equal_values = sort_descending(values, n, scratch, items);
        scratch.shrink_after_sort(n);
        Index* places = position.reserve(n);
        with_pauses(n, [=](std::size_t k) { places[items[k]] = static_cast<Index>(k); });
        if (windows.size() != thresholds.size()) windows.resize(thresholds.size());
        bool exact_found = false;
        for (std::size_t w = 0; w < thresholds.size(); ++w) {
            find_windows(values, items, size, equal_values, thresholds[w], largest_score, scratch,
                         windows[w]);
            exact_found = exact_found || thresholds[w] == 0.0;
            widened = widened || (n > 1 && is_widened(thresholds[w], largest_score));
        }
        if (wanted.exact_ties && !exact_found) {
            find_windows(values, items, size, equal_values, 0.0, largest_score, scratch, exact_);
        }
    }

    // The same for scores that others may change meanwhile: the ranking has a copy.
    void prepare_copy(const double* scores, std::size_t n, std::span<const double> thresholds,
                      Preparation wanted, SortScratch& scratch) {
        double* own = copy_.reserve(n);
        std::copy_n(scores, n, own);
        prepare(own, n, thresholds, wanted, scratch);
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
    Buffer<double> copy_;
};

// Two rankings of the same items, and which ties of each to use.
struct RankingPair {
    const Ranking& x;
    const Ranking& y;
    const Windows& ties_x;
    const Windows& ties_y;

    Index size() const { return x.size; }
};

}  // namespace concordant
