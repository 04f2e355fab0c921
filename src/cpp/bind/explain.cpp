// Sums over parts of two rankings, for the shares of single items in a coefficient.
#include <algorithm>
#include <cstdint>

#include "../explain/before.hpp"
#include "../sums/slots.hpp"
#include "arrays.hpp"
#include "register.hpp"
#include "unlocked.hpp"

namespace concordant::bind {

namespace {

constexpr const char* different_lengths = "the arrays do not have the same length";

// Check what `PrefixQueries` assumes: places that can be used as such, ends that never fall.
PrefixQueries queries_of(const Integers& place, const Integers& ends, const Integers& before) {
    const auto size = static_cast<std::int64_t>(place.shape(0));
    bool valid = ends.shape(0) == before.shape(0);
    for (std::size_t k = 0; valid && k < place.shape(0); ++k) {
        valid = place.data()[k] >= 0 && place.data()[k] < size;
    }
    for (std::size_t k = 0; valid && k < ends.shape(0); ++k) {
        valid = ends.data()[k] >= (k > 0 ? ends.data()[k - 1] : 0) && ends.data()[k] <= size &&
                before.data()[k] >= 0 && before.data()[k] <= size;
    }
    require(valid, "places and ends must be within the items, and ends must not fall");
    return {ends.data(), before.data(), ends.shape(0)};
}

void sums_before(const Integers& place, const Integers& weights, const Integers& ends, const Integers& before,
                 const Array<std::int64_t, 1>& out) {
    require_aligned(place, weights, ends, before, out);
    const PrefixQueries queries = queries_of(place, ends, before);
    require(have_length(place.shape(0), weights) && have_length(queries.count, out), different_lengths);
    const Unlocked unlocked;
    weights_before(place.data(), weights.data(), place.shape(0), queries, out.data());
}

void gap_sums_before(const Values& scores, const Integers& place, const Values& weights, const Integers& ends,
                     const Integers& before, const Values& own, const Array<double, 1>& out) {
    require_aligned(scores, place, weights, ends, before, own, out);
    const PrefixQueries queries = queries_of(place, ends, before);
    require(have_length(place.shape(0), scores, weights) && have_length(queries.count, own, out),
            different_lengths);
    const Unlocked unlocked;
    gaps_before(scores.data(), place.data(), weights.data(), place.shape(0), queries, own.data(), out.data());
}

void gap_sums_within(const Values& scores, const Values& weights, const Flags& head,
                     const Array<double, 1>& out) {
    require_aligned(scores, weights, out);
    const std::size_t size = scores.shape(0);
    require(have_length(size, weights, head, out) && (size == 0 || head.data()[0]),
            "the arrays do not have the same length, or the first item begins no group");
    const Unlocked unlocked;
    gaps_within(scores.data(), weights.data(), head.data(), size, out.data());
}

// The sums over s = 0 .. slots - 1 of 1 / (mass + s step) and of s / (mass + s step), slots without mass left
// out.
void slot_sums(const Values& mass, const Values& step, const Integers& slots, const Array<double, 1>& ones,
               const Array<double, 1>& numbers) {
    require_aligned(mass, step, slots, ones, numbers);
    const std::size_t size = mass.shape(0);
    require(have_length(size, step, slots, ones, numbers), different_lengths);
    const bool valid = std::all_of(slots.data(), slots.data() + size, [](std::int64_t count) {
        return count >= 0 && count < static_cast<std::int64_t>(largest_size);
    });
    require(valid, "numbers of slots must be from 0 to 2**31 - 1");
    const Unlocked unlocked;
    for (std::size_t k = 0; k < size; ++k) {
        double counted = 0;
        const auto count = static_cast<Index>(slots.data()[k]);
        ones.data()[k] = sum_of_slots(1, 0, mass.data()[k], step.data()[k], count, counted);
        numbers.data()[k] = sum_of_slots(0, 1, mass.data()[k], step.data()[k], count, counted);
    }
}

}  // namespace

void register_explain(nb::module_& m) {
    m.def("sums_before", &sums_before);
    m.def("gap_sums_before", &gap_sums_before);
    m.def("gap_sums_within", &gap_sums_within);
    m.def("slot_sums", &slot_sums);
}

}  // namespace concordant::bind
