// Graded items: two rankings of the same items, in which the weight of a pair is the distance of the grades
// of its items (Vezzuto, thesis, TU Delft, eq. 3), times a weight by its places.
//
// One set of positions per grade counts, for each item, the items of that grade above it: O(n log n) per
// grade.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../buffer.hpp"
#include "../interrupt.hpp"
#include "../ranking/ranking.hpp"
#include "../sums/accumulate.hpp"
#include "../sweep/among.hpp"
#include "../sweep/position_sets.hpp"

namespace concordant {

// The distance of two grades, |g - h| / max(g, h), by their numbers.
class GradeDistances {
public:
    GradeDistances(const double* grade, Index n_grades)
        : n_grades_(n_grades), distances_(std::size_t{n_grades} * n_grades, 0.0) {
        for (Index g = 0; g < n_grades; ++g) {
            for (Index h = 0; h < n_grades; ++h) {
                if (g == h) continue;
                distances_[std::size_t{g} * n_grades + h] =
                    std::abs(grade[g] - grade[h]) / std::max(grade[g], grade[h]);
            }
        }
    }
    Index n_grades() const { return n_grades_; }
    const double* from(Index grade) const { return distances_.data() + std::size_t{grade} * n_grades_; }

private:
    Index n_grades_;
    std::vector<double> distances_;
};

struct GradedItemScratch {
    struct OfGrade {
        Positions above_y,
            everyone;  // positions in x of the items above the current one in y, and of all
        std::int64_t n_above_y = 0, n_everyone = 0;
    };
    Buffer<Index> place;
    std::vector<OfGrade> grades;
};

// Sums and weights of three pair weights: 1; 1 / (items above the lower one in y); and the mean over both
// rankings of 1/rank_i + 1/rank_j.
struct GradedItemSums {
    double uniform = 0, uniform_weight = 0, ap = 0, ap_weight = 0, hyperbolic = 0, hyperbolic_weight = 0;
};

// The rankings have no ties.
inline GradedItemSums graded_item_sums(const Ranking& x, const Ranking& y, const Index* grade_of,
                                       const GradeDistances& distances, GradedItemScratch& scratch) {
    const Index size = x.size, n_grades = distances.n_grades();
    const Index* place = gather_places(x, y, scratch.place);
    scratch.grades.resize(n_grades);
    GradedItemScratch::OfGrade* const of_grade = scratch.grades.data();
    for (Index g = 0; g < n_grades; ++g) {
        of_grade[g].above_y.clear(size);
        of_grade[g].everyone.clear(size);
        of_grade[g].n_above_y = of_grade[g].n_everyone = 0;
    }
    for (Index k = 0; k < size; ++k) {
        const Index g = grade_of[y.order.data()[k]];
        of_grade[g].everyone.insert(place[k]);
        ++of_grade[g].n_everyone;
    }
    Sum uniform, uniform_weight, ap, ap_weight, hyperbolic, hyperbolic_weight;
    Pace pace;
    for (Index k = 0; k < size; ++k) {
        pace.after(n_grades);
        const Index own = grade_of[y.order.data()[k]];
        const double* distance_to = distances.from(own);
        double net = 0, mass = 0, net_all = 0, mass_all = 0;  // with the items above in y, with all
        for (Index g = 0; g < n_grades; ++g) {
            const std::int64_t n_above_y = of_grade[g].n_above_y, n_everyone = of_grade[g].n_everyone;
            if (g == own || n_everyone == 0) continue;
            const double distance = distance_to[g];
            const std::int64_t above_both = of_grade[g].above_y.count_before(place[k]);
            const std::int64_t above_x = of_grade[g].everyone.count_before(place[k]);
            // Concordant: above_both + (n_everyone - n_above_y - above_x + above_both). Discordant:
            // (n_above_y - above_both) + (above_x - above_both). The first parts are with the items above in
            // y.
            net += distance * static_cast<double>(2 * above_both - n_above_y);
            mass += distance * static_cast<double>(n_above_y);
            net_all +=
                distance * static_cast<double>(4 * above_both - 2 * n_above_y - 2 * above_x + n_everyone);
            mass_all += distance * static_cast<double>(n_everyone);
        }
        uniform.add(net);
        uniform_weight.add(mass);
        if (k > 0) {
            ap.add(net / k);
            ap_weight.add(mass / k);
        }
        const double weight = (1.0 / (k + 1.0) + 1.0 / (place[k] + 1.0)) / 2;
        hyperbolic.add(net_all * weight);
        hyperbolic_weight.add(mass_all * weight);
        of_grade[own].above_y.insert(place[k]);
        ++of_grade[own].n_above_y;
    }
    return {uniform.value(),   uniform_weight.value(), ap.value(),
            ap_weight.value(), hyperbolic.value(),     hyperbolic_weight.value()};
}

}  // namespace concordant
