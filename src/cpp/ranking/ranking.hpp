// One ranking, prepared: its order, and for every position the window of positions tied with it.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../buffer.hpp"
#include "../interrupt.hpp"
#include "codes.hpp"
#include "preparation.hpp"
#include "sort.hpp"
#include "windows.hpp"

namespace concordant {

class Ranking {
public:
    Index size = 0;
    bool finite = true;
    bool widened = false;            // the slack of one of the thresholds is too wide; see `is_widened`
    bool coded = false;              // there are few distinct scores, and `codes` has them
    bool sorted = false;             // `order`, `position` and `windows` are made
    const double* values = nullptr;  // by item; nobody else writes to this memory
    Buffer<Index> order;             // items from best to worst
    Buffer<Index> position;          // the inverse: where each item stands
    std::vector<Windows> windows;    // one for each threshold
    Codes codes;
    std::vector<Codes::CodeWindows> code_windows;  // one for each threshold

    // The scores must outlive the ranking. If a score is not finite, only `finite` is set, to false.
    void prepare(const double* scores, std::size_t n, std::span<const double> thresholds, Preparation wanted,
                 SortScratch& scratch) {
        read(scores, n, thresholds, wanted, false);
        sort(thresholds, wanted, scratch);
    }

    // The first half: are the scores finite, and are they few? If they are `shared`, others may change them
    // meanwhile, and the ranking has a copy, unless they are few.
    void read(const double* scores, std::size_t n, std::span<const double> thresholds, Preparation wanted,
              bool shared) {
        values = scores;
        size = static_cast<Index>(n);
        shared_ = shared;
        sorted = false;
        coded = wanted.sorted && most_codes(n) > 0 && codes.read(scores, n);
        if (coded) return read_codes(thresholds);
        if (shared) {
            std::copy_n(scores, n, copy_.reserve(n));
            values = copy_.data();
        }
        // The exponent of what is not finite is all ones, so that one more reaches the sign.
        constexpr std::uint64_t sign = std::uint64_t{1} << 63, one_more = std::uint64_t{1} << 52;
        std::uint64_t found = 0;
        for (std::size_t i = 0; i < n; ++i)
            found |= (std::bit_cast<std::uint64_t>(values[i]) & ~sign) + one_more;
        finite = (found & sign) == 0;
        largest_ = 0;
        widened = false;
        if (!finite || std::ranges::all_of(thresholds, [](double each) { return each == 0; })) return;
        for (std::size_t i = 0; i < n; ++i) largest_ = std::max(largest_, std::abs(values[i]));
        find_widened(thresholds);
    }
    // The same for codes that the caller has read and ordered.
    void read_codes(std::span<const double> thresholds) {
        coded = true;
        finite = codes.finite();
        largest_ = codes.largest();
        find_widened(thresholds);
        code_windows.resize(thresholds.size());
        for (std::size_t w = 0; w < thresholds.size(); ++w)
            codes.find_windows(thresholds[w], code_windows[w]);
    }

    // The second half. What is computed from codes does not need it.
    void sort(std::span<const double> thresholds, Preparation wanted, SortScratch& scratch) {
        if (!finite || !wanted.sorted || sorted) return;
        if (coded && shared_) {  // the scores may have changed since
            std::copy_n(values, size, copy_.reserve(size));
            read(copy_.data(), size, thresholds, wanted, false);
            if (!finite) return;
        }
        Index* items = order.reserve(size);
        Index* places = position.reserve(size);
        bool equal_values = coded;
        if (coded) {
            scratch.sorted = nullptr;
            codes.sort(size, items, places);
        } else {
            equal_values = sort_descending(values, size, scratch, items);
            scratch.shrink_after_sort(size);
            with_pauses(size, [=](std::size_t k) { places[items[k]] = static_cast<Index>(k); });
        }
        if (windows.size() != thresholds.size()) windows.resize(thresholds.size());
        bool exact_found = false;
        for (std::size_t w = 0; w < thresholds.size(); ++w) {
            find_windows(values, items, size, equal_values, thresholds[w], largest_, scratch, windows[w]);
            exact_found = exact_found || thresholds[w] == 0.0;
        }
        if (wanted.exact_ties && !exact_found) {
            find_windows(values, items, size, equal_values, 0.0, largest_, scratch, exact_);
        }
        sorted = true;
    }

    // The ties of equal values, whatever the thresholds; prepared on request.
    const Windows& exact_windows() const {
        for (const Windows& each : windows) {
            if (each.threshold == 0.0) return each;
        }
        return exact_;
    }

private:
    void find_widened(std::span<const double> thresholds) {
        widened = finite && size > 1 && std::ranges::any_of(thresholds, [this](double threshold) {
                      return is_widened(threshold, largest_);
                  });
    }

    double largest_ = 0;  // magnitude of a score
    bool shared_ = false;
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
