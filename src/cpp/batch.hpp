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

// One side of a batch. Rankings that serve several pairs are prepared once, for all threads; the others one
// at a time, in memory that is used again.
class Side {
public:
    Side(const Rows& rows, std::size_t n_pairs, SideRequest request, unsigned workers)
        : rows_(rows), request_(request) {
        constexpr std::int64_t most_kept = std::int64_t{1} << 26;  // values; about 20 bytes each
        if (rows.count >= n_pairs || rows.offsets[rows.count] - rows.offsets[0] > most_kept) return;
        kept_.resize(rows.count);
        in_parallel(rows.count, workers, [&](std::size_t begin, std::size_t end) {
            SortScratch scratch;
            Pace pace;
            for (std::size_t row = begin; row < end; ++row) {
                pace.after(rows_.size(row));
                prepare(row, kept_[row], scratch);
            }
        });
    }

    // The ranking of a row; `latest` holds it if it is not among those kept.
    const Ranking& ranking(std::size_t row, Ranking& latest, std::size_t& latest_row,
                           SortScratch& scratch) const {
        if (!kept_.empty()) return kept_[row];
        if (row != latest_row) prepare(row, latest, scratch);
        latest_row = row;
        return latest;
    }

private:
    void prepare(std::size_t row, Ranking& out, SortScratch& scratch) const {
        const auto prepare_as = rows_.shared ? &Ranking::prepare_copy : &Ranking::prepare;
        (out.*prepare_as)(rows_.begin(row), rows_.size(row), request_.thresholds, request_.preparation,
                          scratch);
    }

    const Rows& rows_;
    SideRequest request_;
    std::vector<Ranking> kept_;
};

// For every pair p of rankings, call visit(p, x, y, scratch) from one of the threads; each thread has its own
// scratch.
template <class Scratch, class Visit>
void for_each_pair(const Rows& x, const Rows& y, PairList pairs, SideRequest request_x, SideRequest request_y,
                   unsigned workers, const Visit& visit) {
    // The rankings of a table that is compared with itself are prepared once, for both sides.
    const bool same = x.values == y.values && x.offsets == y.offsets && x.count == y.count &&
                      std::ranges::equal(request_x.thresholds, request_y.thresholds);
    if (same) request_x.preparation = request_x.preparation | request_y.preparation;
    const Side side_x(x, pairs.count, request_x, workers);
    std::optional<Side> other;
    if (!same) other.emplace(y, pairs.count, request_y, workers);
    const Side& side_y = same ? side_x : *other;
    in_parallel(pairs.count, workers, [&](std::size_t begin, std::size_t end) {
        SortScratch sort_scratch;
        Scratch scratch;
        Ranking latest_x, latest_y;
        std::size_t row_x = x.count, row_y = y.count;
        Pace pace;
        for (std::size_t p = begin; p < end; ++p) {
            pace.after(x.size(static_cast<std::size_t>(pairs.row_x[p])) + 1);
            const Ranking& rx =
                side_x.ranking(static_cast<std::size_t>(pairs.row_x[p]), latest_x, row_x, sort_scratch);
            const Ranking& ry =
                side_y.ranking(static_cast<std::size_t>(pairs.row_y[p]), latest_y, row_y, sort_scratch);
            visit(p, rx, ry, scratch);
        }
    });
}

}  // namespace concordant
