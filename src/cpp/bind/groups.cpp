// Items of many groups, laid group after group.
#include <cstdint>
#include <vector>

#include "../groups/number.hpp"
#include "../interrupt.hpp"
#include "arrays.hpp"
#include "register.hpp"
#include "unlocked.hpp"

namespace concordant::bind {

namespace {

// Lay the values of both sides group after group, within a group in their own order: a counting sort that
// moves the values themselves. Item k is of group codes[k], whose place is from offsets[codes[k]].
void gather_groups(const Integers& codes, const Integers& offsets, const Values& x, const Values& y,
                   const Array<double, 1>& out_x, const Array<double, 1>& out_y) {
    require_aligned(codes, offsets, x, y, out_x, out_y);
    const std::size_t size = codes.shape(0);
    require(have_length(size, x, y, out_x, out_y), "the arrays do not have the same length");
    const auto n_groups = static_cast<std::int64_t>(rows_of(x, offsets).count);
    std::vector<std::int64_t> next(offsets.data(), offsets.data() + n_groups);
    const Unlocked unlocked;
    bool valid = true;
    for (std::size_t k = 0; valid && k < size; ++k) {
        if (k % many_items == 0) checkpoint();
        const std::int64_t code = codes.data()[k];
        valid = code >= 0 && code < n_groups;
        if (!valid) break;
        const auto group = static_cast<std::size_t>(code);
        const std::int64_t place = next[group]++;
        valid = place < offsets.data()[group + 1];
        if (!valid) break;
        out_x.data()[place] = x.data()[k];
        out_y.data()[place] = y.data()[k];
    }
    require(valid, "the codes do not have the numbers of items that the offsets say");
}

std::size_t number_integers(const Integers& values, const Array<std::int64_t, 1>& codes,
                            const Array<std::int64_t, 1>& first) {
    require_aligned(values, codes, first);
    const std::size_t size = values.shape(0);
    require(have_length(size, codes, first), "the arrays do not have the same length");
    const Unlocked unlocked;
    return GroupNumberer<IntegerKeys>().number({values.data()}, size, codes.data(), first.data());
}

std::size_t number_texts(const Integers& offsets, const Array<const std::uint8_t, 1>& bytes,
                         const Array<std::int64_t, 1>& codes, const Array<std::int64_t, 1>& first) {
    require_aligned(offsets, codes, first);
    const std::size_t size = codes.shape(0);
    require(offsets.shape(0) == size + 1 && have_length(size, first),
            "the arrays do not have the same length");
    bool valid = offsets.data()[0] >= 0;
    for (std::size_t k = 0; valid && k < size; ++k) valid = offsets.data()[k] <= offsets.data()[k + 1];
    require(valid && offsets.data()[size] <= static_cast<std::int64_t>(bytes.shape(0)),
            "offsets must rise up to the number of bytes");
    const Unlocked unlocked;
    const TextKeys keys{offsets.data(), reinterpret_cast<const char*>(bytes.data())};
    return GroupNumberer<TextKeys>().number(keys, size, codes.data(), first.data());
}

}  // namespace

void register_groups(nb::module_& m) {
    m.def("gather_groups", &gather_groups);
    m.def("number_integers", &number_integers);
    m.def("number_texts", &number_texts);
}

}  // namespace concordant::bind
