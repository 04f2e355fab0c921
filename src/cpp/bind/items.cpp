// Results for single items: their counts in a pair of rankings, their order and ties in one ranking.
#include <atomic>
#include <span>

#include "../batch.hpp"
#include "../explain/item_counts.hpp"
#include "../ranking/ranking.hpp"
#include "arrays.hpp"
#include "register.hpp"
#include "unlocked.hpp"

namespace concordant::bind {

namespace {

constexpr Preparation sorted{true, false};

// The counts of every item of every pair: out[:, starts[p] + i] for item i of pair p, in the order of
// ItemCounts. Pairs with a value that is not finite are left out. Returns whether scores are too large for
// their threshold.
bool item_counts(const Values& x, const Integers& offsets_x, const Values& y, const Integers& offsets_y,
                 const Integers& pair_x, const Integers& pair_y, double threshold_x, double threshold_y,
                 unsigned workers, const Integers& starts, const Array<std::int64_t, 2>& out) {
    require_aligned(x, offsets_x, y, offsets_y, pair_x, pair_y, starts, out);
    require_threshold(threshold_x);
    require_threshold(threshold_y);
    const Rows rows_x = rows_of(x, offsets_x), rows_y = rows_of(y, offsets_y);
    const PairList pairs = pairs_of(rows_x, rows_y, pair_x, pair_y);
    const std::size_t n_items = out.shape(1);
    bool valid = out.shape(0) == ItemCounts::n_fields && have_length(pairs.count, starts);
    for (std::size_t p = 0; valid && p < pairs.count; ++p) {
        const std::size_t size = rows_x.size(static_cast<std::size_t>(pairs.row_x[p]));
        const std::int64_t start = starts.data()[p];
        valid = start >= 0 && static_cast<std::size_t>(start) + size <= n_items;
    }
    require(valid, "the output does not have the shape of the request");
    std::atomic<bool> widened{false};
    const Unlocked unlocked;
    for_each_pair<ItemCountScratch>(rows_x, rows_y, pairs, {{&threshold_x, 1}, sorted},
                                    {{&threshold_y, 1}, sorted}, false, workers,
                                    [&](std::size_t p, const Ranking& rx, const Ranking& ry, const auto& sort,
                                        ItemCountScratch& scratch) {
                                        if (!rx.finite || !ry.finite) return;
                                        sort();
                                        if (rx.widened || ry.widened)
                                            widened.store(true, std::memory_order_relaxed);
                                        std::int64_t* to = out.data() + starts.data()[p];
                                        count_items({rx, ry, rx.windows[0], ry.windows[0]}, scratch,
                                                    {to, to + n_items, to + 2 * n_items, to + 3 * n_items,
                                                     to + 4 * n_items, to + 5 * n_items, to + 6 * n_items});
                                    });
    return widened;
}

// The items from best to worst, and for each position the positions tied with it: from `first`, up to before
// `last`.
void windows(const Values& values, double threshold, const Array<std::int64_t, 1>& order,
             const Array<std::int64_t, 1>& first, const Array<std::int64_t, 1>& last) {
    require_aligned(values, order, first, last);
    require_threshold(threshold);
    const std::size_t size = values.shape(0);
    require(have_length(size, order, first, last) && size < largest_size,
            "the arrays do not have the same length");
    const Unlocked unlocked;
    SortScratch scratch;
    Ranking ranking;
    ranking.prepare(values.data(), size, {&threshold, 1}, sorted, scratch);
    require(ranking.finite, "the values must be finite");
    for (std::size_t k = 0; k < size; ++k) {
        order.data()[k] = ranking.order.data()[k];
        first.data()[k] = ranking.windows[0].at.data()[k].first;
        last.data()[k] = ranking.windows[0].at.data()[k].last;
    }
}

}  // namespace

void register_items(nb::module_& m) {
    m.def("item_counts", &item_counts);
    m.def("windows", &windows);
}

}  // namespace concordant::bind
