// The array types of the bindings, and their checks.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "../batch.hpp"
#include "../ranking/sort.hpp"

namespace concordant::bind {

namespace nb = nanobind;

template <class T, std::size_t dimensions>
using Array = nb::ndarray<T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;
using Values = Array<const double, 1>;
using Integers = Array<const std::int64_t, 1>;
using Flags = Array<const bool, 1>;
using GradeRows = Array<const Index, 2>;  // indices into the values of the grades

inline void require(bool valid, const char* message) {
    if (!valid) throw std::invalid_argument(message);
}

inline void require_threshold(double threshold) { require(threshold >= 0, "a threshold must be 0 or more"); }

// NumPy arrays may be at any address, but the core needs aligned memory.
template <class... Arrays>
void require_aligned(const Arrays&... arrays) {
    const auto aligned = [](const auto& array) {
        return reinterpret_cast<std::uintptr_t>(array.data()) % array.itemsize() == 0;
    };
    require((aligned(arrays) && ...), "the arrays must be aligned");
}

// Are all arrays of this length?
template <class... Arrays>
bool have_length(std::size_t length, const Arrays&... arrays) {
    return ((arrays.shape(0) == length) && ...);
}

inline Rows rows_of(const Values& values, const Integers& offsets) {
    const std::size_t count = offsets.shape(0) - (offsets.shape(0) > 0);
    const Rows rows{values.data(), offsets.data(), count};
    bool valid = offsets.shape(0) > 0 && rows.offsets[0] == 0 &&
                 rows.offsets[count] == static_cast<std::int64_t>(values.shape(0));
    for (std::size_t row = 0; valid && row < count; ++row) {
        valid = rows.offsets[row] <= rows.offsets[row + 1] && rows.size(row) < largest_size;
    }
    require(valid, "offsets must rise from 0 to the number of values, by less than 2**31");
    return rows;
}

inline PairList pairs_of(const Rows& x, const Rows& y, const Integers& pair_x, const Integers& pair_y) {
    bool valid = pair_x.shape(0) == pair_y.shape(0);
    const auto count_x = static_cast<std::int64_t>(x.count);
    const auto count_y = static_cast<std::int64_t>(y.count);
    for (std::size_t p = 0; valid && p < pair_x.shape(0); ++p) {
        const std::int64_t i = pair_x.data()[p], j = pair_y.data()[p];
        valid = i >= 0 && i < count_x && j >= 0 && j < count_y &&
                x.size(static_cast<std::size_t>(i)) == y.size(static_cast<std::size_t>(j));
    }
    require(valid, "pairs must name rows of equal size");
    return {pair_x.data(), pair_y.data(), pair_x.shape(0)};
}

}  // namespace concordant::bind
