// Prints checksums of what the core computes, without Python: the same on every machine (`make machines`).
// Values that go through the C library's powers and logarithms count with 12 digits, all others to the last
// bit.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "../src/cpp/graded/items.hpp"
#include "../src/cpp/groups/number.hpp"
#include "../src/cpp/lists/distance.hpp"
#include "../src/cpp/lists/numbers.hpp"
#include "../src/cpp/lists/overlap.hpp"
#include "../src/cpp/round.hpp"
#include "../src/cpp/sums/pair_sums.hpp"
#include "../src/cpp/topics.hpp"

using namespace concordant;

namespace {

// Of numbers and not of their bytes, which machines lay differently.
class Checksum {
public:
    void add(std::int64_t value) { hash_ = mixed(hash_ ^ static_cast<std::uint64_t>(value)), ++count_; }
    void add(double value) { add(std::bit_cast<std::int64_t>(value)); }
    void print(const char* what) const {
        std::printf("%s: %ld values, checksum %016llx\n", what, count_,
                    static_cast<unsigned long long>(hash_));
    }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325;
    long count_ = 0;
};

std::mt19937_64 generator(1);

std::vector<double> scores(std::size_t size, std::uint64_t values) {
    std::vector<double> drawn(size);
    for (double& each : drawn) each = static_cast<double>(generator() % values) / 7 - 3;
    return drawn;
}

void pairs(Checksum& found) {
    SortScratch sort;
    PairScratch scratch;
    Ranking x, y;
    for (const std::size_t size : {2, 3, 7, 40, 64, 65, 300, 5000, 70'000}) {
        for (const std::uint64_t values :
             {std::uint64_t{3}, std::uint64_t{2 * size}, std::uint64_t{1} << 40}) {
            const std::vector<double> of_x = scores(size, values), of_y = scores(size, values);
            for (const double threshold : {0.0, 0.5}) {
                x.prepare(of_x.data(), size, {&threshold, 1}, preparation_of_x(all_needs), sort);
                y.prepare(of_y.data(), size, {&threshold, 1}, preparation_of_y(all_needs), sort);
                const Sums sums = pair_sums(x, y, 0, all_needs, scratch);
                for (const FieldEntry& field : field_table) {
                    field.count != nullptr ? found.add(sums.*field.count) : found.add(sums.*field.real);
                }
            }
        }
    }
}

void graded(Checksum& found) {
    SortScratch sort;
    GradedItemScratch scratch;
    const double exact = 0;
    const std::vector<double> grades{1, 2, 4, 7};
    const GradeDistances distances(grades.data(), 4);
    for (const std::size_t size : {2, 9, 100, 3000}) {
        const std::vector<double> of_x = scores(size, std::uint64_t{1} << 50),
                                  of_y = scores(size, std::uint64_t{1} << 50);
        std::vector<Index> grade_of(size);
        for (Index& each : grade_of) each = static_cast<Index>(generator() % 4);
        Ranking x, y;
        x.prepare(of_x.data(), size, {&exact, 1}, preparation_of_x(all_needs), sort);
        y.prepare(of_y.data(), size, {&exact, 1}, preparation_of_y(all_needs), sort);
        const GradedItemSums sums = graded_item_sums(x, y, grade_of.data(), distances, scratch);
        for (const double each : {sums.uniform, sums.uniform_weight, sums.ap, sums.ap_weight, sums.hyperbolic,
                                  sums.hyperbolic_weight}) {
            found.add(each);
        }
    }
}

// Two lists of different items, once with small numbers and once with large ones, which are hashed.
void lists(Checksum& found, Checksum& overlaps) {
    for (const std::int64_t step : {std::int64_t{1}, std::int64_t{1} << 40}) {
        for (const std::int64_t size : {1, 5, 200}) {
            std::vector<std::int64_t> items, offsets{0, size, 2 * size};
            for (int side = 0; side < 2; ++side) {
                std::vector<std::int64_t> all;
                for (std::int64_t k = 0; k < 2 * size; ++k) all.push_back(k * step - 3);
                for (std::size_t k = all.size() - 1; k > 0; --k)
                    std::swap(all[k], all[generator() % (k + 1)]);
                items.insert(items.end(), all.begin(), all.begin() + size);
            }
            std::vector<std::int64_t> codes(items.size());
            const Numbering numbering = Numberer().number(items.data(), offsets.data(), 2, codes.data());
            for (const std::int64_t code : codes) found.add(code);
            const ItemLists both{codes.data(), nullptr, offsets.data(), 2, numbering.n_codes};
            Places places(both);
            places.enter(0);
            for (const std::int64_t each : ListCounter().pairs(both[0], both[1], places).fields())
                found.add(each);
            Overlap overlap;
            overlap.start(both[0], both[1], Ties::average);
            overlap.add_all(places);
            const OverlapBounds bounds = overlap.rank_biased(0.9, true);
            for (double each : {bounds.extrapolated, bounds.least, bounds.most}) {
                round_to_digits(each, each);
                overlaps.add(each);
            }
        }
    }
}

void groups(Checksum& found) {
    std::string bytes;
    std::vector<std::int64_t> numbers, offsets{0};
    for (int k = 0; k < 20'000; ++k) {
        numbers.push_back(static_cast<std::int64_t>(generator() % 9000) - 4500);
        bytes += "topic " + std::to_string(generator() % 9000);
        offsets.push_back(static_cast<std::int64_t>(bytes.size()));
    }
    std::vector<std::int64_t> codes(numbers.size()), first(numbers.size());
    for (const bool text : {false, true}) {
        const std::size_t count =
            text ? GroupNumberer<TextKeys>().number({offsets.data(), bytes.data()}, codes.size(),
                                                    codes.data(), first.data())
                 : GroupNumberer<IntegerKeys>().number({numbers.data()}, codes.size(), codes.data(),
                                                       first.data());
        for (const std::int64_t code : codes) found.add(code);
        for (std::size_t k = 0; k < count; ++k) found.add(first[k]);
    }
}

void numbers(Checksum& found) {
    for (int k = -40; k < 40; ++k) {
        double rounded = 0;
        const double value = std::ldexp(static_cast<double>(generator() % 1'000'003) - 500'000, k);
        found.add(std::int64_t{round_to_digits(value, rounded)});
        found.add(rounded);
    }
    const std::vector<double> table = scores(50 * 12, 1000);
    std::vector<double> means(66), squares(66);
    pair_moments({table.data(), 50, 12}, 1e-12, means.data(), squares.data());
    for (const auto& values : {means, squares}) {
        for (const double value : values) found.add(value);
    }
}

}  // namespace

int main() {
    std::printf("%s-endian, %zu bits\n", std::endian::native == std::endian::big ? "big" : "little",
                8 * sizeof(void*));
    Checksum of_pairs, of_graded, of_lists, of_overlaps, of_groups, of_numbers;
    pairs(of_pairs);
    graded(of_graded);
    lists(of_lists, of_overlaps);
    groups(of_groups);
    numbers(of_numbers);
    of_pairs.print("fields of pairs");
    of_graded.print("graded items");
    of_lists.print("counts of lists");
    of_overlaps.print("overlaps");
    of_groups.print("groups");
    of_numbers.print("rounding and moments");
}
