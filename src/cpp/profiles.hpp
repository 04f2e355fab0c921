// Correlation of relevance profiles (Vezzuto, "Extending rank correlation coefficients for relevance profiles").
//
// How a pair of positions agrees depends on the grades there only, and there are few kinds of positions by their grades:
// for every position, count the earlier ones of each kind, O(n kinds) instead of a loop over pairs.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "accumulate.hpp"
#include "buffer.hpp"
#include "ranking.hpp"
#include "sums.hpp"
#include "sweep.hpp"

namespace concordant {

// Two lists of grades in rank order, as indices into the values of the grades.
struct GradeLists {
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

class ProfileScorer {
public:
    // Sums over pairs of positions of the agreement times the pair weight 1; 1 / (positions above the lower); 1 / place
    // of the one plus that of the other. The last weights' own sum is `hyperbolic_weight`.
    struct Result {
        double tau, ap, hyperbolic, hyperbolic_weight;
    };

    Result sign_concordance(const GradeLists& lists, double a) {
        start(lists.size);
        add(lists, +1, [](std::size_t) { return true; }, lists.y, false, [&](Pair u, Pair v) {
            return sign_agreement(sign_of(v.x, u.x), sign_of(v.y, u.y), a);
        });
        return finish();
    }

    // Eq. 4. Every pair of positions counts as its third case first; then those of the second and of the first case are
    // put right. The second case is a condition on each of two positions alone ("both in P or both in Q, not both in
    // E"), so its sum is one over sets of positions, by inclusion and exclusion.
    Result augmented_concordance(const GradeLists& lists, double a) {
        start(lists.size);
        std::vector<Index> mirrored(lists.size);
        for (std::size_t i = 0; i < lists.size; ++i) mirrored[i] = lists.mirrored_y(i);
        const auto closeness = [&](Pair u, Pair v) {  // eq. 5
            const double sum_x = lists.grade[u.x] + lists.grade[v.x], sum_y = lists.grade[u.y] + lists.grade[v.y];
            return sum_x + sum_y > 0 ? 1 - std::abs(sum_x - sum_y) / (sum_x + sum_y) : 1.0;
        };
        const auto third = [&](Pair u, Pair v) {
            return sign_agreement(sign_of(v.x, u.x), sign_of(v.y, u.y), a) * closeness(u, v);
        };
        const auto second = [&](Pair u, Pair v) {  // read backwards, the later position comes first
            return sign_agreement(sign_of(v.x, u.x), sign_of(u.y, v.y), a) * closeness(u, v);
        };
        add(lists, +1, [](std::size_t) { return true; }, lists.y, false, third);

        const auto in_p = [&](std::size_t i) { return lists.x[i] == mirrored[i]; };
        const auto in_q = [&](std::size_t i) { return lists.y[i] == lists.mirrored_x(i); };
        const auto in_e = [&](std::size_t i) { return lists.x[i] == lists.y[i]; };
        const auto replace = [&](int sign, auto in_set) {
            add(lists, sign, in_set, mirrored.data(), false, second);
            add(lists, -sign, in_set, lists.y, false, third);
        };
        replace(+1, in_p);
        replace(+1, in_q);
        replace(-1, [&](std::size_t i) { return in_p(i) && in_q(i); });
        replace(-1, [&](std::size_t i) { return in_p(i) && in_e(i); });
        replace(-1, [&](std::size_t i) { return in_q(i) && in_e(i); });
        replace(+1, [&](std::size_t i) { return in_p(i) && in_q(i) && in_e(i); });

        // The first case: pairs within A but not within B count 0; as third cases they had counted 1.
        const auto in_a = [&](std::size_t i) { return in_e(i) && in_p(i); };
        const auto in_b = [&](std::size_t i) { return in_a(i) && lists.mirrored_x(i) == mirrored[i]; };
        const auto one = [](Pair, Pair) { return 1.0; };
        add(lists, -1, in_a, lists.y, true, one);
        add(lists, +1, in_b, lists.y, true, one);
        return finish();
    }

private:
    struct Pair {
        Index x, y;
    };

    std::size_t size_ = 0;
    struct Member {
        std::size_t position, kind;
    };
    static constexpr std::size_t largest_table = 512;
    std::vector<std::int32_t> number_;  // of each kind of position in the set at hand; -1 for none
    std::vector<Pair> kinds_;
    std::vector<Member> members_;
    std::vector<double> total_, passed_, everyone_, table_;  // by kind; the table by two kinds
    Buffer<double> earlier_memory_, all_memory_;
    double* earlier_ = nullptr;  // for each position: agreement with those before it
    double* all_ = nullptr;      // and with all others

    void start(std::size_t size) {
        size_ = size;
        earlier_ = earlier_memory_.reserve(size);
        all_ = all_memory_.reserve(size);
        std::fill_n(earlier_, size, 0.0);
        std::fill_n(all_, size, 0.0);
    }

    // Add sign times the agreement of all pairs of positions in a set. `agreement` of two kinds (x, y) is symmetric;
    // `alike` says that it is the same for all kinds.
    template <class InSet, class Agreement>
    void add(const GradeLists& lists, int sign, InSet in_set, const Index* y, bool alike, Agreement agreement) {
        number_.resize(std::max(number_.size(), std::size_t{lists.n_grades} * lists.n_grades), -1);
        const auto code = [&](Pair pair) { return alike ? 0 : std::size_t{pair.x} * lists.n_grades + pair.y; };
        kinds_.clear();
        total_.clear();
        members_.clear();
        for (std::size_t i = 0; i < size_; ++i) {
            if (!in_set(i)) continue;
            const Pair pair{lists.x[i], y[i]};
            std::int32_t& known = number_[code(pair)];
            if (known < 0) {
                known = static_cast<std::int32_t>(kinds_.size());
                kinds_.push_back(pair);
                total_.push_back(0);
            }
            members_.push_back({i, static_cast<std::size_t>(known)});
            ++total_[static_cast<std::size_t>(known)];
        }
        for (const Pair pair : kinds_) number_[code(pair)] = -1;  // as it was, for the next set
        const std::size_t n_kinds = kinds_.size();
        const bool tabulate = n_kinds <= largest_table;
        table_.resize(std::max(table_.size(), tabulate ? n_kinds * n_kinds : n_kinds));
        const auto fill_row = [&](std::size_t u, double* row) {
            for (std::size_t v = 0; v < n_kinds; ++v) row[v] = agreement(kinds_[u], kinds_[v]);
        };
        for (std::size_t u = 0; tabulate && u < n_kinds; ++u) fill_row(u, &table_[u * n_kinds]);
        passed_.assign(n_kinds, 0.0);
        everyone_.assign(n_kinds, std::nan(""));
        for (const auto [i, u] : members_) {
            double* with = tabulate ? &table_[u * n_kinds] : table_.data();
            if (!tabulate) fill_row(u, with);
            if (std::isnan(everyone_[u])) everyone_[u] = product(total_.data(), with, n_kinds) - with[u];  // not with itself
            earlier_[i] += sign * product(passed_.data(), with, n_kinds);
            all_[i] += sign * everyone_[u];
            ++passed_[u];
        }
    }

    // Four sums side by side, because each addition waits for the one before it.
    static double product(const double* a, const double* b, std::size_t size) {
        std::array<double, 4> sums{};
        std::size_t i = 0;
        for (; i + 4 <= size; i += 4) {
            for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += a[i + lane] * b[i + lane];
        }
        for (; i < size; ++i) sums[0] += a[i] * b[i];
        return (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }

    Result finish() const {
        Sum tau, ap, hyperbolic, hyperbolic_weight;
        for (std::size_t i = 0; i < size_; ++i) {
            const auto place = static_cast<double>(i + 1);
            tau.add(earlier_[i]);
            if (i > 0) ap.add(earlier_[i] / static_cast<double>(i));
            hyperbolic.add(all_[i] / place);
            hyperbolic_weight.add(static_cast<double>(size_ - 1) / place);
        }
        return {tau.value(), ap.value(), hyperbolic.value(), hyperbolic_weight.value()};
    }
};

// Distance-weighted concordance (eq. 3): two scorings of the same items, a pair weighing the distance of its grades.
// One set of positions per grade; sums and weights of the three pair weights, in turn.
struct DistanceSums {
    double tau = 0, tau_weight = 0, ap = 0, ap_weight = 0, hyperbolic = 0, hyperbolic_weight = 0;
};

inline DistanceSums distance_concordance(const Ranking& x, const Ranking& y, const Index* grade_of,
                                         const double* grade, Index n_grades, PairMemory& memory) {
    const Index size = x.size;
    const Index* place = gather_places(x, y, memory);
    std::vector<PositionSets<1>> passed(n_grades), everyone(n_grades);
    std::vector<std::int64_t> n_passed(n_grades, 0), n_all(n_grades, 0);
    for (PositionSets<1>& set : passed) set.clear(size);
    for (PositionSets<1>& set : everyone) set.clear(size);
    std::vector<double> distances(std::size_t{n_grades} * n_grades, 0.0);
    for (Index g = 0; g < n_grades; ++g) {
        for (Index h = 0; h < n_grades; ++h) {
            if (g != h) distances[std::size_t{g} * n_grades + h] = std::abs(grade[g] - grade[h]) / std::max(grade[g], grade[h]);
        }
    }
    for (Index k = 0; k < size; ++k) {
        const Index g = grade_of[y.order.data()[k]];
        everyone[g].insert(0, place[k]);
        ++n_all[g];
    }
    Sum tau, tau_weight, ap, ap_weight, hyperbolic, hyperbolic_weight;
    for (Index k = 0; k < size; ++k) {
        const Index own = grade_of[y.order.data()[k]];
        double net = 0, mass = 0, net_all = 0, mass_all = 0;  // with the items above in y, with all
        for (Index g = 0; g < n_grades; ++g) {
            if (g == own || n_all[g] == 0) continue;
            const double distance = distances[std::size_t{own} * n_grades + g];
            const std::int64_t above_both = passed[g].count_before(place[k])[0];
            const std::int64_t above_x = everyone[g].count_before(place[k])[0];
            net += distance * static_cast<double>(2 * above_both - n_passed[g]);
            mass += distance * static_cast<double>(n_passed[g]);
            net_all += distance * static_cast<double>(4 * above_both - 2 * n_passed[g] - 2 * above_x + n_all[g]);
            mass_all += distance * static_cast<double>(n_all[g]);
        }
        tau.add(net);
        tau_weight.add(mass);
        if (k > 0) {
            ap.add(net / k);
            ap_weight.add(mass / k);
        }
        const double weight = (1.0 / (k + 1.0) + 1.0 / (place[k] + 1.0)) / 2;
        hyperbolic.add(net_all * weight);
        hyperbolic_weight.add(mass_all * weight);
        passed[own].insert(0, place[k]);
        ++n_passed[own];
    }
    return {tau.value(), tau_weight.value(), ap.value(), ap_weight.value(), hyperbolic.value(),
            hyperbolic_weight.value()};
}

}  // namespace concordant
