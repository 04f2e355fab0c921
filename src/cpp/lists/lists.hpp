// Lists of items, best first, in groups of tied items. Two lists need not hold the same items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../buffer.hpp"

namespace concordant {

// The ranks of a group of tied items: from `top` to `bottom`, both from 1 up; 0 for no group.
struct RankRange {
    std::uint32_t top = 0, bottom = 0;

    std::uint32_t size() const { return bottom - top + 1; }
};

// One list: the code of each item, and the rank of the last item of its group; without ends, no item is tied.
struct ItemList {
    const std::int64_t* codes = nullptr;
    const std::int64_t* ends = nullptr;
    std::size_t size = 0;

    // Call visit(range, first, last) for each group: its items are those at [first, last).
    template <class Visit>
    void for_each_group(Visit visit) const {
        for (std::size_t start = 0; start < size;) {
            const std::size_t end = ends == nullptr ? start + 1 : static_cast<std::size_t>(ends[start]);
            visit(RankRange{static_cast<std::uint32_t>(start + 1), static_cast<std::uint32_t>(end)}, start,
                  end);
            start = end;
        }
    }
};

// Lists laid end to end: list r holds the items [offsets[r], offsets[r + 1]). Codes are below n_codes.
struct ItemLists {
    const std::int64_t* codes = nullptr;
    const std::int64_t* ends = nullptr;
    const std::int64_t* offsets = nullptr;
    std::size_t count = 0, n_codes = 0;

    std::size_t size(std::size_t row) const {
        return static_cast<std::size_t>(offsets[row + 1] - offsets[row]);
    }
    ItemList operator[](std::size_t row) const {
        const std::int64_t start = offsets[row];
        return {codes + start, ends == nullptr ? nullptr : ends + start, size(row)};
    }
};

// Where the items of one list stand, by code. A list that serves several pairs is entered once.
class Places {
public:
    explicit Places(const ItemLists& lists) : lists_(lists), range_(lists.n_codes), row_(lists.count) {}

    void enter(std::size_t row) {
        if (row == row_) return;
        if (row_ < lists_.count) {
            const ItemList old = lists_[row_];
            for (std::size_t i = 0; i < old.size; ++i) range_[code(old, i)] = {};
        }
        row_ = row;
        const ItemList list = lists_[row];
        list.for_each_group([&](RankRange range, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) range_[code(list, i)] = range;
        });
    }

    RankRange of(const ItemList& list, std::size_t i) const { return range_[code(list, i)]; }

private:
    static std::size_t code(const ItemList& list, std::size_t i) {
        return static_cast<std::size_t>(list.codes[i]);
    }

    const ItemLists& lists_;
    std::vector<RankRange> range_;
    std::size_t row_;
};

// Goes down a list: the group that a depth is in.
class GroupCursor {
public:
    explicit GroupCursor(const ItemList& list) : ends_(list.ends), size_(list.size) {}

    void go_to(std::size_t depth) {
        if (depth > size_) {  // all items were passed
            whole_ = size_;
            partial_ = 0;
            fraction_ = 1;
            active_ = size_;
            return;
        }
        if (depth > end_) {
            start_ = end_;
            end_ = ends_ == nullptr ? start_ + 1 : static_cast<std::size_t>(ends_[start_]);
        }
        active_ = end_;
        if (depth == end_) {
            whole_ = end_;
            partial_ = 0;
            fraction_ = 1;
        } else {
            whole_ = start_;
            partial_ = end_ - start_;
            fraction_ = static_cast<double>(depth - start_) / static_cast<double>(partial_);
        }
    }

    double whole() const { return static_cast<double>(whole_); }      // items of groups that were passed
    double partial() const { return static_cast<double>(partial_); }  // items of the group being crossed
    double active() const { return static_cast<double>(active_); }    // whole and partial
    double fraction() const { return fraction_; }                     // of the group being crossed
    double squares() const { return whole() + fraction_ * fraction_ * partial(); }

private:
    const std::int64_t* ends_;
    std::size_t size_, start_ = 0, end_ = 0, whole_ = 0, partial_ = 0, active_ = 0;
    double fraction_ = 1;
};

}  // namespace concordant
