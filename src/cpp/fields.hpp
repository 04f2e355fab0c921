// The one list of what the core computes for a pair of rankings.
//
// A field is one number, a count or a real. A need is one bit of a request: something to compute, which gives
// one field or several. The struct Sums, the numbers and names of the fields, the bits of the needs, the
// needs of each algorithm and how far each ranking is prepared are derived from the two tables below. Python
// sees the list as `_core.FIELDS`.
//
// To add a field, add a line to CONCORDANT_FIELDS, a line to CONCORDANT_NEEDS if it needs something new, and
// compute it in its algorithm. A whole new algorithm is also called in sums/pair_sums.hpp; the compiler says
// so if it is not.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "ranking/preparation.hpp"

namespace concordant {

// What computes a need. Counts of ties are known as soon as a ranking is prepared.
enum class Algorithm { preparation, ordinal, gap, rank, hyperbolic, moments, midranks };

// clang-format off

// N(need, algorithm, preparation of x, preparation of y)
#define CONCORDANT_NEEDS(N)                             \
    N(ties_x,     preparation, order,  scores)          \
    N(ties_y,     preparation, scores, order)           \
    N(counts,     ordinal,     order,  order)           \
    N(sign_x,     ordinal,     order,  order)           \
    N(sign_y,     ordinal,     order,  order)           \
    N(net_x,      ordinal,     order,  order)           \
    N(net_y,      ordinal,     order,  order)           \
    N(stepped,    ordinal,     order,  order)           \
    N(equal,      ordinal,     order,  exact)           \
    N(broken,     ordinal,     order,  order)           \
    N(gap,        gap,         exact,  exact)           \
    N(rank,       rank,        order,  scores)          \
    N(hyperbolic, hyperbolic,  order,  order)           \
    N(moments,    moments,     scores, scores)          \
    N(midranks,   midranks,    order,  order)

// F(kind, field, need), counts first. `above` is the number of items above an item in the ranking walked.
#define CONCORDANT_FIELDS(F)                                                                               \
    F(count, n,             nothing)    /* items */                                                        \
    F(count, concordant,    counts)     /* pairs that both rankings order alike */                         \
    F(count, discordant,    counts)     /* pairs that they order oppositely */                             \
    F(count, untied_x,      ties_x)     /* pairs that are not tied in x */                                 \
    F(count, untied_y,      ties_y)                                                                        \
    F(count, pivots_x,      ties_x)     /* items with at least one item above them in x */                 \
    F(count, pivots_y,      ties_y)                                                                        \
    F(count, levels_x,      ties_x)     /* distinct scores of x; without a threshold */                    \
    F(count, levels_y,      ties_y)                                                                        \
    F(real,  sign_x,        sign_x)     /* sum of (2 concordant - above) / above, walking down x */        \
    F(real,  sign_y,        sign_y)     /* the same, walking down y */                                     \
    F(real,  net_x,         net_x)      /* sum of (concordant - discordant) / above, walking down x */     \
    F(real,  net_y,         net_y)      /* the same, walking down y */                                     \
    F(real,  stepped,       stepped)    /* AP correlation with mean weights within groups of tied items */ \
    F(real,  equal,         equal)      /* AP correlation whose ties are equality */                       \
    F(real,  broken_for,    broken)     /* as sign_y, ties broken as the other ranking orders the items */ \
    F(real,  broken_against, broken)    /* the same, ties broken against the other ranking */              \
    F(real,  gap,           gap)        /* gap-weighted AP correlation: its terms */                       \
    F(real,  gap_weight,    gap)        /* and their weights */                                            \
    F(real,  rank,          rank)       /* cosines of gaps, weighted by score: the terms */                \
    F(real,  rank_weight,   rank)       /* and their weights */                                            \
    F(real,  by_x_net,      hyperbolic) /* sum of (concordant - discordant) / rank over items, by x */     \
    F(real,  by_x_untied_x, hyperbolic) /* sum of (pairs untied in x) / rank over items, by x */           \
    F(real,  by_x_untied_y, hyperbolic)                                                                    \
    F(real,  by_y_net,      hyperbolic) /* the same three by y */                                          \
    F(real,  by_y_untied_x, hyperbolic)                                                                    \
    F(real,  by_y_untied_y, hyperbolic)                                                                    \
    F(real,  moment_xx,     moments)    /* centred second moments of the scores, up to a factor */         \
    F(real,  moment_yy,     moments)                                                                       \
    F(real,  moment_xy,     moments)                                                                       \
    F(real,  midrank_xx,    midranks)   /* four times the centred second moments of the mid-ranks */       \
    F(real,  midrank_yy,    midranks)                                                                      \
    F(real,  midrank_xy,    midranks)

// clang-format on

using Need = unsigned;  // a set of needs, as bits

namespace table {

using count = std::int64_t;
using real = double;

inline constexpr Preparation scores{}, order{true, false}, exact{true, true};

enum Number : unsigned {
#define CONCORDANT_NUMBER(need, algorithm, of_x, of_y) number_of_##need,
    CONCORDANT_NEEDS(CONCORDANT_NUMBER)
#undef CONCORDANT_NUMBER
};

}  // namespace table

inline constexpr Need need_nothing = 0;
#define CONCORDANT_BIT(need, algorithm, of_x, of_y) \
    inline constexpr Need need_##need = 1U << table::number_of_##need;
CONCORDANT_NEEDS(CONCORDANT_BIT)
#undef CONCORDANT_BIT

// The results for one pair of rankings: one member for each field. Members that were not requested have no
// meaning.
struct Sums {
#define CONCORDANT_MEMBER(kind, field, need) table::kind field = 0;
    CONCORDANT_FIELDS(CONCORDANT_MEMBER)
#undef CONCORDANT_MEMBER
    bool lost = false;  // the sums of gaps have no meaning: the scores span more than doubles can scale
};

struct NeedEntry {
    Need bit;
    Algorithm algorithm;
    Preparation of_x, of_y;
};

inline constexpr std::array need_table = {
#define CONCORDANT_ENTRY(need, algorithm, of_x, of_y) \
    NeedEntry{need_##need, Algorithm::algorithm, table::of_x, table::of_y},
    CONCORDANT_NEEDS(CONCORDANT_ENTRY)
#undef CONCORDANT_ENTRY
};

// One of the two members is set, by the kind of the field.
struct FieldEntry {
    const char* name;
    Need need;
    std::int64_t Sums::* count = nullptr;
    double Sums::* real = nullptr;

    constexpr FieldEntry(const char* field, Need bits, std::int64_t Sums::* member)
        : name(field), need(bits), count(member) {}
    constexpr FieldEntry(const char* field, Need bits, double Sums::* member)
        : name(field), need(bits), real(member) {}
};

inline constexpr std::array field_table = {
#define CONCORDANT_ENTRY(kind, field, need) FieldEntry{#field, need_##need, &Sums::field},
    CONCORDANT_FIELDS(CONCORDANT_ENTRY)
#undef CONCORDANT_ENTRY
};

inline constexpr std::size_t n_fields = field_table.size();
inline constexpr std::size_t n_counts = static_cast<std::size_t>(std::count_if(
    field_table.begin(), field_table.end(), [](const FieldEntry& f) { return f.count != nullptr; }));
inline constexpr std::size_t n_reals = n_fields - n_counts;
static_assert(std::all_of(field_table.begin(), field_table.begin() + n_counts,
                          [](const FieldEntry& f) { return f.count != nullptr; }),
              "counts come first");

inline constexpr Need all_needs = [] {
    Need all = 0;
    for (const NeedEntry& each : need_table) all |= each.bit;
    return all;
}();

// All needs that an algorithm serves.
template <Algorithm algorithm>
inline constexpr Need needs_of = [] {
    Need all = 0;
    for (const NeedEntry& each : need_table) all |= each.algorithm == algorithm ? each.bit : 0;
    return all;
}();

// A request without any need is one for ties: callers use it to learn whether there are any.
constexpr Need or_ties(Need need) { return need != need_nothing ? need : need_ties_x | need_ties_y; }

// How far the two rankings are prepared for a request.
constexpr Preparation preparation_of_x(Need need) {
    Preparation all;
    for (const NeedEntry& each : need_table) all = (or_ties(need) & each.bit) != 0 ? all | each.of_x : all;
    return all;
}
constexpr Preparation preparation_of_y(Need need) {
    Preparation all;
    for (const NeedEntry& each : need_table) all = (or_ties(need) & each.bit) != 0 ? all | each.of_y : all;
    return all;
}

}  // namespace concordant
