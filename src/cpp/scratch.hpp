// The working memory of one thread that compares pairs of rankings: one struct for each algorithm, which
// declares it beside its code. An algorithm reserves its buffers when it runs.
#pragma once

#include <cstddef>

#include "fields.hpp"
#include "sums/coded.hpp"
#include "sums/gap.hpp"
#include "sums/hyperbolic.hpp"
#include "sums/moments.hpp"
#include "sums/ordinal.hpp"
#include "sums/rank.hpp"
#include "sweep/every_pair.hpp"

namespace concordant {

struct PairScratch {
    EveryPair every_pair;
    CodedScratch coded;
    OrdinalScratch ordinal;
    GapScratch gap;
    RankScratch rank;
    HyperbolicScratch hyperbolic;
    MomentScratch moments;

    // Algorithms run one after another. Before one runs on a long ranking, the memory of the others is
    // released, so that the peak is that of the largest algorithm and not of their sum. For short rankings it
    // is kept for the next pair.
    void make_room_for(Algorithm next, std::size_t size) {
        constexpr std::size_t kept_up_to = std::size_t{1} << 16;
        if (size <= kept_up_to) return;
        if (next != Algorithm::ordinal) ordinal = {};
        if (next != Algorithm::gap) gap = {};
        if (next != Algorithm::rank) rank = {};
        if (next != Algorithm::hyperbolic) hyperbolic = {};
        if (next != Algorithm::moments) moments = {};
    }
};

}  // namespace concordant
