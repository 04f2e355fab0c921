// Sums over the items of a part of a plane: those among the first so many of one ranking whose place in the other is before
// a given one. What the shares of single items in a coefficient are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace concordant {

// One question for each k: about the first ends[k] items, those with a place before `before[k]`. `ends` never falls.
struct Questions {
    const std::int64_t* ends;
    const std::int64_t* before;
    std::size_t count;
};

// Walk along the items, insert each, answer the questions about those inserted so far.
template <class Insert, class Answer>
void walk(const Questions& questions, Insert insert, Answer answer) {
    std::int64_t inserted = 0;
    for (std::size_t k = 0; k < questions.count; ++k) {
        for (; inserted < questions.ends[k]; ++inserted) insert(static_cast<std::size_t>(inserted));
        answer(k, static_cast<std::size_t>(questions.before[k]));
    }
}

// The sum of the weights: a Fenwick tree over places. In integers, so that what cancels leaves nothing.
inline void weights_before(const std::int64_t* place, const std::int64_t* weights, std::size_t size,
                           const Questions& questions, std::int64_t* out) {
    std::vector<std::int64_t> tree(size + 1, 0);
    walk(
        questions,
        [&](std::size_t item) {
            for (std::size_t node = static_cast<std::size_t>(place[item]) + 1; node <= size; node += node & (~node + 1)) {
                tree[node] += weights[item];
            }
        },
        [&](std::size_t k, std::size_t node) {
            std::int64_t sum = 0;
            for (; node != 0; node &= node - 1) sum += tree[node];
            out[k] = sum;
        });
}

// The sum of weight times (score at the item's place - own[k]). `scores` by place, largest first, and no place before
// before[k] has a smaller score than own[k]. A node holds the weighted distances to the smallest score of its range: terms
// that are never negative, so that nothing cancels.
inline void gaps_before(const double* scores, const std::int64_t* place, const double* weights, std::size_t size,
                        const Questions& questions, const double* own, double* out) {
    struct Node {
        double distance = 0, weight = 0;
    };
    std::vector<Node> tree(size + 1);
    walk(
        questions,
        [&](std::size_t item) {
            const auto at = static_cast<std::size_t>(place[item]);
            for (std::size_t node = at + 1; node <= size; node += node & (~node + 1)) {
                tree[node].distance += weights[item] * (scores[at] - scores[node - 1]);
                tree[node].weight += weights[item];
            }
        },
        [&](std::size_t k, std::size_t node) {
            double sum = 0;
            for (; node != 0; node &= node - 1) sum += tree[node].distance + tree[node].weight * (scores[node - 1] - own[k]);
            out[k] = sum;
        });
}

// Groups of items in the order of falling scores, each of which begins where `head` says: for every item the sum, over those
// before it in its group, of weight times (its score - own).
inline void gaps_within(const double* scores, const double* weights, const bool* head, std::size_t size, double* out) {
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
