// Bindings only. Arrays in, counts and sums out; what they mean is decided in Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "batch.hpp"
#include "before.hpp"
#include "profiles.hpp"
#include "round.hpp"

namespace nb = nanobind;
using namespace concordant;

namespace {

using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T, std::size_t dimensions>
using Output = nb::ndarray<T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

constexpr std::size_t largest_size = std::size_t{1} << 31;  // sums of two counts stay within 32 bits

Rows rows_of(const Values& values, const Integers& offsets) {
    const std::size_t count = offsets.shape(0) - (offsets.shape(0) > 0);
    const Rows rows{values.data(), offsets.data(), count};
    bool valid = offsets.shape(0) > 0 && rows.offsets[0] == 0 &&
                 rows.offsets[count] == static_cast<std::int64_t>(values.shape(0));
    for (std::size_t row = 0; valid && row < count; ++row) {
        valid = rows.offsets[row] <= rows.offsets[row + 1] && rows.size(row) < largest_size;
    }
    if (!valid) throw std::invalid_argument("offsets must rise from 0 to the number of values, by less than 2**31");
    return rows;
}

void check_pairs(const Rows& x, const Rows& y, const Integers& pair_x, const Integers& pair_y) {
    bool valid = pair_x.shape(0) == pair_y.shape(0);
    const auto count_x = static_cast<std::int64_t>(x.count);
    const auto count_y = static_cast<std::int64_t>(y.count);
    for (std::size_t p = 0; valid && p < pair_x.shape(0); ++p) {
        const std::int64_t i = pair_x.data()[p], j = pair_y.data()[p];
        valid = i >= 0 && i < count_x && j >= 0 && j < count_y &&
                x.size(static_cast<std::size_t>(i)) == y.size(static_cast<std::size_t>(j));
    }
    if (!valid) throw std::invalid_argument("pairs must name rows of equal size");
}

#define CONCORDANT_NAME(name) #name,
constexpr const char* count_names[] = {CONCORDANT_COUNTS(CONCORDANT_NAME)};
constexpr const char* real_names[] = {CONCORDANT_REALS(CONCORDANT_NAME)};
#undef CONCORDANT_NAME
#define CONCORDANT_MEMBER(name) &Sums::name,
constexpr std::int64_t Sums::*count_members[] = {CONCORDANT_COUNTS(CONCORDANT_MEMBER)};
constexpr double Sums::*real_members[] = {CONCORDANT_REALS(CONCORDANT_MEMBER)};
#undef CONCORDANT_MEMBER

// What a formula asks of one pair of rankings: fields of Sums by number (counts first, then reals), in its own order.
struct Plan {
    unsigned need;
    bool untied;  // only for rankings without ties
    std::vector<std::size_t> fields;

    Plan(unsigned needs, bool only_untied, std::vector<std::size_t> numbers)
        : need(needs), untied(only_untied), fields(std::move(numbers)) {
        for (const std::size_t field : fields) {
            if (field >= std::size(count_members) + std::size(real_members)) throw std::invalid_argument("no such field");
        }
    }

    nb::object result(const Sums& sums) const {
        nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(fields.size())));
        Py_ssize_t place = 0;
        for (const std::size_t field : fields) {
            PyObject* value = field < std::size(count_members)
                                  ? PyLong_FromLongLong(sums.*count_members[field])
                                  : PyFloat_FromDouble(sums.*real_members[field - std::size(count_members)]);
            PyTuple_SetItem(tuple.ptr(), place++, value);
        }
        return tuple;
    }
};

// The head of NumPy's array object, whose layout is part of NumPy's binary interface. Read directly, because single
// calls spend their time at this border: the buffer protocol and the general conversion cost as much as sorting.
struct ArrayHead {
    PyObject object;
    char* data;
    int dimensions;
    Py_ssize_t* shape;
    Py_ssize_t* strides;
    PyObject* base;
    PyObject* type_of_values;
    int flags;
};

// A contiguous list of doubles in a NumPy array, if that is what the object is.
class Doubles {
public:
    explicit Doubles(nb::handle object) {
        static PyObject* const array_type = nb::object(nb::module_::import_("numpy").attr("ndarray")).release().ptr();
        static PyObject* const float64 =
            nb::module_::import_("numpy").attr("dtype")("float64").release().ptr();  // one object for all arrays of it
        constexpr int contiguous_and_aligned = 0x1 | 0x100;
        if (reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())) != array_type) return;
        const auto* array = reinterpret_cast<const ArrayHead*>(object.ptr());
        valid_ = array->dimensions == 1 && array->type_of_values == float64 &&
                 (array->flags & contiguous_and_aligned) == contiguous_and_aligned;
        if (!valid_) return;
        data_ = reinterpret_cast<const double*>(array->data);
        size_ = static_cast<std::size_t>(array->shape[0]);
    }
    bool valid() const { return valid_; }
    const double* data() const { return data_; }
    std::size_t size() const { return size_; }

private:
    bool valid_ = false;
    const double* data_ = nullptr;
    std::size_t size_ = 0;
};

// One pair of rankings: the fields of the plan, in a tuple. None for anything out of the ordinary: input that is not two
// equally long lists of finite doubles, fewer than two items, ties where the plan wants none.
nb::object pair(nb::handle x_object, nb::handle y_object, double threshold_x, double threshold_y, const Plan& plan) {
    const Doubles x(x_object), y(y_object);
    if (!x.valid() || !y.valid()) return nb::none();
    const std::size_t size = x.size();
    if (size != y.size() || size < 2 || size >= largest_size) return nb::none();
    struct CallMemory {
        Buffer<std::uint64_t> sort;
        Memory pair;
        Ranking x, y;
        std::vector<double> threshold_x, threshold_y;
    };
    constexpr std::size_t small = 4096;
    const auto compute = [&](CallMemory& memory, Sums& sums) {
        memory.threshold_x.assign(1, threshold_x);
        memory.threshold_y.assign(1, threshold_y);
        memory.x.prepare(x.data(), size, memory.threshold_x, order_of_x(plan.need), memory.sort);
        if (!memory.x.finite) return false;
        memory.y.prepare(y.data(), size, memory.threshold_y, order_of_y(plan.need), memory.sort);
        if (!memory.y.finite) return false;
        if (size > small) memory.sort = Buffer<std::uint64_t>();
        sums = pair_sums(memory.x, memory.y, 0, plan.need, memory.pair);
        const auto pairs = static_cast<std::int64_t>(size) * static_cast<std::int64_t>(size - 1) / 2;
        return !plan.untied || (sums.untied_x == pairs && sums.untied_y == pairs);
    };
    Sums sums;
    bool ordinary = false;
    if (size <= small) {
        // Memory stays with the thread, and the lock of the interpreter with the call: both cost more than they give.
        thread_local CallMemory memory;
        ordinary = compute(memory, sums);
    } else {
        const nb::gil_scoped_release unlocked;
        CallMemory memory;
        ordinary = compute(memory, sums);
    }
    return ordinary ? plan.result(sums) : nb::none();
}

// Many pairs: counts[t, :, p] and reals[t, :, p] for thresholds t and pairs p, all counts of Sums and those reals whose
// numbers are in `fields`; all zero for a pair with a value that is not finite.
void pairs(const Values& x, const Integers& offsets_x, const Values& y, const Integers& offsets_y,
           const Integers& pair_x, const Integers& pair_y, std::vector<double> thresholds_x,
           std::vector<double> thresholds_y, std::vector<unsigned> needs, const std::vector<std::size_t>& fields,
           unsigned workers, Output<std::int64_t, 3> counts, Output<double, 3> reals) {
    const Rows rows_x = rows_of(x, offsets_x), rows_y = rows_of(y, offsets_y);
    check_pairs(rows_x, rows_y, pair_x, pair_y);
    const std::size_t n_pairs = pair_x.shape(0), n_thresholds = needs.size();
    bool valid = thresholds_x.size() == n_thresholds && thresholds_y.size() == n_thresholds;
    valid = valid && counts.shape(0) == n_thresholds && counts.shape(1) == std::size(count_members) &&
            counts.shape(2) == n_pairs;
    valid = valid && reals.shape(0) == n_thresholds && reals.shape(1) == fields.size() && reals.shape(2) == n_pairs;
    for (const std::size_t field : fields) valid = valid && field < std::size(real_members);
    if (!valid) throw std::invalid_argument("the outputs do not have the shape of the request");
    const Request request{std::move(thresholds_x), std::move(thresholds_y), std::move(needs)};
    const nb::gil_scoped_release unlocked;
    for_each_pair(rows_x, rows_y, pair_x.data(), pair_y.data(), n_pairs, request, workers,
                  [&](std::size_t p, const Ranking& rx, const Ranking& ry, Memory& memory) {
        std::int64_t* count = counts.data() + p;
        double* real = reals.data() + p;
        for (std::size_t t = 0; t < n_thresholds; ++t) {
            const Sums sums = rx.finite && ry.finite ? pair_sums(rx, ry, t, request.needs[t], memory) : Sums{};
            for (const auto member : count_members) {
                *count = sums.*member;
                count += n_pairs;
            }
            for (const std::size_t field : fields) {
                *real = sums.*real_members[field];
                real += n_pairs;
            }
        }
    });
}

// The counts of every item of every pair: out[:, starts[p] + i] for item i of pair p, in the order of Profile.
void profiles(const Values& x, const Integers& offsets_x, const Values& y, const Integers& offsets_y,
              const Integers& pair_x, const Integers& pair_y, double threshold_x, double threshold_y, unsigned workers,
              const Integers& starts, Output<std::int64_t, 2> out) {
    const Rows rows_x = rows_of(x, offsets_x), rows_y = rows_of(y, offsets_y);
    check_pairs(rows_x, rows_y, pair_x, pair_y);
    const std::size_t n_pairs = pair_x.shape(0), n_items = out.shape(1);
    bool valid = out.shape(0) == Profile::n_fields && starts.shape(0) == n_pairs;
    for (std::size_t p = 0; valid && p < n_pairs; ++p) {
        const std::size_t size = rows_x.size(static_cast<std::size_t>(pair_x.data()[p]));
        const std::int64_t start = starts.data()[p];
        valid = start >= 0 && static_cast<std::size_t>(start) + size <= n_items;
    }
    if (!valid) throw std::invalid_argument("the output does not have the shape of the request");
    const Request request{{threshold_x}, {threshold_y}, {need_counts}};
    const nb::gil_scoped_release unlocked;
    for_each_pair(rows_x, rows_y, pair_x.data(), pair_y.data(), n_pairs, request, workers,
                  [&](std::size_t p, const Ranking& rx, const Ranking& ry, Memory& memory) {
        std::int64_t* field = out.data() + starts.data()[p];
        if (!rx.finite || !ry.finite) return;
        pair_profile(rx, ry, memory.pair,
                     Profile{field, field + n_items, field + 2 * n_items, field + 3 * n_items, field + 4 * n_items,
                             field + 5 * n_items, field + 6 * n_items});
    });
}

using GradeRows = nb::ndarray<const Index, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void check_grades(const GradeRows& rows, std::size_t n_grades) {
    const Index* end = rows.data() + rows.size();
    if (std::any_of(rows.data(), end, [=](Index g) { return g >= n_grades; })) {
        throw std::invalid_argument("grades must be indices into their values");
    }
}

// Rows of two lists of grades in rank order, as indices into `values`; out[row] = the fields of ProfileScorer::Result.
void grade_profiles(const GradeRows& x, const GradeRows& y, const Values& values, const Values& a, bool augmented,
                    Output<double, 2> out) {
    const std::size_t n_rows = x.shape(0), size = x.shape(1);
    if (y.shape(0) != n_rows || y.shape(1) != size || a.shape(0) != n_rows || out.shape(0) != n_rows ||
        out.shape(1) != 4) {
        throw std::invalid_argument("the arrays do not have the same shape");
    }
    check_grades(x, values.shape(0));
    check_grades(y, values.shape(0));
    const nb::gil_scoped_release unlocked;
    ProfileScorer scorer;
    for (std::size_t row = 0; row < n_rows; ++row) {
        const GradeLists lists{x.data() + row * size, y.data() + row * size, size, values.data(),
                               static_cast<Index>(values.shape(0))};
        const double each = a.data()[row];
        const auto found =
            augmented ? scorer.augmented_concordance(lists, each) : scorer.sign_concordance(lists, each);
        double* to = out.data() + row * 4;
        to[0] = found.tau;
        to[1] = found.ap;
        to[2] = found.hyperbolic;
        to[3] = found.hyperbolic_weight;
    }
}

// Rows of two scorings and the grades of the items, as indices into `values`; out[row] = the fields of DistanceSums, or,
// because these are not defined for ties, false at the first row with ties or values that are not finite.
bool graded_pairs(const Values& x, const Values& y, const GradeRows& grades, const Values& values,
                  Output<double, 2> out) {
    const std::size_t n_rows = grades.shape(0), size = grades.shape(1);
    if (x.shape(0) != n_rows * size || y.shape(0) != n_rows * size || out.shape(0) != n_rows || out.shape(1) != 6 ||
        size >= largest_size) {
        throw std::invalid_argument("the arrays do not have the same shape");
    }
    check_grades(grades, values.shape(0));
    const nb::gil_scoped_release unlocked;
    Buffer<std::uint64_t> sort_memory;
    PairMemory memory;
    Ranking rx, ry;
    const std::vector<double> no_threshold{0.0};
    for (std::size_t row = 0; row < n_rows; ++row) {
        rx.prepare(x.data() + row * size, size, no_threshold, Order::sorted, sort_memory);
        ry.prepare(y.data() + row * size, size, no_threshold, Order::sorted, sort_memory);
        if (!rx.finite || !ry.finite || rx.windows[0].ties || ry.windows[0].ties) return false;
        const DistanceSums s = distance_concordance(rx, ry, grades.data() + row * size, values.data(),
                                                    static_cast<Index>(values.shape(0)), memory);
        double* to = out.data() + row * 6;
        for (const double value : {s.tau, s.tau_weight, s.ap, s.ap_weight, s.hyperbolic, s.hyperbolic_weight}) {
            *to++ = value;
        }
    }
    return true;
}

// The items from best to worst, and for each position the positions tied with it: from `first`, up to before `last`.
void windows(const Values& values, double threshold, Output<std::int64_t, 1> order, Output<std::int64_t, 1> first,
             Output<std::int64_t, 1> last) {
    const std::size_t size = values.shape(0);
    if (order.shape(0) != size || first.shape(0) != size || last.shape(0) != size || size >= largest_size) {
        throw std::invalid_argument("the arrays do not have the same length");
    }
    const nb::gil_scoped_release unlocked;
    Buffer<std::uint64_t> memory;
    Ranking ranking;
    ranking.prepare(values.data(), size, {threshold}, Order::sorted, memory);
    if (!ranking.finite) throw std::invalid_argument("the values must be finite");
    for (std::size_t k = 0; k < size; ++k) {
        order.data()[k] = ranking.order.data()[k];
        first.data()[k] = ranking.windows[0].at.data()[k].first;
        last.data()[k] = ranking.windows[0].at.data()[k].last;
    }
}

// What `Questions` needs: places that can be used as such, ends that never fall.
Questions questions_of(const Integers& place, const Integers& ends, const Integers& before) {
    const auto size = static_cast<std::int64_t>(place.shape(0));
    bool valid = ends.shape(0) == before.shape(0);
    for (std::size_t k = 0; valid && k < place.shape(0); ++k) valid = place.data()[k] >= 0 && place.data()[k] < size;
    for (std::size_t k = 0; valid && k < ends.shape(0); ++k) {
        valid = ends.data()[k] >= (k > 0 ? ends.data()[k - 1] : 0) && ends.data()[k] <= size && before.data()[k] >= 0 &&
                before.data()[k] <= size;
    }
    if (!valid) throw std::invalid_argument("places and ends must be within the items, and ends must not fall");
    return {ends.data(), before.data(), ends.shape(0)};
}

void sums_before(const Integers& place, const Integers& weights, const Integers& ends, const Integers& before,
                 Output<std::int64_t, 1> out) {
    const Questions questions = questions_of(place, ends, before);
    if (weights.shape(0) != place.shape(0) || out.shape(0) != questions.count) {
        throw std::invalid_argument("the arrays do not have the same length");
    }
    const nb::gil_scoped_release unlocked;
    weights_before(place.data(), weights.data(), place.shape(0), questions, out.data());
}

void gap_sums_before(const Values& scores, const Integers& place, const Values& weights, const Integers& ends,
                     const Integers& before, const Values& own, Output<double, 1> out) {
    const Questions questions = questions_of(place, ends, before);
    if (scores.shape(0) != place.shape(0) || weights.shape(0) != place.shape(0) || own.shape(0) != questions.count ||
        out.shape(0) != questions.count) {
        throw std::invalid_argument("the arrays do not have the same length");
    }
    const nb::gil_scoped_release unlocked;
    gaps_before(scores.data(), place.data(), weights.data(), place.shape(0), questions, own.data(), out.data());
}

using Flags = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void gap_sums_within(const Values& scores, const Values& weights, const Flags& head, Output<double, 1> out) {
    const std::size_t size = scores.shape(0);
    if (weights.shape(0) != size || head.shape(0) != size || out.shape(0) != size || (size > 0 && !head.data()[0])) {
        throw std::invalid_argument("the arrays do not have the same length, or the first item begins no group");
    }
    const nb::gil_scoped_release unlocked;
    gaps_within(scores.data(), weights.data(), head.data(), size, out.data());
}

// The sums over s = 0 .. slots - 1 of 1 / (mass + s step) and of s / (mass + s step), slots without mass left out.
void slot_sums(const Values& mass, const Values& step, const Integers& slots, Output<double, 1> ones,
               Output<double, 1> numbers) {
    const std::size_t size = mass.shape(0);
    if (step.shape(0) != size || slots.shape(0) != size || ones.shape(0) != size || numbers.shape(0) != size) {
        throw std::invalid_argument("the arrays do not have the same length");
    }
    const nb::gil_scoped_release unlocked;
    for (std::size_t k = 0; k < size; ++k) {
        double counted = 0;
        const auto count = static_cast<Index>(slots.data()[k]);
        ones.data()[k] = sum_of_slots(1, 0, mass.data()[k], step.data()[k], count, counted);
        numbers.data()[k] = sum_of_slots(0, 1, mass.data()[k], step.data()[k], count, counted);
    }
}

// Round to 12 significant digits; doubtful[k] is set where another way must be found.
bool round_digits(const Values& values, Output<double, 1> out, Output<bool, 1> doubtful) {
    const std::size_t size = values.shape(0);
    if (out.shape(0) != size || doubtful.shape(0) != size) {
        throw std::invalid_argument("the arrays do not have the same length");
    }
    const nb::gil_scoped_release unlocked;
    bool any = false;
    for (std::size_t k = 0; k < size; ++k) {
        const bool certain = round_to_digits(values.data()[k], out.data()[k]);
        doubtful.data()[k] = !certain;
        any = any || !certain;
    }
    return any;
}

}  // namespace

NB_MODULE(_core, m) {
    nb::set_leak_warnings(false);  // plans live as long as the interpreter
    m.attr("COUNTS") = unsigned{need_counts};
    m.attr("SIGN_X") = unsigned{need_sign_x};
    m.attr("SIGN_Y") = unsigned{need_sign_y};
    m.attr("NET_X") = unsigned{need_net_x};
    m.attr("NET_Y") = unsigned{need_net_y};
    m.attr("STEPPED") = unsigned{need_stepped};
    m.attr("EQUAL") = unsigned{need_equal};
    m.attr("GAP") = unsigned{need_gap};
    m.attr("RANK") = unsigned{need_rank};
    m.attr("HYPERBOLIC") = unsigned{need_hyperbolic};
    m.attr("MOMENTS") = unsigned{need_moments};
    m.attr("MIDRANKS") = unsigned{need_midranks};

    nb::list counts, reals;
    for (const char* name : count_names) counts.append(name);
    for (const char* name : real_names) reals.append(name);
    m.attr("COUNT_FIELDS") = nb::tuple(counts);
    m.attr("REAL_FIELDS") = nb::tuple(reals);
    nb::class_<Plan>(m, "Plan").def(nb::init<unsigned, bool, std::vector<std::size_t>>());

    m.def("pair", &pair, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg());
    m.def("pairs", &pairs);
    m.def("profiles", &profiles);
    m.def("grade_profiles", &grade_profiles);
    m.def("graded_pairs", &graded_pairs);
    m.def("windows", &windows);
    m.def("sums_before", &sums_before);
    m.def("gap_sums_before", &gap_sums_before);
    m.def("gap_sums_within", &gap_sums_within);
    m.def("slot_sums", &slot_sums);
    m.def("round_digits", &round_digits);
}
