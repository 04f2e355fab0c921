// How far a ranking is prepared.
#pragma once

namespace concordant {

struct Preparation {
    bool sorted = false;      // its order, and the ties that the thresholds make
    bool exact_ties = false;  // also the ties of equal scores, where the thresholds make others

    friend constexpr Preparation operator|(Preparation a, Preparation b) {
        return {a.sorted || b.sorted, a.exact_ties || b.exact_ties};
    }
};

}  // namespace concordant
