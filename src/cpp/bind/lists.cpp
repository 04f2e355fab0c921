// Lists that need not hold the same items: overlap, alignment and distances of pairs of them.
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "../lists/distance.hpp"
#include "../lists/lists.hpp"
#include "../lists/numbers.hpp"
#include "../lists/overlap.hpp"
#include "../parallel.hpp"
#include "arrays.hpp"
#include "register.hpp"
#include "unlocked.hpp"

namespace concordant::bind {

namespace {

// What the functions below take first: lists laid end to end, and the pairs of them.
struct PairsOfLists {
    ItemLists lists;
    const std::int64_t* first;
    const std::int64_t* second;
    std::size_t count;

    // Call visit(p, x, y, places of x) for each pair from one of the threads; make() gives a thread its own.
    template <class Make, class Visit>
    void for_each(unsigned workers, Make make, Visit visit) const {
        in_parallel(count, workers, [&](std::size_t begin, std::size_t end) {
            Places places(lists);
            auto own = make();
            Pace pace;
            for (std::size_t p = begin; p < end; ++p) {
                const auto i = static_cast<std::size_t>(first[p]), j = static_cast<std::size_t>(second[p]);
                pace.after(lists.size(i) + lists.size(j) + 1);
                places.enter(i);
                visit(p, lists[i], lists[j], places, own);
            }
        });
    }
};

bool rises_to(const Integers& offsets, std::size_t size) {
    const std::size_t count = offsets.shape(0) - (offsets.shape(0) > 0);
    const std::int64_t* at = offsets.data();
    bool valid = offsets.shape(0) > 0 && at[0] == 0 && at[count] == static_cast<std::int64_t>(size);
    for (std::size_t row = 0; valid && row < count; ++row) {
        valid = at[row] <= at[row + 1] && static_cast<std::size_t>(at[row + 1] - at[row]) < largest_size;
    }
    return valid;
}

// The ends of the groups of a list: the same for all items of a group.
bool are_ends(const std::int64_t* ends, std::size_t size) {
    for (std::size_t start = 0; start < size;) {
        const std::int64_t end = ends[start];
        if (end <= static_cast<std::int64_t>(start) || end > static_cast<std::int64_t>(size)) return false;
        for (; start < static_cast<std::size_t>(end); ++start) {
            if (ends[start] != end) return false;
        }
    }
    return true;
}

PairsOfLists read(const Integers& codes, const Integers& ends, const Integers& offsets, std::size_t n_codes,
                  const Integers& first, const Integers& second) {
    require_aligned(codes, ends, offsets, first, second);
    const std::size_t size = codes.shape(0);
    require(rises_to(offsets, size), "offsets must rise from 0 to the number of items, by less than 2**31");
    const bool tied = ends.shape(0) > 0;
    require(!tied || ends.shape(0) == size, "the arrays do not have the same length");
    const ItemLists lists{codes.data(), tied ? ends.data() : nullptr, offsets.data(), offsets.shape(0) - 1,
                          n_codes};
    bool valid = n_codes < largest_size;
    for (std::size_t k = 0; valid && k < size; ++k) {
        valid = codes.data()[k] >= 0 && codes.data()[k] < static_cast<std::int64_t>(n_codes);
    }
    require(valid, "codes must be from 0 up and below their number");
    for (std::size_t row = 0; tied && valid && row < lists.count; ++row) {
        valid = are_ends(lists[row].ends, lists[row].size);
    }
    require(valid, "ends must be those of groups of items that stand together");
    valid = first.shape(0) == second.shape(0);
    for (std::size_t p = 0; valid && p < first.shape(0); ++p) {
        for (const std::int64_t row : {first.data()[p], second.data()[p]}) {
            valid = valid && row >= 0 && row < static_cast<std::int64_t>(lists.count);
        }
    }
    require(valid, "pairs must name lists");
    return {lists, first.data(), second.data(), first.shape(0)};
}

Ties ties_of(unsigned number) {
    require(number < 3, "ties must be 0, 1 or 2");
    return static_cast<Ties>(number);
}

void require_persistence(double p) { require(p > 0 && p < 1, "p must be between 0 and 1"); }

constexpr const char* wrong_output = "the output does not have the shape of the request";
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// out[p] = the extrapolated overlap of pair p, and with three columns its least and its largest value; nan if
// both lists are empty.
void rbo_pairs(const Integers& codes, const Integers& ends, const Integers& offsets, std::size_t n_codes,
               const Integers& first, const Integers& second, unsigned ties, double p, unsigned workers,
               const Array<double, 2>& out) {
    const PairsOfLists pairs = read(codes, ends, offsets, n_codes, first, second);
    require_aligned(out);
    require_persistence(p);
    const Ties kind = ties_of(ties);
    const std::size_t columns = out.shape(1);
    require(have_length(pairs.count, out) && (columns == 1 || columns == 3), wrong_output);
    const Unlocked unlocked;
    pairs.for_each(
        workers, [] { return Overlap(); },
        [&](std::size_t pair, const ItemList& x, const ItemList& y, const Places& places, Overlap& overlap) {
            OverlapBounds found{nan, nan, nan};
            if (x.size + y.size > 0) {
                overlap.start(x, y, kind);
                overlap.add_all(places);
                found = overlap.rank_biased(p, columns == 3);
            }
            double* to = out.data() + pair * columns;
            to[0] = found.extrapolated;
            if (columns == 3) {
                to[1] = found.least;
                to[2] = found.most;
            }
        });
}

// The agreement of two lists at each depth down to the end of the longer one, as extrapolated.
void rbo_agreements(const Integers& codes, const Integers& ends, const Integers& offsets, std::size_t n_codes,
                    unsigned ties, const Array<double, 1>& out) {
    constexpr std::int64_t both[] = {0, 1};
    require_aligned(codes, ends, offsets, out);
    require(offsets.shape(0) == 3, "there must be two lists");
    const std::size_t shape[] = {1};
    const Integers first(both, 1, shape), second(both + 1, 1, shape);
    const PairsOfLists pairs = read(codes, ends, offsets, n_codes, first, second);
    const Ties kind = ties_of(ties);
    require(have_length(std::max(pairs.lists.size(0), pairs.lists.size(1)), out), wrong_output);
    const Unlocked unlocked;
    pairs.for_each(
        1, [] { return Overlap(); },
        [&](std::size_t, const ItemList& x, const ItemList& y, const Places& places, Overlap& overlap) {
            overlap.start(x, y, kind);
            overlap.add_all(places);
            overlap.walk(false, [&](std::size_t d, OverlapBounds agreement) {
                out.data()[d - 1] = agreement.extrapolated;
                return true;
            });
        });
}

// out[p] = the share of common items among the first `depth`, averaged over all ways of breaking the ties.
void overlap_pairs(const Integers& codes, const Integers& ends, const Integers& offsets, std::size_t n_codes,
                   const Integers& first, const Integers& second, std::size_t depth, unsigned workers,
                   const Array<double, 1>& out) {
    const PairsOfLists pairs = read(codes, ends, offsets, n_codes, first, second);
    require_aligned(out);
    require(depth > 0, "depth must be 1 or more");
    require(have_length(pairs.count, out), wrong_output);
    const Unlocked unlocked;
    pairs.for_each(
        workers, [] { return Overlap(); },
        [&](std::size_t pair, const ItemList& x, const ItemList& y, const Places& places, Overlap& overlap) {
            out.data()[pair] = nan;
            if (x.size + y.size == 0) return;
            overlap.start(x, y, Ties::average);
            overlap.add_all(places);
            out.data()[pair] = overlap.at(depth);
        });
}

// out[p] = the rank-biased alignment of pair p.
void rba_pairs(const Integers& codes, const Integers& ends, const Integers& offsets, std::size_t n_codes,
               const Integers& first, const Integers& second, double p, unsigned workers,
               const Array<double, 1>& out) {
    const PairsOfLists pairs = read(codes, ends, offsets, n_codes, first, second);
    require_aligned(out);
    require_persistence(p);
    require(have_length(pairs.count, out), wrong_output);
    const Unlocked unlocked;
    pairs.for_each(
        workers, [] { return ListCounter(); },
        [&](std::size_t pair, const ItemList& x, const ItemList& y, const Places& places,
            ListCounter& counter) {
            out.data()[pair] = x.size + y.size > 0 ? counter.alignment(x, y, places, p) : nan;
        });
}

// out[p] = the fields of ListCounts of pair p; without `of_pairs` those of pairs of items are 0.
void list_counts(const Integers& codes, const Integers& ends, const Integers& offsets, std::size_t n_codes,
                 const Integers& first, const Integers& second, bool of_pairs, unsigned workers,
                 const Array<std::int64_t, 2>& out) {
    const PairsOfLists pairs = read(codes, ends, offsets, n_codes, first, second);
    require_aligned(out);
    require(have_length(pairs.count, out) && out.shape(1) == ListCounts::n_fields, wrong_output);
    const Unlocked unlocked;
    pairs.for_each(
        workers, [] { return ListCounter(); },
        [&](std::size_t pair, const ItemList& x, const ItemList& y, const Places& places,
            ListCounter& counter) {
            const ListCounts found = of_pairs ? counter.pairs(x, y, places) : counter.items(x, y, places);
            std::int64_t* to = out.data() + pair * ListCounts::n_fields;
            for (const std::int64_t field : found.fields()) *to++ = field;
        });
}

// The places of names that are all texts, or all integers: a hash table of Python objects.
class NamePlaces {
public:
    explicit NamePlaces(std::size_t names) : last_(std::bit_ceil(2 * names + 1) - 1), slots_(last_ + 1) {}

    // Whether a name can be used here: no other kind than the first, no text that may be empty or blank.
    bool accepts(PyObject* name) {
        if (kind_ == nullptr) kind_ = Py_TYPE(name);
        if (Py_TYPE(name) != kind_) return false;
        if (kind_ == &PyLong_Type) return true;
        if (kind_ != &PyUnicode_Type || PyUnicode_GetLength(name) == 0) return false;
        const Py_UCS4 first = PyUnicode_ReadChar(name, 0);
        return first > ' ' && first < 0x7f;
    }
    // The place of a name, which is `place` if it is new.
    std::size_t find(PyObject* name, std::size_t place) {
        const Py_hash_t hash = PyObject_Hash(name);
        auto at = static_cast<std::size_t>(static_cast<std::uint64_t>(hash) * 0x9e3779b97f4a7c15ULL >> 20);
        for (at &= last_; slots_[at].name != nullptr; at = (at + 1) & last_) {
            const Slot& slot = slots_[at];
            if (slot.name == name) return slot.place;
            if (slot.hash == hash && PyObject_RichCompareBool(slot.name, name, Py_EQ) == 1) return slot.place;
        }
        slots_[at] = {name, hash, place};
        return place;
    }

private:
    struct Slot {
        PyObject* name = nullptr;  // borrowed from the lists
        Py_hash_t hash = 0;
        std::size_t place = 0;
    };

    std::size_t last_;
    std::vector<Slot> slots_;
    PyTypeObject* kind_ = nullptr;
};

// The extrapolated overlap of two lists of names without ties: the short way of a single call. None if the
// general way must look at them: other types, empty lists, blank names, names that a list has twice.
nb::object rbo_of_names(nb::handle x, nb::handle y, double p) {
    require_persistence(p);
    if (!PyList_CheckExact(x.ptr()) || !PyList_CheckExact(y.ptr())) return nb::none();
    const auto size_x = static_cast<std::size_t>(PyList_Size(x.ptr()));
    const auto size_y = static_cast<std::size_t>(PyList_Size(y.ptr()));
    if (size_x == 0 || size_y == 0 || size_x + size_y >= largest_size) return nb::none();
    const auto item = [](nb::handle list, std::size_t k) {
        return PyList_GetItem(list.ptr(), static_cast<Py_ssize_t>(k));  // borrowed
    };
    NamePlaces names(size_x + size_y);
    for (std::size_t k = 0; k < size_y; ++k) {
        PyObject* name = item(y, k);
        if (!names.accepts(name) || names.find(name, k) != k) return nb::none();
    }
    Overlap overlap;
    overlap.start({nullptr, nullptr, size_x}, {nullptr, nullptr, size_y}, Ties::average);
    std::vector<bool> seen(size_y);
    for (std::size_t k = 0; k < size_x; ++k) {
        PyObject* name = item(x, k);
        if (!names.accepts(name)) return nb::none();
        const std::size_t place = names.find(name, size_y + k);
        if (place >= size_y ? place != size_y + k : seen[place]) return nb::none();
        if (place >= size_y) continue;
        seen[place] = true;
        const auto rank_x = static_cast<std::uint32_t>(k + 1), rank_y = static_cast<std::uint32_t>(place + 1);
        overlap.add({rank_x, rank_x}, {rank_y, rank_y});
    }
    return nb::float_(overlap.rank_biased(p, false).extrapolated);
}

// Give the same code to the same integer; returns how many codes there are, and the place of an item that its
// list has twice, or -1.
nb::tuple number_items(const Integers& values, const Integers& offsets, const Array<std::int64_t, 1>& codes) {
    require_aligned(values, offsets, codes);
    require(rises_to(offsets, values.shape(0)) && values.shape(0) < largest_size &&
                offsets.shape(0) < largest_size,
            "offsets must rise from 0 to the number of items, by less than 2**31");
    require(have_length(values.shape(0), codes), "the arrays do not have the same length");
    Numbering found;
    {
        const Unlocked unlocked;
        found = Numberer().number(values.data(), offsets.data(), offsets.shape(0) - 1, codes.data());
    }
    return nb::make_tuple(found.n_codes, found.repeated);
}

}  // namespace

void register_lists(nb::module_& m) {
    m.def("rbo_pairs", &rbo_pairs);
    m.def("rbo_agreements", &rbo_agreements);
    m.def("overlap_pairs", &overlap_pairs);
    m.def("rba_pairs", &rba_pairs);
    m.def("list_counts", &list_counts);
    m.def("rbo_of_names", &rbo_of_names);
    m.def("number_items", &number_items);
}

}  // namespace concordant::bind
