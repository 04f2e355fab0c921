// tau_gap: for every item, the gaps in x to the items above it in y, signed over absolute (Gao and Oard 2015, eq. 3).
//
// The sum of the signed gaps to the items passed is the sum of their scores less their number times the item's own, in
// twice the precision. The sum of the gaps to those with larger scores comes from a Fenwick tree over blocks of
// positions in x that holds, for the items passed, their number and the sum of their distances to the near end of the
// node: terms that are never negative. So nothing cancels, whatever offset or spread the scores have.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "arrange.hpp"
#include "sums.hpp"

namespace concordant {

class GapTree {
public:
    // scores[0, size) by position, largest first.
    void clear(const double* scores, std::size_t size) {
        scores_ = scores;
        blocks_ = (size + block - 1) / block;
        bits_ = bits_memory_.reserve(blocks_);
        nodes_ = nodes_memory_.reserve(blocks_ + 1);
        std::fill_n(bits_, blocks_, std::uint32_t{0});
        for (std::size_t node = 1; node <= blocks_; ++node) nodes_[node] = {scores[std::min(node * block, size) - 1], 0, 0};
    }
    void insert(std::size_t place) {
        const double score = scores_[place];
        bits_[place / block] |= std::uint32_t{1} << (place % block);
        for (std::size_t node = place / block + 1; node <= blocks_; node += node & (~node + 1)) {
            nodes_[node].distance += score - nodes_[node].end;
            nodes_[node].items += 1;
        }
    }
    // The next to be asked about: bring its part of memory near.
    void prefetch(std::size_t place) const {
        concordant::prefetch(scores_ + place / block * block);
        concordant::prefetch(scores_ + place);
        concordant::prefetch(nodes_ + place / block);
    }
    struct Above {
        double gaps, items;
    };
    // The items at positions before `place`, all with scores of at least `score`: the sum of their gaps, their number.
    Above before(std::size_t place, double score) const {
        Above above{0, 0};
        for (std::size_t node = place / block; node != 0; node &= node - 1) {
            above.gaps += nodes_[node].distance + nodes_[node].items * (nodes_[node].end - score);
            above.items += nodes_[node].items;
        }
        const std::size_t start = place / block * block;
        for (std::uint32_t rest = place == start ? 0 : bits_[place / block] & ((std::uint32_t{1} << (place % block)) - 1);
             rest != 0; rest &= rest - 1) {
            above.gaps += scores_[start + static_cast<std::size_t>(std::countr_zero(rest))] - score;
            above.items += 1;
        }
        return above;
    }

private:
    static constexpr std::size_t block = 16;
    struct Node {
        double end;       // the smallest score of its range
        double distance;  // sum of the distances of its items to that
        double items;
    };

    const double* scores_ = nullptr;
    std::size_t blocks_ = 0;
    Buffer<std::uint32_t> bits_memory_;
    Buffer<Node> nodes_memory_;
    std::uint32_t* bits_ = nullptr;
    Node* nodes_ = nullptr;
};

// Sum over r = 0 .. terms - 1 of r / (z + r), for z >= 16, by the Euler-Maclaurin formula.
inline double sum_of_shares(double terms, double z) {
    if (std::isinf(z)) return 0;
    const double last = terms - 1, end = z + last, u = last / z;
    // u - log(1 + u), by its series where the difference would cancel
    double integral;
    if (u < 0.01) {
        double power = u * u;
        integral = power / 2;
        for (int k = 3; k < 12; ++k) {
            power *= -u;
            integral += power / k;
        }
        integral *= z;
    } else {
        integral = z * (u - std::log1p(u));
    }
    // The (2 k - 1)th derivative of r / (z + r) is (2 k - 1)! z / (z + r)^(2 k); times B_2k / (2 k)!.
    constexpr double coefficient[] = {1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760};
    double correction = 0, at_start = z, at_end = z;
    for (const double each : coefficient) {
        at_start /= z * z;
        at_end /= end * end;
        correction += each * (at_end - at_start);
    }
    return integral + last / end / 2 + correction;
}

// Sum over slots k = 0 .. slots - 1 of (signed_gap + k signed_step) / (mass + k mass_step), slots without mass left out;
// also counts the slots that have mass. O(1) for large groups.
inline double sum_of_slots(double signed_gap, double signed_step, double mass, double mass_step, Index slots,
                           double& counted) {
    constexpr Index one_by_one = 24;
    Index first = mass > 0 ? 0 : 1;
    if (mass_step == 0) {
        if (mass == 0) return 0;
        counted += slots;
        return slots * (signed_gap / mass);
    }
    counted += slots - first;
    double total = 0;
    for (; first < std::min(slots, one_by_one); ++first) {
        total += (signed_gap + first * signed_step) / (mass + first * mass_step);
    }
    if (first < slots) {
        const double a = signed_gap + first * signed_step, m = mass + first * mass_step;
        const double terms = slots - first;
        total += terms * (a / m) + (signed_step - a * (mass_step / m)) / mass_step * sum_of_shares(terms, m / mass_step);
    }
    return total;
}

inline void gap_sums(const Ranking& x, const Ranking& y, const Windows& wx, const Windows& wy, PairMemory& memory,
                     GapTree& tree, Sums& sums) {
    const Index size = x.size;
    const Arrangement order = arrange(x, y, wx, wy, memory);
    double* scores = memory.real_a.reserve(size);
    const Index* best = x.order.data();
    const double scale =
        factor_against_overflow(std::max(std::abs(x.values[best[0]]), std::abs(x.values[best[size - 1]])));
    for (Index p = 0; p < size; ++p) scores[p] = x.values[best[p]] * scale;
    tree.clear(scores, size);
    double* larger = memory.real_b.reserve(size);  // within a group of equal y: gaps to those with larger x
    const double origin = scores[order.place[0]];  // of the first item passed: no gap to it exceeds the mass
    Double passed;
    Sum terms, weights;
    for (Index start = 0; start < size;) {
        const Index end = wy.at.data()[start].last;
        const Index group = end - start;
        // The group is in the order of x: running sums of the gaps to those before and after.
        larger[start] = 0;
        for (Index k = start + 1; k < end; ++k) {
            larger[k] = larger[k - 1] + (k - start) * (scores[order.place[k - 1]] - scores[order.place[k]]);
        }
        double smaller = 0;
        for (Index k = end; k-- > start;) {
            const Index p = order.place[k];
            const double score = scores[p];
            if (k + 1 < end) smaller += (end - 1 - k) * (score - scores[order.place[k + 1]]);
            const double net = (passed - Double::difference(score, origin) * start).value();
            const auto above = tree.before(wx.at.data()[p].first, score);
            // All above or none: exactly.
            const double up = above.items == start ? net : above.gaps;
            const double down = std::max(up - net, 0.0);
            if (group == 1) {
                if (up + down > 0) {
                    terms.add((up - down) / (up + down));
                    weights.add(1);
                }
                continue;
            }
            const double others = group - 1.0;
            double counted = 0;
            const double total = sum_of_slots(up - down, (larger[k] - smaller) / others, up + down,
                                              (larger[k] + smaller) / others, group, counted);
            terms.add(total / group);
            weights.add(counted / group);
        }
        for (Index k = start; k < end; ++k) {
            if (size - k > 12) {
                tree.prefetch(order.place[k + 12]);
                prefetch(wx.at.data() + order.place[k + 12]);
            }
            tree.insert(order.place[k]);
            passed = passed + Double::difference(scores[order.place[k]], origin);
        }
        start = end;
    }
    sums.gap = terms.value();
    sums.gap_weight = weights.value();
}

}  // namespace concordant
