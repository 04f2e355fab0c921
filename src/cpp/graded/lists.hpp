// Graded lists: the agreement of two lists of grades in rank order, over all pairs of positions (Vezzuto,
// thesis, TU Delft, eq. 4 to 6).
//
// The agreement of a pair of positions depends only on their grades, and there are few kinds of positions by
// grade. So the earlier positions of each kind are counted for every position: O(n kinds) instead of a loop
// over pairs.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../interrupt.hpp"
#include "../ranking/sort.hpp"
#include "../sums/accumulate.hpp"

namespace concordant {

// Two lists of grades in rank order, as indices into the values of the grades.
struct GradedLists {
    const Index* x;
    const Index* y;
    std::size_t size;
    const double* grade;
    Index n_grades;

    Index mirrored_x(std::size_t i) const { return x[size - 1 - i]; }
    Index mirrored_y(std::size_t i) const { return y[size - 1 - i]; }
};

// Agreement of the signs of two differences: 1 if equal, a if one is zero, else -1 (eq. 6).
inline double sign_agreement(int sign_x, int sign_y, double a) {
    if (sign_x == sign_y) return 1;
    return sign_x == 0 || sign_y == 0 ? a : -1;
}

inline int sign_of(Index a, Index b) { return (a > b) - (a < b); }

// Sums over pairs of positions of the agreement times three pair weights: 1; 1 / (positions above the lower
// one); and 1/i + 1/j for the ranks i and j of the positions. The sum of the last weights is
// `hyperbolic_weight`.
struct GradedListSums {
    double uniform, ap, hyperbolic, hyperbolic_weight;
};

// Computes the sums of one pair of lists after another, in memory that is used again.
class GradedListSummer {
public:
    // By the signs alone (eq. 6).
    GradedListSums by_signs(const GradedLists& lists, double a) {
        start(lists.size);
        const auto agreement = [&](Grades u, Grades v) {
            return sign_agreement(sign_of(v.x, u.x), sign_of(v.y, u.y), a);
        };
        add(lists, +1, everywhere, lists.y, false, agreement);
        return finish();
    }

    // By signs and levels, with a list read backwards as the opposite (eq. 4). Write m(i) for the mirrored
    // position size - 1 - i, and
    //
    //     E = {i : x_i = y_i},   P = {i : x_i = y_m(i)},   Q = {i : y_i = x_m(i)}.
    //
    // A pair of positions i < j belongs to the first of these cases that holds:
    //
    //     1. both in E and P, but not both with x_m = y_m:      0
    //     2. not both in E, and both in P or both in Q:         second(i, j), x against y read backwards
    //     3. all others:                                        third(i, j), x against y
    //
    // Let [S] be 1 if both positions are in the set S, else 0, so that [S] [T] = [S & T]. Then case 2 has the
    // indicator
    //
    //     (1 - [E]) ([P] + [Q] - [P & Q]) = [P] + [Q] - [P & Q] - [P & E] - [Q & E] + [P & Q & E].
    //
    // Each term is a sum over all pairs of one set, which `add` computes. So every pair counts as case 3
    // first, and the six signed sets replace third by second for the pairs of case 2.
    //
    // Case 1 has the indicator [A] - [B], with A = E & P and B = {i in A : x_m(i) = y_m(i)}. Its pairs are
    // both in E, so none of them was replaced; and there x = y at both positions, so their signs agree and
    // their sums of grades are equal: they counted third = 1. Subtracting 1 for the pairs of A and adding 1
    // for those of B makes them 0.
    GradedListSums by_levels(const GradedLists& lists, double a) {
        start(lists.size);
        mirrored_y_.resize(lists.size);
        for (std::size_t i = 0; i < lists.size; ++i) mirrored_y_[i] = lists.mirrored_y(i);
        const Index* mirrored_y = mirrored_y_.data();
        const auto closeness = [&](Grades u, Grades v) {  // eq. 5
            const double sum_x = lists.grade[u.x] + lists.grade[v.x];
            const double sum_y = lists.grade[u.y] + lists.grade[v.y];
            return sum_x + sum_y > 0 ? 1 - std::abs(sum_x - sum_y) / (sum_x + sum_y) : 1.0;
        };
        const auto third = [&](Grades u, Grades v) {
            return sign_agreement(sign_of(v.x, u.x), sign_of(v.y, u.y), a) * closeness(u, v);
        };
        const auto second = [&](Grades u, Grades v) {  // read backwards, the later position comes first
            return sign_agreement(sign_of(v.x, u.x), sign_of(u.y, v.y), a) * closeness(u, v);
        };
        add(lists, +1, everywhere, lists.y, false, third);

        const auto in_p = [&](std::size_t i) { return lists.x[i] == mirrored_y[i]; };
        const auto in_q = [&](std::size_t i) { return lists.y[i] == lists.mirrored_x(i); };
        const auto in_e = [&](std::size_t i) { return lists.x[i] == lists.y[i]; };
        const auto replace = [&](int sign, auto in_set) {
            add(lists, sign, in_set, mirrored_y, false, second);
            add(lists, -sign, in_set, lists.y, false, third);
        };
        replace(+1, in_p);
        replace(+1, in_q);
        replace(-1, [&](std::size_t i) { return in_p(i) && in_q(i); });
        replace(-1, [&](std::size_t i) { return in_p(i) && in_e(i); });
        replace(-1, [&](std::size_t i) { return in_q(i) && in_e(i); });
        replace(+1, [&](std::size_t i) { return in_p(i) && in_q(i) && in_e(i); });

        const auto in_a = [&](std::size_t i) { return in_e(i) && in_p(i); };
        const auto in_b = [&](std::size_t i) { return in_a(i) && lists.mirrored_x(i) == mirrored_y[i]; };
        const auto one = [](Grades, Grades) { return 1.0; };
        add(lists, -1, in_a, lists.y, true, one);
        add(lists, +1, in_b, lists.y, true, one);
        return finish();
    }

private:
    struct Grades {  // at one position: its kind
        Index x, y;
    };
    struct Member {
        std::size_t position, kind;
    };
    static constexpr std::size_t largest_table = 512;

    std::size_t size_ = 0;
    std::vector<Index> mirrored_y_;     // y read backwards
    std::vector<double> earlier_;       // for each position: agreement with those before it
    std::vector<double> all_;           // and with all others
    std::vector<std::int32_t> number_;  // of each kind of position in the set at hand; -1 for none
    std::vector<Grades> kinds_;
    std::vector<Member> members_;
    std::vector<double> total_;     // by kind: positions
    std::vector<double> passed_;    // by kind: positions passed
    std::vector<double> everyone_;  // by kind: agreement with all others
    std::vector<double> table_;     // by two kinds: their agreement

    static bool everywhere(std::size_t) { return true; }

    void start(std::size_t size) {
        size_ = size;
        earlier_.assign(size, 0.0);
        all_.assign(size, 0.0);
    }

    // Add sign times the agreement of all pairs of positions in a set. `agreement` of two kinds is symmetric;
    // `alike` says that it is the same for all kinds.
    template <class InSet, class Agreement>
    void add(const GradedLists& lists, int sign, InSet in_set, const Index* y, bool alike,
             Agreement agreement) {
        number_.resize(std::max(number_.size(), std::size_t{lists.n_grades} * lists.n_grades), -1);
        const auto code = [&](Grades kind) {
            return alike ? 0 : std::size_t{kind.x} * lists.n_grades + kind.y;
        };
        kinds_.clear();
        total_.clear();
        members_.clear();
        for (std::size_t i = 0; i < size_; ++i) {
            if (!in_set(i)) continue;
            const Grades kind{lists.x[i], y[i]};
            std::int32_t& known = number_[code(kind)];
            if (known < 0) {
                known = static_cast<std::int32_t>(kinds_.size());
                kinds_.push_back(kind);
                total_.push_back(0);
            }
            members_.push_back({i, static_cast<std::size_t>(known)});
            ++total_[static_cast<std::size_t>(known)];
        }
        for (const Grades kind : kinds_) number_[code(kind)] = -1;  // as it was, for the next set
        const std::size_t n_kinds = kinds_.size();
        const bool tabulate = n_kinds <= largest_table;
        table_.resize(std::max(table_.size(), tabulate ? n_kinds * n_kinds : n_kinds));
        const auto fill_row = [&](std::size_t u, double* row) {
            for (std::size_t v = 0; v < n_kinds; ++v) row[v] = agreement(kinds_[u], kinds_[v]);
        };
        for (std::size_t u = 0; tabulate && u < n_kinds; ++u) fill_row(u, &table_[u * n_kinds]);
        passed_.assign(n_kinds, 0.0);
        everyone_.assign(n_kinds, std::nan(""));
        Pace pace;
        for (const auto [i, u] : members_) {
            pace.after(n_kinds);
            double* with = tabulate ? &table_[u * n_kinds] : table_.data();
            if (!tabulate) fill_row(u, with);
            // All positions of each kind, less the agreement of a position with itself.
            if (std::isnan(everyone_[u])) everyone_[u] = dot(total_.data(), with, n_kinds) - with[u];
            earlier_[i] += sign * dot(passed_.data(), with, n_kinds);
            all_[i] += sign * everyone_[u];
            ++passed_[u];
        }
    }

    // Four sums side by side, because each addition waits for the one before it.
    static double dot(const double* a, const double* b, std::size_t size) {
        std::array<double, 4> sums{};
        std::size_t i = 0;
        for (; i + 4 <= size; i += 4) {
            for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += a[i + lane] * b[i + lane];
        }
        for (; i < size; ++i) sums[0] += a[i] * b[i];
        return (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }

    GradedListSums finish() const {
        Sum uniform, ap, hyperbolic, hyperbolic_weight;
        for (std::size_t i = 0; i < size_; ++i) {
            const auto rank = static_cast<double>(i + 1);
            uniform.add(earlier_[i]);
            if (i > 0) ap.add(earlier_[i] / static_cast<double>(i));
            hyperbolic.add(all_[i] / rank);
            hyperbolic_weight.add(static_cast<double>(size_ - 1) / rank);
        }
        return {uniform.value(), ap.value(), hyperbolic.value(), hyperbolic_weight.value()};
    }
};

}  // namespace concordant
