// Passes over all values of an array, by several threads.
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include "../interrupt.hpp"
#include "../parallel.hpp"
#include "arrays.hpp"
#include "register.hpp"
#include "unlocked.hpp"

namespace concordant::bind {

namespace {

constexpr std::size_t too_few_values = std::size_t{1} << 16;  // starting a thread takes longer than these

unsigned threads_for(std::size_t count, unsigned workers) { return count < too_few_values ? 1 : workers; }

void copy_floats(const Values& values, const Array<double, 1>& out, unsigned workers) {
    require_aligned(values, out);
    require(have_length(values.shape(0), out), "the arrays do not have the same length");
    const std::size_t size = values.shape(0);
    const Unlocked unlocked;
    in_parallel(size, threads_for(size, workers), [&](std::size_t begin, std::size_t end) {
        constexpr std::size_t block = std::size_t{1} << 18;
        for (std::size_t start = begin; start < end; start += block) {
            checkpoint();
            const std::size_t count = end - start < block ? end - start : block;
            std::memcpy(out.data() + start, values.data() + start, count * sizeof(double));
        }
    });
}

// Is no value infinite or NaN? These have all bits of the exponent set.
bool all_finite(const Values& values, unsigned workers) {
    require_aligned(values);
    constexpr std::uint64_t exponent = 0x7ff0000000000000u;
    std::atomic<bool> finite{true};
    const std::size_t size = values.shape(0);
    const Unlocked unlocked;
    in_parallel(size, threads_for(size, workers), [&](std::size_t begin, std::size_t end) {
        constexpr std::size_t block = std::size_t{1} << 14;
        for (std::size_t start = begin; start < end && finite.load(std::memory_order_relaxed);
             start += block) {
            checkpoint();
            const double* at = values.data() + start;
            const std::size_t count = end - start < block ? end - start : block;
            std::uint64_t special = 0;
            for (std::size_t k = 0; k < count; ++k) {
                special |= (std::bit_cast<std::uint64_t>(at[k]) & exponent) == exponent ? 1u : 0u;
            }
            if (special != 0) finite = false;
        }
    });
    return finite;
}

}  // namespace

void register_floats(nb::module_& m) {
    m.def("copy_floats", &copy_floats);
    m.def("all_finite", &all_finite);
}

}  // namespace concordant::bind
