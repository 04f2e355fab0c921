// Sums over the items that are among the first so many of one ranking and stand before a given place in the
// other. The shares of single items in a coefficient are computed from these sums.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../fenwick.hpp"
#include "../interrupt.hpp"

namespace concordant {

// Query k is about the first ends[k] items: those of them with a place before `before[k]`. `ends` never
// falls.
struct PrefixQueries {
    const std::int64_t* ends;
    const std::int64_t* before;
    std::size_t count;
};

// Insert the items one after another, and answer each query when the items it is about are inserted.
template <class Insert, class Answer>
void answer_in_order(const PrefixQueries& queries, Insert insert, Answer answer) {
    std::int64_t inserted = 0;
    Pace pace;
    for (std::size_t k = 0; k < queries.count; ++k) {
        pace.after(1);
        for (; inserted < queries.ends[k]; ++inserted) insert(static_cast<std::size_t>(inserted));
        answer(k, static_cast<std::size_t>(queries.before[k]));
    }
}

// The sum of the weights: a Fenwick tree over places. In integers, so that the sums are exact.
inline void weights_before(const std::int64_t* place, const std::int64_t* weights, std::size_t size,
                           const PrefixQueries& queries, std::int64_t* out) {
    Fenwick<std::int64_t> tree;
    tree.resize(size);
    tree.fill(0);
    const auto insert = [&](std::size_t item) {
        const std::int64_t weight = weights[item];
        tree.change(static_cast<std::size_t>(place[item]),
                    [=](std::int64_t& node, std::size_t) { node += weight; });
    };
    answer_in_order(queries, insert, [&](std::size_t k, std::size_t before) {
        std::int64_t sum = 0;
        tree.visit_before(before, [&](std::int64_t node, std::size_t) { sum += node; });
        out[k] = sum;
    });
}

// The sum of weight times (score at the item's place - own[k]). `scores` by place, largest first, and no
// place before before[k] has a smaller score than own[k]. A node holds the weighted distances to the smallest
// score of its range, scores[node - 1]: terms that are never negative, so that nothing cancels.
inline void gaps_before(const double* scores, const std::int64_t* place, const double* weights,
                        std::size_t size, const PrefixQueries& queries, const double* own, double* out) {
    struct Distances {
        double distance = 0, weight = 0;
    };
    Fenwick<Distances> tree;
    tree.resize(size);
    tree.fill(Distances{});
    const auto insert = [&](std::size_t item) {
        const auto at = static_cast<std::size_t>(place[item]);
        tree.change(at, [&](Distances& node, std::size_t number) {
            node.distance += weights[item] * (scores[at] - scores[number - 1]);
            node.weight += weights[item];
        });
    };
    answer_in_order(queries, insert, [&](std::size_t k, std::size_t before) {
        double sum = 0;
        tree.visit_before(before, [&](const Distances& node, std::size_t number) {
            sum += node.distance + node.weight * (scores[number - 1] - own[k]);
        });
        out[k] = sum;
    });
}

// Groups of items in the order of falling scores; head[k] says that a group begins at item k. For every item
// the sum, over those before it in its group, of weight times (its score - own).
inline void gaps_within(const double* scores, const double* weights, const bool* head, std::size_t size,
                        double* out) {
    double weight = 0, sum = 0;
    for (std::size_t k = 0; k < size; ++k) {
        if (head[k]) {
            weight = sum = 0;
        } else {
            weight += weights[k - 1];
            sum += weight * (scores[k - 1] - scores[k]);
        }
        out[k] = sum;
    }
}

}  // namespace concordant
