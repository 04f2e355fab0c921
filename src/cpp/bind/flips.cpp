// Sums with flipped signs, compared with the observed sums.
#include "../interrupt.hpp"
#include "arrays.hpp"
#include "register.hpp"
#include "unlocked.hpp"

namespace concordant::bind {

namespace {

// sums[row, item, flip], of which the first flip is the observed one. For each row and each pair of items,
// the number of flips after the first with a difference that is no smaller, and with one that is larger.
void flip_counts(const Array<const double, 3>& sums, const Integers& first, const Integers& second,
                 double tolerance, const Array<std::int64_t, 3>& counts) {
    require_aligned(sums, first, second, counts);
    const std::size_t items = sums.shape(1), flips = sums.shape(2), pairs = first.shape(0);
    bool valid = second.shape(0) == pairs && flips > 0 && have_length(sums.shape(0), counts) &&
                 counts.shape(1) == pairs && counts.shape(2) == 2;
    for (std::size_t p = 0; valid && p < pairs; ++p) {
        const auto known = [&](std::int64_t k) { return k >= 0 && static_cast<std::size_t>(k) < items; };
        valid = known(first.data()[p]) && known(second.data()[p]);
    }
    require(valid, "the arrays do not have the same shape");
    const Unlocked unlocked;
    std::int64_t* out = counts.data();
    for (std::size_t row = 0; row < sums.shape(0); ++row) {
        checkpoint();
        const double* own = sums.data() + row * items * flips;
        for (std::size_t p = 0; p < pairs; ++p) {
            const double* x = own + static_cast<std::size_t>(first.data()[p]) * flips;
            const double* y = own + static_cast<std::size_t>(second.data()[p]) * flips;
            const double low = x[0] - y[0] - tolerance, high = x[0] - y[0] + tolerance;
            std::int64_t no_smaller = 0, larger = 0;
            for (std::size_t f = 1; f < flips; ++f) {
                const double difference = x[f] - y[f];
                no_smaller += difference >= low;
                larger += difference > high;
            }
            *out++ = no_smaller;
            *out++ = larger;
        }
    }
}

}  // namespace

void register_flips(nb::module_& m) { m.def("flip_counts", &flip_counts); }

}  // namespace concordant::bind
