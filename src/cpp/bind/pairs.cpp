// The fields of one pair of rankings, and of many.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "../batch.hpp"
#include "../fields.hpp"
#include "../scratch.hpp"
#include "../sums/pair_sums.hpp"
#include "arrays.hpp"
#include "register.hpp"
#include "score_array.hpp"
#include "unlocked.hpp"

namespace concordant::bind {

namespace {

// nanobind reads a std::vector in a function that must not throw, so that a failed allocation there would end
// the process.
template <class T>
std::vector<T> numbers_of(const nb::list& list) {
    std::vector<T> numbers;
    numbers.reserve(list.size());
    for (const nb::handle number : list) numbers.push_back(nb::cast<T>(number));
    return numbers;
}

// What a formula asks of one pair of rankings: fields by number, in its own order.
struct Plan {
    Need need;
    bool untied;    // only for rankings without ties
    bool by_codes;  // rankings of few distinct scores need not be sorted
    std::vector<std::size_t> fields;
    Preparation of_x, of_y;

    Plan(Need needs, bool only_untied, const nb::list& numbers)
        : need(needs | (only_untied ? need_ties_x | need_ties_y : need_nothing)),
          untied(only_untied),
          by_codes((need & ~coded_needs) == 0),
          fields(numbers_of<std::size_t>(numbers)),
          of_x(preparation_of_x(need)),
          of_y(preparation_of_y(need)) {
        for (const std::size_t field : fields) require(field < n_fields, "no such field");
        require((need & ~all_needs) == 0, "no such need");
    }

    nb::object result(const Sums& sums) const {
        nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(fields.size())));
        if (!tuple) nb::raise_python_error();
        Py_ssize_t place = 0;
        for (const std::size_t field : fields) {
            const FieldEntry& entry = field_table[field];
            PyObject* value = field < n_counts ? PyLong_FromLongLong(sums.*entry.count)
                                               : PyFloat_FromDouble(sums.*entry.real);
            if (value == nullptr) nb::raise_python_error();
            PyTuple_SetItem(tuple.ptr(), place++, value);
        }
        return tuple;
    }
};

struct CallScratch {
    Buffer<double> scores_x, scores_y;  // copies: others may write to the caller's arrays, or free them
    SortScratch sort;
    PairScratch pair;
    Ranking x, y;
};

constexpr std::size_t small_call = 4096;  // items

void copy_scores(const ScoreArray& scores, Buffer<double>& copy) {
    std::memcpy(copy.reserve(scores.size()), scores.data(), scores.size() * sizeof(double));
}

// The same for a long ranking: call visit(start, scores, n) for parts of it, and handle signals in between.
// False if the visit returns false, or if the handler of a signal changed the array.
template <class Visit>
bool visit_long_scores(nb::handle object, const ScoreArray& scores, Visit visit) {
    constexpr std::size_t block = std::size_t{1} << 22;
    for (std::size_t start = 0; start < scores.size(); start += block) {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        const ScoreArray now(object);
        if (!now.valid() || now.data() != scores.data() || now.size() != scores.size()) return false;
        if (!visit(start, scores.data() + start, std::min(block, scores.size() - start))) return false;
    }
    return true;
}

bool copy_long_scores(nb::handle object, const ScoreArray& scores, Buffer<double>& copy) {
    double* out = copy.reserve(scores.size());
    return visit_long_scores(object, scores, [=](std::size_t start, const double* part, std::size_t n) {
        std::memcpy(out + start, part, n * sizeof(double));
        return true;
    });
}

// The codes of a long ranking, without a copy; false if it has not few distinct scores.
bool read_long_codes(nb::handle object, const ScoreArray& scores, double threshold, Ranking& ranking) {
    CodeReader reader(most_codes(scores.size()));
    Code* codes = ranking.codes.reserve(scores.size());
    if (!visit_long_scores(object, scores, [&](std::size_t start, const double* part, std::size_t n) {
            return reader.append(part, n, codes + start);
        })) {
        return false;
    }
    ranking.size = static_cast<Index>(scores.size());
    ranking.codes.order(reader);
    ranking.read_codes({&threshold, 1});
    return true;
}

// False for values that are not finite, for thresholds and scores that do not go together, and for ties where
// the plan wants none.
bool compute(std::size_t size, double threshold_x, double threshold_y, const Plan& plan, CallScratch& scratch,
             Sums& sums) {
    // After sorting, the scores themselves matter to three algorithms only.
    constexpr Need of_y = needs_of<Algorithm::rank> | needs_of<Algorithm::moments>;
    constexpr Need of_x = of_y | needs_of<Algorithm::gap>;
    const bool frugal = size > small_call;
    Ranking &x = scratch.x, &y = scratch.y;
    const std::span<const double> tie_x(&threshold_x, 1), tie_y(&threshold_y, 1);
    const auto ordinary = [](const Ranking& ranking) { return ranking.finite && !ranking.widened; };
    if (!frugal) {
        x.read(scratch.scores_x.data(), size, tie_x, plan.of_x, false);
        y.read(scratch.scores_y.data(), size, tie_y, plan.of_y, false);
    } else if (!plan.by_codes || !x.coded || !y.coded) {
        x.read(scratch.scores_x.data(), size, tie_x, plan.of_x, false);
        if (!ordinary(x)) return false;
        x.sort(tie_x, plan.of_x, scratch.sort);
        if ((plan.need & of_x) == 0) scratch.scores_x.release();
        y.read(scratch.scores_y.data(), size, tie_y, plan.of_y, false);
    }
    if (!ordinary(x) || !ordinary(y)) return false;
    if (threshold_x == 0 && threshold_y == 0 && sums_without_sorting(x, y, plan.need, scratch.pair, sums))
        return true;
    if (!plan.by_codes || !x.coded || !y.coded) {
        x.sort(tie_x, plan.of_x, scratch.sort);
        y.sort(tie_y, plan.of_y, scratch.sort);
    }
    if (frugal && (plan.need & of_y) == 0) scratch.scores_y.release();
    if (frugal) scratch.sort = {};
    sums = pair_sums(x, y, 0, plan.need, scratch.pair);
    const auto pairs = static_cast<std::int64_t>(size) * static_cast<std::int64_t>(size - 1) / 2;
    return !sums.lost && (!plan.untied || (sums.untied_x == pairs && sums.untied_y == pairs));
}

// One pair of rankings: the fields of the plan, in a tuple. None if the input is not two equally long lists
// of finite doubles, if there are fewer than two items, if the scores are too large for the threshold or span
// too much for sums of gaps, or if there are ties and the plan allows none.
nb::object fields_of_pair(nb::handle x_object, nb::handle y_object, double threshold_x, double threshold_y,
                          const Plan& plan) {
    require_threshold(threshold_x);
    require_threshold(threshold_y);
    const ScoreArray x(x_object), y(y_object);
    if (!x.valid() || !y.valid()) return nb::none();
    const std::size_t size = x.size();
    if (size != y.size() || size < 2 || size >= largest_size) return nb::none();
    Sums sums;
    bool ordinary = false;
    if (size <= small_call) {
        // The thread keeps the memory, and the call keeps the lock of the interpreter: releasing them would
        // cost more time than it saves.
        thread_local CallScratch scratch;
        copy_scores(x, scratch.scores_x);
        copy_scores(y, scratch.scores_y);
        ordinary = compute(size, threshold_x, threshold_y, plan, scratch, sums);
    } else {
        CallScratch scratch;
        const bool coded = plan.by_codes && read_long_codes(x_object, x, threshold_x, scratch.x) &&
                           read_long_codes(y_object, y, threshold_y, scratch.y);
        if (!coded) {
            scratch.x.coded = false;
            if (!copy_long_scores(x_object, x, scratch.scores_x) ||
                !copy_long_scores(y_object, y, scratch.scores_y)) {
                return nb::none();
            }
        }
        const Unlocked unlocked;
        ordinary = compute(size, threshold_x, threshold_y, plan, scratch, sums);
    }
    return ordinary ? plan.result(sums) : nb::none();
}

// Many pairs: counts[t, :, p] and reals[t, :, p] for thresholds t and pairs p, all counts and those reals
// whose numbers are in `fields`, from 0 for the first real; all zero for a pair with a value that is not
// finite. Returns bits of what was unusual: 1 for values that are not finite, 2 for finite scores that are
// too large for their threshold or span too much for sums of gaps. If the values are `shared`, others may
// write to them during the call: each ranking is copied when its turn comes. Nobody else may write to the
// other arrays.
unsigned fields_of_pairs(const Values& x, const Integers& offsets_x, const Values& y,
                         const Integers& offsets_y, const Integers& pair_x, const Integers& pair_y,
                         const nb::list& list_x, const nb::list& list_y, const nb::list& list_of_needs,
                         const nb::list& list_of_fields, unsigned workers, bool shared,
                         const Array<std::int64_t, 3>& counts, const Array<double, 3>& reals) {
    const auto thresholds_x = numbers_of<double>(list_x), thresholds_y = numbers_of<double>(list_y);
    const auto needs = numbers_of<Need>(list_of_needs);
    const auto fields = numbers_of<std::size_t>(list_of_fields);
    require_aligned(x, offsets_x, y, offsets_y, pair_x, pair_y, counts, reals);
    Rows rows_x = rows_of(x, offsets_x), rows_y = rows_of(y, offsets_y);
    rows_x.shared = rows_y.shared = shared;
    const PairList pairs = pairs_of(rows_x, rows_y, pair_x, pair_y);
    std::for_each(thresholds_x.begin(), thresholds_x.end(), require_threshold);
    std::for_each(thresholds_y.begin(), thresholds_y.end(), require_threshold);
    const std::size_t n_thresholds = needs.size();
    bool valid = thresholds_x.size() == n_thresholds && thresholds_y.size() == n_thresholds &&
                 have_length(n_thresholds, counts, reals) && counts.shape(1) == n_counts &&
                 reals.shape(1) == fields.size() && counts.shape(2) == pairs.count &&
                 reals.shape(2) == pairs.count;
    Preparation of_x, of_y;
    bool by_codes = true;
    for (const Need need : needs) {
        by_codes = by_codes && (need & ~coded_needs) == 0;
        of_x = of_x | preparation_of_x(need);
        of_y = of_y | preparation_of_y(need);
        valid = valid && (need & ~all_needs) == 0;
    }
    std::vector<double Sums::*> real_members;
    for (const std::size_t field : fields) {
        valid = valid && field < n_reals;
        if (valid) real_members.push_back(field_table[n_counts + field].real);
    }
    require(valid, "the outputs do not have the shape of the request");
    const bool exact = n_thresholds == 1 && thresholds_x[0] == 0 && thresholds_y[0] == 0;
    std::atomic<unsigned> unusual{0};
    const Unlocked unlocked;
    for_each_pair<PairScratch>(
        rows_x, rows_y, pairs, {thresholds_x, of_x}, {thresholds_y, of_y}, by_codes, workers,
        [&](std::size_t p, const Ranking& rx, const Ranking& ry, const auto& sort, PairScratch& scratch) {
            const bool finite = rx.finite && ry.finite;
            Sums sums;
            const bool told = finite && exact && !(rx.sorted && ry.sorted) &&
                              sums_without_sorting(rx, ry, needs[0], scratch, sums);
            if (finite && !told && !(by_codes && rx.coded && ry.coded)) sort();
            bool extreme = finite && (rx.widened || ry.widened);
            std::int64_t* count = counts.data() + p;
            double* real = reals.data() + p;
            for (std::size_t t = 0; t < n_thresholds; ++t) {
                if (finite && !told) sums = pair_sums(rx, ry, t, needs[t], scratch);
                extreme = extreme || sums.lost;
                for (std::size_t field = 0; field < n_counts; ++field) {
                    *count = sums.*field_table[field].count;
                    count += pairs.count;
                }
                for (const auto member : real_members) {
                    *real = sums.*member;
                    real += pairs.count;
                }
            }
            if (!finite || extreme) unusual.fetch_or(finite ? 2 : 1, std::memory_order_relaxed);
        });
    return unusual;
}

}  // namespace

void register_pairs(nb::module_& m) {
    nb::class_<FieldEntry>(m, "Field")
        .def_ro("need", &FieldEntry::need)
        .def_prop_ro("is_count", [](const FieldEntry& field) { return field.count != nullptr; })
        .def_prop_ro("sorts_x",
                     [](const FieldEntry& f) { return f.need != 0 && preparation_of_x(f.need).sorted; })
        .def_prop_ro("sorts_y",
                     [](const FieldEntry& f) { return f.need != 0 && preparation_of_y(f.need).sorted; });
    nb::dict fields;
    for (const FieldEntry& field : field_table) fields[field.name] = field;
    m.attr("FIELDS") = fields;

    nb::class_<Plan>(m, "Plan").def(nb::init<Need, bool, nb::list>());
    m.def("pair", &fields_of_pair, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg());
    m.def("pairs", &fields_of_pairs);
    m.attr("SLACK") = slack_of_one;
    m.attr("LARGEST_SLACK") = largest_slack;
    ScoreArray::start();
    m.def("use_array_head", &ScoreArray::use_head);
}

}  // namespace concordant::bind
