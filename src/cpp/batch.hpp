// Many pairs of rankings: rows of a table, lists of different length, one against many, all against all.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "ranking.hpp"
#include "pair.hpp"

namespace concordant {

// Rankings laid end to end: ranking r holds values[offsets[r], offsets[r + 1]).
struct Rows {
    const double* values = nullptr;
    const std::int64_t* offsets = nullptr;
    std::size_t count = 0;

    const double* begin(std::size_t row) const { return values + offsets[row]; }
    std::size_t size(std::size_t row) const { return static_cast<std::size_t>(offsets[row + 1] - offsets[row]); }
};

// What to compute for each pair: one set of sums for each pair of thresholds.
struct Request {
    std::vector<double> thresholds_x, thresholds_y;
    std::vector<unsigned> needs;

    unsigned need() const {
        unsigned all = 0;
        for (const unsigned each : needs) all |= each;
        return all;
    }
};

// Call work(begin, end) on parts of [0, count) from `workers` threads. Which thread takes which part is left to chance,
// so work must write only what belongs to its part. An exception in a thread reaches the caller.
template <class Work>
void in_parallel(std::size_t count, unsigned workers, const Work& work) {
    if (workers <= 1 || count <= 1) {
        work(std::size_t{0}, count);
        return;
    }
    const std::size_t part = std::max<std::size_t>(1, count / (std::size_t{workers} * 16));
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    auto run = [&] {
        try {
            for (std::size_t begin; (begin = next.fetch_add(part)) < count;) {
                work(begin, std::min(begin + part, count));
            }
        } catch (...) {
            const std::lock_guard lock(failure_mutex);
            failure = std::current_exception();
            next = count;
        }
    };
    std::vector<std::thread> threads;
    try {
        for (std::size_t t = 1; t < std::min<std::size_t>(workers, count); ++t) threads.emplace_back(run);
    } catch (const std::system_error&) {
        // The system gives no more threads: those that run do all the work.
    }
    run();
    for (auto& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
}

// One side of a batch. Rankings that serve several pairs are prepared once, for all threads; the others one at a time,
// in memory that is used again.
class Side {
public:
    Side(const Rows& rows, std::size_t n_pairs, const std::vector<double>& thresholds, Order wanted, unsigned workers)
        : rows_(rows), thresholds_(thresholds), wanted_(wanted) {
        constexpr std::int64_t most_kept = std::int64_t{1} << 26;  // values; about 20 bytes each
        if (rows.count >= n_pairs || rows.offsets[rows.count] - rows.offsets[0] > most_kept) return;
        kept_.resize(rows.count);
        in_parallel(rows.count, workers, [&](std::size_t begin, std::size_t end) {
            Buffer<std::uint64_t> memory;
            for (std::size_t row = begin; row < end; ++row) prepare(row, kept_[row], memory);
        });
    }

    // The ranking of a row; `latest` holds it if it is not among those kept.
    const Ranking& ranking(std::size_t row, Ranking& latest, std::size_t& latest_row,
                           Buffer<std::uint64_t>& memory) const {
        if (!kept_.empty()) return kept_[row];
        if (row != latest_row) prepare(row, latest, memory);
        latest_row = row;
        return latest;
    }

private:
    void prepare(std::size_t row, Ranking& out, Buffer<std::uint64_t>& memory) const {
        out.prepare(rows_.begin(row), rows_.size(row), thresholds_, wanted_, memory);
    }

    const Rows& rows_;
    const std::vector<double>& thresholds_;
    Order wanted_;
    std::vector<Ranking> kept_;
};

// For every pair p of rankings, call visit(p, x, y, memory) from one of the threads.
template <class Visit>
void for_each_pair(const Rows& x, const Rows& y, const std::int64_t* pair_x, const std::int64_t* pair_y,
                   std::size_t n_pairs, const Request& request, unsigned workers, const Visit& visit) {
    const Side side_x(x, n_pairs, request.thresholds_x, order_of_x(request.need()), workers);
    const Side side_y(y, n_pairs, request.thresholds_y, order_of_y(request.need()), workers);
    in_parallel(n_pairs, workers, [&](std::size_t begin, std::size_t end) {
        Buffer<std::uint64_t> sort_memory;
        Memory memory;
        Ranking latest_x, latest_y;
        std::size_t row_x = x.count, row_y = y.count;
        for (std::size_t p = begin; p < end; ++p) {
            const Ranking& rx = side_x.ranking(static_cast<std::size_t>(pair_x[p]), latest_x, row_x, sort_memory);
            const Ranking& ry = side_y.ranking(static_cast<std::size_t>(pair_y[p]), latest_y, row_y, sort_memory);
            visit(p, rx, ry, memory);
        }
    });
}

}  // namespace concordant
