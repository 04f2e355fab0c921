// Rounding of scores.
#include "../round.hpp"

#include "arrays.hpp"
#include "register.hpp"
#include "unlocked.hpp"

namespace concordant::bind {

namespace {

// Round to 12 significant digits; doubtful[k] is set if the result is not certain. Returns whether any is.
bool round_digits(const Values& values, const Array<double, 1>& out, const Array<bool, 1>& doubtful) {
    require_aligned(values, out);
    const std::size_t size = values.shape(0);
    require(have_length(size, out, doubtful), "the arrays do not have the same length");
    const Unlocked unlocked;
    bool any = false;
    for (std::size_t k = 0; k < size; ++k) {
        const bool certain = round_to_digits(values.data()[k], out.data()[k]);
        doubtful.data()[k] = !certain;
        any = any || !certain;
    }
    return any;
}

}  // namespace

void register_round(nb::module_& m) { m.def("round_digits", &round_digits); }

}  // namespace concordant::bind
