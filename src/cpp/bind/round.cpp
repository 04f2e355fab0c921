// Rounding of scores.
#include "../round.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "../interrupt.hpp"
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

// A sum of products that is exact in any order: four sums take turns, because each addition waits for the one
// before it.
double dot(const double* a, const double* b, std::size_t size) {
    std::array<double, 4> turns{};
    std::size_t k = 0;
    for (; k + 4 <= size; k += 4) {
        for (std::size_t turn = 0; turn < 4; ++turn) turns[turn] += a[k + turn] * b[k + turn];
    }
    for (; k < size; ++k) turns[0] += a[k] * b[k];
    return (turns[0] + turns[1]) + (turns[2] + turns[3]);
}

// Sums over topics become means, rounded to 12 significant digits. They are sums of the leading parts of the
// scores; `rests` has the rest of each score, systems x topics, all sums of which are exact. Few of the rests
// matter, because the digits are the same whatever they are. doubtful[row, system] is set if the digits are
// not certain; the mean is then not rounded. Returns whether any is.
bool round_means(const Array<double, 2>& sums, const Array<const double, 2>& weights, const Values& totals,
                 const Array<const double, 2>& rests, const Array<bool, 2>& doubtful) {
    require_aligned(sums, weights, totals, rests);
    const std::size_t rows = sums.shape(0), systems = sums.shape(1), topics = weights.shape(1);
    require(have_length(rows, weights, totals, doubtful) && have_length(systems, rests) &&
                rests.shape(1) == topics && doubtful.shape(1) == systems,
            "the arrays do not have the same lengths");
    const Unlocked unlocked;
    // How far a mean may be off without the rest: by the largest of the rests, and by the rounding of the sum
    // and of the mean, here and where the rest is added, which is below 2^-50 of it.
    std::vector<double> largest(systems, 0.0);
    for (std::size_t system = 0; system < systems; ++system) {
        for (std::size_t topic = 0; topic < topics; ++topic)
            largest[system] = std::max(largest[system], std::fabs(rests.data()[system * topics + topic]));
    }
    bool any = false;
    Pace pace;
    for (std::size_t row = 0; row < rows; ++row) {
        pace.after(systems);
        const double* times = weights.data() + row * topics;
        const double total = totals.data()[row], share = 1 / total;
        for (std::size_t system = 0; system < systems; ++system) {
            double& mean = sums.data()[row * systems + system];
            bool& doubt = doubtful.data()[row * systems + system];
            doubt = false;
            const double near = mean * share;
            double rounded;
            if (!round_to_digits(near, rounded, largest[system] + std::fabs(near) * 0x1p-49)) {
                mean = (mean + dot(times, rests.data() + system * topics, topics)) / total;
                doubt = !round_to_digits(mean, rounded);
                any = any || doubt;
                if (doubt) continue;
            }
            mean = rounded;
        }
    }
    return any;
}

}  // namespace

void register_round(nb::module_& m) {
    m.def("round_digits", &round_digits);
    m.def("round_means", &round_means);
}

}  // namespace concordant::bind
