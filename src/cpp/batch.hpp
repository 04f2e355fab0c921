// Many pairs of rankings: rows of a table, lists of different length, one against many, all against all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interrupt.hpp"
#include "parallel.hpp"
#include "ranking/ranking.hpp"

namespace concordant {

// Rankings laid end to end: ranking r holds values[offsets[r], offsets[r + 1]).
struct Rows {
    const double* values = nullptr;
    const std::int64_t* offsets = nullptr;
    std::size_t count = 0;
    bool shared = false;  // others may write to the values meanwhile

    const double* begin(std::size_t row) const { return values + offsets[row]; }
    std::size_t size(std::size_t row) const {
        return static_cast<std::size_t>(offsets[row + 1] - offsets[row]);
    }
};

// How one side of a batch is prepared: which ties, and how far.
struct SideRequest {
    std::span<const double> thresholds;
    Preparation preparation;
};

// Which rows form the pairs.
struct PairList {
    const std::int64_t* row_x;
    const std::int64_t* row_y;
    std::size_t count;
};

// Do rankings serve several pairs, and not just pairs that follow each other?
inline bool rows_return(const Rows& rows, const std::int64_t* row_of_pair, std::size_t n_pairs) {
    constexpr std::size_t many = 64;  // threads cut the pairs into parts, of which each reads its first row
    if (rows.count >= n_pairs) return false;
    std::size_t runs = n_pairs > 0;
    for (std::size_t p = 1; p < n_pairs; ++p) runs += row_of_pair[p] != row_of_pair[p - 1];
    return runs > rows.count || rows.count < many;
}

// One side of a batch. Rankings that serve several pairs are read and sorted once, for all threads; the
// others one at a time, in memory that is used again.
class Side {
public:
    Side(const Rows& rows, bool keep, SideRequest request, unsigned workers)
        : rows_(rows), request_(request), workers_(workers) {
        constexpr std::int64_t most_kept = std::int64_t{1} << 26;  // values; about 20 bytes each
        if (!keep || rows.offsets[rows.count] - rows.offsets[0] > most_kept) return;
        kept_.resize(rows.count);
        for_all_kept([this](std::size_t row, SortScratch&) { read(row, kept_[row]); });
    }
    // Are all rankings kept and of few distinct scores?
    bool coded() const {
        return !kept_.empty() && std::ranges::all_of(kept_, [](const Ranking& each) { return each.coded; });
    }
    void sort_kept() {
        for_all_kept([this](std::size_t row, SortScratch& scratch) { sort(kept_[row], scratch); });
    }

    // The ranking of a row; `latest` holds it if it is not among those kept.
    const Ranking& ranking(std::size_t row, Ranking& latest, std::size_t& latest_row) const {
        if (!kept_.empty()) return kept_[row];
        if (row != latest_row) read(row, latest);
        latest_row = row;
        return latest;
    }
    // Sort the ranking that is not kept.
    void sort(Ranking& latest, SortScratch& scratch) const {
        latest.sort(request_.thresholds, request_.preparation, scratch);
    }
    bool keeps() const { return !kept_.empty(); }

private:
    template <class Work>
    void for_all_kept(Work work) {
        in_parallel(kept_.size(), workers_, [&](std::size_t begin, std::size_t end) {
            SortScratch scratch;
            Pace pace;
            for (std::size_t row = begin; row < end; ++row) {
                pace.after(rows_.size(row));
                work(row, scratch);
            }
        });
    }
    void read(std::size_t row, Ranking& out) const {
        out.read(rows_.begin(row), rows_.size(row), request_.thresholds, request_.preparation, rows_.shared);
    }

    const Rows& rows_;
    SideRequest request_;
    unsigned workers_;
    std::vector<Ranking> kept_;
};

// For every pair p of rankings, call visit(p, x, y, sort, scratch) from one of the threads; each thread has
// its own scratch. The rankings are sorted after a call of sort(), or before if they serve several pairs,
// unless they are all of few distinct scores and `by_codes` says that these need not be.
template <class Scratch, class Visit>
void for_each_pair(const Rows& x, const Rows& y, PairList pairs, SideRequest request_x, SideRequest request_y,
                   bool by_codes, unsigned workers, const Visit& visit) {
    // The rankings of a table that is compared with itself are prepared once, for both sides.
    const bool same = x.values == y.values && x.offsets == y.offsets && x.count == y.count &&
                      std::ranges::equal(request_x.thresholds, request_y.thresholds);
    if (same) request_x.preparation = request_x.preparation | request_y.preparation;
    const bool keep_y = rows_return(y, pairs.row_y, pairs.count);
    Side side_x(x, rows_return(x, pairs.row_x, pairs.count) || (same && keep_y), request_x, workers);
    std::optional<Side> other;
    if (!same) other.emplace(y, keep_y, request_y, workers);
    Side& side_y = same ? side_x : *other;
    if (!by_codes || !side_x.coded() || !side_y.coded()) {
        side_x.sort_kept();
        if (!same) side_y.sort_kept();
    }
    in_parallel(pairs.count, workers, [&](std::size_t begin, std::size_t end) {
        SortScratch sort_scratch;
        Scratch scratch;
        Ranking latest_x, latest_y;
        std::size_t row_x = x.count, row_y = y.count;
        Pace pace;
        for (std::size_t p = begin; p < end; ++p) {
            pace.after(x.size(static_cast<std::size_t>(pairs.row_x[p])) + 1);
            const Ranking& rx = side_x.ranking(static_cast<std::size_t>(pairs.row_x[p]), latest_x, row_x);
            const Ranking& ry = side_y.ranking(static_cast<std::size_t>(pairs.row_y[p]), latest_y, row_y);
            const auto sort = [&] {
                if (!side_x.keeps()) side_x.sort(latest_x, sort_scratch);
                if (!side_y.keeps()) side_y.sort(latest_y, sort_scratch);
            };
            visit(p, rx, ry, sort, scratch);
        }
    });
}

}  // namespace concordant
