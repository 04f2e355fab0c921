// Kendall's and Spearman's distances of partial rankings (Fagin, Kumar and Sivakumar 2003; with
// Mahdian and Vee 2006): the items that a list lacks are tied below all of its items. And rank-biased
// alignment (Moffat, Mackenzie, Mallia and Petri 2024).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "../interrupt.hpp"
#include "../sums/accumulate.hpp"
#include "lists.hpp"
#include "overlap.hpp"

namespace concordant {

// Counts of the pairs of all items of either list. `displacement` is twice the sum of the differences of
// mid-ranks.
struct ListCounts {
    std::int64_t size_x, size_y, common, discordant, tied_x, tied_y, tied_both, displacement;

    static constexpr std::size_t n_fields = 8;
    std::array<std::int64_t, n_fields> fields() const {
        return {size_x, size_y, common, discordant, tied_x, tied_y, tied_both, displacement};
    }
};

inline std::int64_t pairs_among(std::int64_t n) { return n * (n - 1) / 2; }

class ListCounter {
public:
    // Of the items only, not of their pairs: `discordant` and `tied` stay 0.
    ListCounts items(const ItemList& x, const ItemList& y, const Places& places_of_x) {
        collect(x, y, places_of_x);
        ListCounts found{};
        found.size_x = static_cast<std::int64_t>(x.size);
        found.size_y = static_cast<std::int64_t>(y.size);
        found.common = static_cast<std::int64_t>(common_.size());
        const std::int64_t only_x = found.size_x - found.common, only_y = found.size_y - found.common;
        // Twice the mid-rank of the items that x lacks, and of those that y lacks.
        const std::int64_t below_x = 2 * found.size_x + 1 + only_y, below_y = 2 * found.size_y + 1 + only_x;
        std::int64_t sum = 0;
        for (const Common& item : common_) sum += std::abs(twice_middle(item.x) - twice_middle(item.y));
        x.for_each_group([&](RankRange range, std::size_t, std::size_t) {
            const auto lacking = static_cast<std::int64_t>(range.size()) - common_x_[range.top];
            sum += lacking * std::abs(twice_middle(range) - below_y);
        });
        y.for_each_group([&](RankRange range, std::size_t, std::size_t) {
            const auto lacking = static_cast<std::int64_t>(range.size()) - common_y_[range.top];
            sum += lacking * std::abs(twice_middle(range) - below_x);
        });
        found.displacement = sum;
        return found;
    }

    ListCounts pairs(const ItemList& x, const ItemList& y, const Places& places_of_x) {
        ListCounts found = items(x, y, places_of_x);
        const std::int64_t only_x = found.size_x - found.common, only_y = found.size_y - found.common;
        // An item only in x is above one only in y by x, and below it by y.
        found.discordant = only_x * only_y + above_common(x, common_x_) + above_common(y, common_y_);
        found.tied_x = pairs_among(only_y);
        found.tied_y = pairs_among(only_x);
        count_ties(x, common_x_, found.tied_x, found.tied_both);
        count_ties(y, common_y_, found.tied_y, found.tied_both);
        // The common items stand in the order of y; those tied there are put in the order of x.
        for (std::size_t start = 0; y.ends != nullptr && start < common_.size();) {
            std::size_t end = start + 1;
            while (end < common_.size() && common_[end].y.top == common_[start].y.top) ++end;
            std::sort(common_.begin() + static_cast<std::ptrdiff_t>(start),
                      common_.begin() + static_cast<std::ptrdiff_t>(end),
                      [](const Common& p, const Common& q) { return p.x.top < q.x.top; });
            start = end;
        }
        std::int64_t same = 0;  // items before this one in the same groups of both lists
        for (std::size_t i = 1; i < common_.size(); ++i) {
            const bool alike =
                common_[i].x.top == common_[i - 1].x.top && common_[i].y.top == common_[i - 1].y.top;
            same = alike ? same + 1 : 0;
            found.tied_both += same;
        }
        tops_.resize(common_.size());
        for (std::size_t i = 0; i < common_.size(); ++i) tops_[i] = common_[i].x.top;
        found.discordant += count_inversions();
        return found;
    }

    // The sum over common items of sqrt(w_x w_y), w the mean of (1 - p) p^(rank - 1) over the group.
    double alignment(const ItemList& x, const ItemList& y, const Places& places_of_x, double p) {
        collect(x, y, places_of_x);
        weigh(x, p, weight_x_);
        weigh(y, p, weight_y_);
        return order_free_sum(common_.size(), [&](std::size_t i) {
            return std::sqrt(weight_x_[common_[i].x.top]) * std::sqrt(weight_y_[common_[i].y.top]);
        });
    }

private:
    struct Common {
        RankRange x, y;
    };

    static std::int64_t twice_middle(RankRange range) {
        return static_cast<std::int64_t>(range.top) + static_cast<std::int64_t>(range.bottom);
    }

    void collect(const ItemList& x, const ItemList& y, const Places& places_of_x) {
        common_.clear();
        common_x_.assign(x.size + 1, 0);
        common_y_.assign(y.size + 1, 0);
        y.for_each_group([&](RankRange range, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                const RankRange other = places_of_x.of(y, i);
                if (other.top == 0) continue;
                common_.push_back({other, range});
                ++common_x_[other.top];
                ++common_y_[range.top];
            }
        });
    }

    // Pairs of an item that the other list lacks, and a common item in a group below it.
    static std::int64_t above_common(const ItemList& list, const std::vector<std::int32_t>& common) {
        std::int64_t lacking = 0, found = 0;
        list.for_each_group([&](RankRange range, std::size_t, std::size_t) {
            found += lacking * common[range.top];
            lacking += static_cast<std::int64_t>(range.size()) - common[range.top];
        });
        return found;
    }

    // Items that the other list lacks are tied there.
    static void count_ties(const ItemList& list, const std::vector<std::int32_t>& common, std::int64_t& tied,
                           std::int64_t& tied_both) {
        if (list.ends == nullptr) return;
        list.for_each_group([&](RankRange range, std::size_t, std::size_t) {
            tied += pairs_among(static_cast<std::int64_t>(range.size()));
            tied_both += pairs_among(static_cast<std::int64_t>(range.size()) - common[range.top]);
        });
    }

    static void weigh(const ItemList& list, double p, std::vector<double>& weight) {
        weight.assign(list.size + 1, 0.0);
        Powers powers(p);
        list.for_each_group([&](RankRange range, std::size_t first, std::size_t last) {
            double sum = 0;
            for (std::size_t i = first; i < last; ++i) sum += (1 - p) * powers.next();
            weight[range.top] = sum / static_cast<double>(range.size());
        });
    }

    // Pairs in `tops_` whose first is larger than their second, by merging; `tops_` is sorted after that.
    std::int64_t count_inversions() {
        constexpr std::size_t few = 16;
        const std::size_t size = tops_.size();
        std::int64_t found = 0;
        for (std::size_t start = 0; start < size; start += few) {
            const std::size_t end = std::min(start + few, size);
            for (std::size_t i = start + 1; i < end; ++i) {
                const std::uint32_t value = tops_[i];
                std::size_t j = i;
                for (; j > start && tops_[j - 1] > value; --j) tops_[j] = tops_[j - 1];
                tops_[j] = value;
                found += static_cast<std::int64_t>(i - j);
            }
        }
        merged_.resize(size);
        for (std::size_t width = few; width < size; width *= 2) {
            checkpoint_if_long(size);
            for (std::size_t start = 0; start < size; start += 2 * width) {
                const std::size_t middle = std::min(start + width, size);
                const std::size_t end = std::min(start + 2 * width, size);
                std::size_t i = start, j = middle;
                for (std::size_t to = start; to < end; ++to) {
                    const bool from_first = j == end || (i < middle && tops_[i] <= tops_[j]);
                    merged_[to] = from_first ? tops_[i++] : tops_[j++];
                    if (!from_first) found += static_cast<std::int64_t>(middle - i);
                }
            }
            tops_.swap(merged_);
        }
        return found;
    }

    std::vector<Common> common_;
    std::vector<std::int32_t> common_x_, common_y_;  // common items of each group, by its top rank
    std::vector<double> weight_x_, weight_y_;
    std::vector<std::uint32_t> tops_, merged_;
};

}  // namespace concordant
