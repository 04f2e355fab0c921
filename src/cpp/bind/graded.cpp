// Graded lists and graded items, by rows.
#include <algorithm>
#include <atomic>

#include "../graded/items.hpp"
#include "../graded/lists.hpp"
#include "../parallel.hpp"
#include "arrays.hpp"
#include "register.hpp"
#include "unlocked.hpp"

namespace concordant::bind {

namespace {

constexpr const char* different_shapes = "the arrays do not have the same shape";
constexpr std::size_t most_grades = 4096;  // tables have a place for every two of them
constexpr const char* too_many_grades = "there are more than 4096 grades";

void check_grades(const GradeRows& rows, std::size_t n_grades) {
    const bool valid =
        std::all_of(rows.data(), rows.data() + rows.size(), [=](Index grade) { return grade < n_grades; });
    require(valid, "grades must be indices into their values");
}

// Rows of two lists of grades in rank order, as indices into `values`; out[row] = the fields of
// GradedListSums. a[row] is the agreement of a pair that is tied in one list only; `by_levels` compares
// levels too, not only signs.
void graded_lists(const GradeRows& x, const GradeRows& y, const Values& values, const Values& a,
                  bool by_levels, unsigned workers, const Array<double, 2>& out) {
    require_aligned(x, y, values, a, out);
    const std::size_t n_rows = x.shape(0), size = x.shape(1);
    require(y.shape(1) == size && have_length(n_rows, y, a, out) && out.shape(1) == 4, different_shapes);
    require(values.shape(0) <= most_grades, too_many_grades);
    check_grades(x, values.shape(0));
    check_grades(y, values.shape(0));
    const Unlocked unlocked;
    in_parallel(n_rows, workers, [&](std::size_t begin, std::size_t end) {
        GradedListSummer summer;
        for (std::size_t row = begin; row < end; ++row) {
            const GradedLists lists{x.data() + row * size, y.data() + row * size, size, values.data(),
                                    static_cast<Index>(values.shape(0))};
            const GradedListSums found =
                by_levels ? summer.by_levels(lists, a.data()[row]) : summer.by_signs(lists, a.data()[row]);
            double* to = out.data() + row * 4;
            for (const double sum : {found.uniform, found.ap, found.hyperbolic, found.hyperbolic_weight})
                *to++ = sum;
        }
    });
}

// Rows of two scorings and the grades of the items, as indices into `values`; out[row] = the fields of
// GradedItemSums. These are not defined for ties: false, and `out` without meaning, if any row has ties or
// values that are not finite.
bool graded_items(const Values& x, const Values& y, const GradeRows& grades, const Values& values,
                  unsigned workers, const Array<double, 2>& out) {
    require_aligned(x, y, grades, values, out);
    const std::size_t n_rows = grades.shape(0), size = grades.shape(1);
    require(have_length(n_rows * size, x, y) && have_length(n_rows, out) && out.shape(1) == 6 &&
                size < largest_size,
            different_shapes);
    require(values.shape(0) <= most_grades, too_many_grades);
    check_grades(grades, values.shape(0));
    const Unlocked unlocked;
    const GradeDistances distances(values.data(), static_cast<Index>(values.shape(0)));
    std::atomic<bool> defined{true};
    in_parallel(n_rows, workers, [&](std::size_t begin, std::size_t end) {
        constexpr double no_threshold[] = {0.0};
        constexpr Preparation sorted{true, false};
        SortScratch sort_scratch;
        GradedItemScratch scratch;
        Ranking rx, ry;
        for (std::size_t row = begin; row < end && defined; ++row) {
            rx.prepare(x.data() + row * size, size, no_threshold, sorted, sort_scratch);
            ry.prepare(y.data() + row * size, size, no_threshold, sorted, sort_scratch);
            if (!rx.finite || !ry.finite || rx.windows[0].ties || ry.windows[0].ties) {
                defined = false;
                return;
            }
            const GradedItemSums found =
                graded_item_sums(rx, ry, grades.data() + row * size, distances, scratch);
            double* to = out.data() + row * 6;
            for (const double sum : {found.uniform, found.uniform_weight, found.ap, found.ap_weight,
                                     found.hyperbolic, found.hyperbolic_weight}) {
                *to++ = sum;
            }
        }
    });
    return defined;
}

}  // namespace

void register_graded(nb::module_& m) {
    m.def("graded_lists", &graded_lists);
    m.def("graded_items", &graded_items);
}

}  // namespace concordant::bind
