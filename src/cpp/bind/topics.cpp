// Scores of topics x systems.
#include "../topics.hpp"

#include "arrays.hpp"
#include "register.hpp"
#include "unlocked.hpp"

namespace concordant::bind {

namespace {

template <class T>
Table<T> table_of(const Array<T, 2>& array) {
    return {array.data(), array.shape(0), array.shape(1)};
}

bool are_pairs(std::size_t k, const Array<double, 1>& means, const Array<double, 1>& squares) {
    return have_length(k * (k - (k > 0)) / 2, means, squares);
}

void moments_of_pairs(const Array<const double, 2>& scores, double least, const Array<double, 1>& means,
                      const Array<double, 1>& squares) {
    require_aligned(scores, means, squares);
    require(are_pairs(scores.shape(1), means, squares), "there is one value for each pair of columns");
    const Unlocked unlocked;
    pair_moments(table_of(scores), least, means.data(), squares.data());
}

void without_each_topic(const Array<const double, 2>& scores, const Array<double, 1>& means,
                        const Array<double, 1>& squares, double least, const Array<const double, 2>& factors,
                        const Array<const double, 2>& cubic, const Array<double, 2>& above,
                        const Array<double, 3>& sums) {
    require_aligned(scores, means, squares, factors, cubic, above, sums);
    const std::size_t n = scores.shape(0), k = scores.shape(1);
    const bool valid = n > 2 && are_pairs(k, means, squares) && factors.shape(1) == n && cubic.shape(0) > 0 &&
                       cubic.shape(1) > 1 && above.shape(0) == n && above.shape(1) == k &&
                       sums.shape(0) == factors.shape(0) && sums.shape(1) == n && sums.shape(2) == k;
    require(valid, "the tables do not fit together");
    const Unlocked unlocked;
    agreement_without_each(table_of(scores), means.data(), squares.data(), least, table_of(factors),
                           CubicTable(table_of(cubic)), table_of(above), sums.data());
}

}  // namespace

void register_topics(nb::module_& m) {
    m.def("moments_of_pairs", &moments_of_pairs);
    m.def("without_each_topic", &without_each_topic);
}

}  // namespace concordant::bind
