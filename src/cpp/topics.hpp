// Scores of topics x systems: the differences of pairs of systems.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "interrupt.hpp"

namespace concordant {

// A table by rows.
template <class T>
struct Table {
    T* values;
    std::size_t n_rows, n_columns;

    T* row(std::size_t r) const { return values + r * n_columns; }
};

// For each pair of columns, the first the earlier one: the mean of their differences, and the sum of squares
// about it. Deviations up to `least` are rounding, and count as 0.
inline void pair_moments(Table<const double> scores, double least, double* means, double* squares) {
    const std::size_t k = scores.n_columns;
    const auto n = static_cast<double>(scores.n_rows);
    Pace pace;
    for (std::size_t i = 0; i + 1 < k; ++i) {
        const std::size_t others = k - 1 - i;
        pace.after(others * scores.n_rows);
        std::fill_n(means, others, 0.0);
        std::fill_n(squares, others, 0.0);
        for (std::size_t t = 0; t < scores.n_rows; ++t) {
            const double own = scores.row(t)[i];
            const double* other = scores.row(t) + i + 1;
            for (std::size_t j = 0; j < others; ++j) means[j] += own - other[j];
        }
        for (std::size_t j = 0; j < others; ++j) means[j] /= n;
        for (std::size_t t = 0; t < scores.n_rows; ++t) {
            const double own = scores.row(t)[i];
            const double* other = scores.row(t) + i + 1;
            for (std::size_t j = 0; j < others; ++j) {
                const double off = (own - other[j]) - means[j];
                squares[j] += std::fabs(off) > least ? off * off : 0.0;
            }
        }
        means += others;
        squares += others;
    }
}

// A function of t >= 0 by cubic polynomials of u = t / (t + 2), in cells of equal width: coefficients x
// cells.
class CubicTable {
public:
    explicit CubicTable(Table<const double> terms) : terms_(terms), cells_(terms.n_columns - 1) {}
    double operator()(double t) const {
        const auto cells = static_cast<double>(cells_);
        const double u = -2 * cells / (t + 2) + cells;
        if (!(u >= 0)) return u;  // nan
        const auto cell = std::min(static_cast<std::size_t>(u), cells_);
        const double part = u - static_cast<double>(cell);
        double found = terms_.row(0)[cell];
        for (std::size_t k = 1; k < terms_.n_rows; ++k) found = found * part + terms_.row(k)[cell];
        return found;
    }

private:
    Table<const double> terms_;
    std::size_t cells_;
};

// Without each topic in turn: for each system, how many others have a larger mean, and for each row of
// `factors` the sum of `agreement`(factor x t) with these, where t is that of the paired test.
inline void agreement_without_each(Table<const double> scores, const double* means, const double* squares,
                                   double least, Table<const double> factors, const CubicTable& agreement,
                                   Table<double> above, double* sums) {
    const std::size_t k = scores.n_columns, n_topics = scores.n_rows;
    const auto n = static_cast<double>(n_topics);
    const double share = n / (n - 1), root = std::sqrt((n - 1) * (n - 2)),
                 rounding = (n - 1) * (least * least);
    std::vector<double> rest(k), statistic(k);
    Pace pace;
    std::fill_n(above.values, n_topics * k, 0.0);
    std::fill_n(sums, factors.n_rows * n_topics * k, 0.0);
    for (std::size_t t = 0; t < n_topics; ++t) {
        const double* scored = scores.row(t);
        const double* mean = means;
        const double* square = squares;
        for (std::size_t i = 0; i + 1 < k; ++i) {
            const std::size_t others = k - 1 - i;
            pace.after(4 * others);
            for (std::size_t j = 0; j < others; ++j) {
                const double off = scored[i] - scored[i + 1 + j] - mean[j];
                const double without = mean[j] - off / (n - 1);
                rest[j] = std::fabs(without) > least ? without : 0.0;
                // Of a pair that differs by the same on all other topics nothing but rounding is left.
                const double left = square[j] - off * off * share;
                statistic[j] = std::fabs(rest[j]) * root / std::sqrt(left > rounding ? left : 0.0);
            }
            for (std::size_t j = 0; j < others; ++j) {
                if (rest[j] == 0) continue;
                const std::size_t lower = rest[j] > 0 ? i + 1 + j : i;
                above.row(t)[lower] += 1;
                for (std::size_t f = 0; f < factors.n_rows; ++f) {
                    sums[(f * n_topics + t) * k + lower] += agreement(factors.row(f)[t] * statistic[j]);
                }
            }
            mean += others;
            square += others;
        }
    }
}

}  // namespace concordant
