// Runs the core from several threads at once, with threads of its own, under ThreadSanitizer (`make fuzz`).
// Rows are shared by all; some calls are stopped in the middle.
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "../src/cpp/batch.hpp"
#include "../src/cpp/scratch.hpp"
#include "../src/cpp/sums/pair_sums.hpp"

using namespace concordant;

namespace {

std::atomic<int> asked{0};

bool stop_every_third() { return ++asked % 3 == 0; }

struct Collection {
    std::vector<double> values;
    std::vector<std::int64_t> offsets, row_x, row_y;

    Collection(std::size_t rows, std::size_t size, unsigned seed) {
        std::mt19937_64 random(seed);
        for (std::size_t k = 0; k < rows * size; ++k)
            values.push_back(static_cast<double>(random() % (2 * size)));
        for (std::size_t row = 0; row <= rows; ++row)
            offsets.push_back(static_cast<std::int64_t>(row * size));
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < rows; ++j) {
                row_x.push_back(static_cast<std::int64_t>(i));
                row_y.push_back(static_cast<std::int64_t>(j));
            }
        }
    }

    // The sum of a count and a real over all pairs; NaN if the work was stopped.
    double compute(unsigned workers) const {
        const Rows rows{values.data(), offsets.data(), offsets.size() - 1};
        const PairList pairs{row_x.data(), row_y.data(), row_x.size()};
        const double threshold = 0;
        std::vector<double> found(row_x.size());
        const Preparation of_x = preparation_of_x(all_needs), of_y = preparation_of_y(all_needs);
        try {
            for_each_pair<PairScratch>(
                rows, rows, pairs, {{&threshold, 1}, of_x}, {{&threshold, 1}, of_y}, false, workers,
                [&](std::size_t p, const Ranking& x, const Ranking& y, const auto& sort,
                    PairScratch& scratch) {
                    Sums counted;
                    const bool told = sums_without_sorting(x, y, need_counts, scratch, counted);
                    sort();
                    const Sums sums = pair_sums(x, y, 0, all_needs, scratch);
                    found[p] = static_cast<double>(sums.concordant) + sums.sign_y;
                    if (told && counted.concordant != sums.concordant) found[p] = std::nan("");
                });
        } catch (const Interrupted&) {
            return std::nan("");
        }
        double total = 0;
        for (const double each : found) total += each;
        return total;
    }
};

}  // namespace

int main(int argc, char** argv) {
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::seconds(argc > 1 ? std::atoi(argv[1]) : 10);
    std::atomic<int> done{0}, stopped{0}, wrong{0};
    for (unsigned seed = 0; std::chrono::steady_clock::now() < end; ++seed) {
        const Collection few(24, 40, seed), many(3, 3000, seed), longer(2, 70'000, seed);
        const double of_few = few.compute(1), of_many = many.compute(1);
        std::vector<std::thread> callers;
        for (unsigned caller = 0; caller < 3; ++caller) {
            callers.emplace_back([&, caller] {
                const bool same = few.compute(caller + 1) == of_few && many.compute(2) == of_many;
                if (!same) ++wrong;
                watch.asked = caller == 0 ? stop_every_third : nullptr;
                watch.next_question = {};
                if (std::isnan(longer.compute(2))) ++stopped;
                watch.asked = nullptr;
                ++done;
            });
        }
        for (auto& caller : callers) caller.join();
    }
    std::printf("threads: %d rounds, %d stopped in the middle, %d wrong\n", done.load(), stopped.load(),
                wrong.load());
    return wrong.load() == 0 && stopped.load() > 0 ? 0 : 1;
}
