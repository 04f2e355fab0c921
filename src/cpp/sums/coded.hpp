// The sums of two rankings of few distinct scores, from a table: how many items have each pair of scores.
//
// Items with the same scores in both rankings have the same counts, so the sums over items that the other
// algorithms make are sums over the cells of the table. Integers are added within the same groups, and groups
// are added in the same order, so every bit is the same as there.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "../buffer.hpp"
#include "../fields.hpp"
#include "../interrupt.hpp"
#include "../ranking/ranking.hpp"
#include "accumulate.hpp"
#include "ordinal.hpp"

namespace concordant {

// What the table can answer.
inline constexpr Need coded_needs = needs_of<Algorithm::preparation> |
                                    (needs_of<Algorithm::ordinal> & ~need_broken) |
                                    needs_of<Algorithm::hyperbolic> | needs_of<Algorithm::midranks>;

struct CodedScratch {
    Buffer<Index> counted;  // by codes, several tables that are added
    Buffer<Index> cells;    // by grades: rows are those of y, from the best
    Buffer<Index> before;   // items with better grades in both: one row and one column more
};

// One ranking in the table: the grades tied with each grade, and the positions of the items of a grade.
struct GradeWindows {
    std::size_t count;
    const Window* grades;
    std::array<Index, largest_number_of_codes + 1> start;  // by grade: the first position

    Index first(std::size_t g) const { return start[grades[g].first]; }
    Index last(std::size_t g) const { return start[grades[g].last]; }
    Index size() const { return start[count]; }
    Index untied(std::size_t g) const { return first(g) + (size() - last(g)); }  // with one of its items
    std::int64_t centred_midrank(std::size_t g) const { return std::int64_t{first(g)} + last(g) - size(); }
    std::int64_t untied_pairs() const {
        std::int64_t pairs = 0;
        for (std::size_t g = 0; g < count; ++g) pairs += std::int64_t{start[g + 1] - start[g]} * first(g);
        return pairs;
    }
    std::int64_t levels() const {  // grades that some item has; a batch shares its grades
        std::int64_t levels = 0;
        for (std::size_t g = 0; g < count; ++g) levels += start[g + 1] > start[g];
        return levels;
    }
};

class CodedPair {
public:
    CodedPair(const Ranking& x, const Ranking& y, std::size_t w, CodedScratch& scratch)
        : x_{x.codes.count(), x.code_windows[w].data(), {}},
          y_{y.codes.count(), y.code_windows[w].data(), {}} {
        count_cells(x, y, scratch);
        Index* before = scratch.before.reserve((x_.count + 1) * (y_.count + 1));
        std::fill_n(before, x_.count + 1, Index{0});
        for (std::size_t j = 0; j < y_.count; ++j) {
            const Index* above = before + j * (x_.count + 1);
            Index* row = before + (j + 1) * (x_.count + 1);
            row[0] = 0;
            for (std::size_t i = 0, passed = 0; i < x_.count; ++i) {
                passed += cell(i, j);
                row[i + 1] = above[i + 1] + static_cast<Index>(passed);
            }
        }
        before_ = before;
        for (std::size_t i = 0; i <= x_.count; ++i) x_.start[i] = passed(y_.count, i);
        for (std::size_t j = 0; j <= y_.count; ++j) y_.start[j] = passed(j, x_.count);
    }

    Sums sums(Need need) const {
        Sums out;
        out.n = x_.size();
        out.untied_x = x_.untied_pairs();
        out.untied_y = y_.untied_pairs();
        out.pivots_x = x_.size() - x_.last(0);
        out.pivots_y = y_.size() - y_.last(0);
        out.levels_x = x_.levels();
        out.levels_y = y_.levels();
        if (need & need_counts) add_pairs(out);
        const auto above = [this](std::size_t i, std::size_t j) {
            return std::int64_t{passed(y_.grades[j].first, x_.grades[i].first)};
        };
        const auto tied = [this](std::size_t i, std::size_t j) { return tied_x(i, y_.grades[j].first); };
        if (need & need_sign_y) {
            out.sign_y = down_y([&](std::size_t i, std::size_t j) { return 2 * above(i, j); });
        }
        if (need & need_net_y) {
            out.net_y = down_y([&](std::size_t i, std::size_t j) { return 2 * above(i, j) + tied(i, j); });
        }
        if (need & need_sign_x) {
            out.sign_x = down_x([&](std::size_t i, std::size_t j) { return 2 * above(i, j); });
        }
        if (need & need_net_x) {
            out.net_x = down_x([&](std::size_t i, std::size_t j) {
                return above(i, j) + passed(y_.grades[j].last, x_.grades[i].first);
            });
        }
        if (need & need_stepped) out.stepped = stepped();
        if (need & need_equal) out.equal = equal();
        if (need & needs_of<Algorithm::hyperbolic>) add_hyperbolic(out);
        if (need & needs_of<Algorithm::midranks>) add_midranks(out);
        return out;
    }

private:
    void count_cells(const Ranking& x, const Ranking& y, CodedScratch& scratch) {
        const std::size_t width = x_.count, size = width * y_.count;
        // Counting in one cell waits for the count before: neighbours use different tables.
        constexpr std::size_t most_tables = 4;
        const std::size_t tables = x.size >= most_tables * size ? most_tables : 1;
        Index* counted = scratch.counted.reserve(most_tables * size);
        std::fill_n(counted, tables * size, Index{0});
        const Code *of_x = x.codes.data(), *of_y = y.codes.data();
        if (tables == most_tables) {
            const std::size_t whole = x.size / most_tables;
            with_pauses(whole, [=](std::size_t k) {
                for (std::size_t t = 0; t < most_tables; ++t) {
                    ++counted[t * size + of_y[most_tables * k + t] * width + of_x[most_tables * k + t]];
                }
            });
            for (std::size_t k = whole * most_tables; k < x.size; ++k) ++counted[of_y[k] * width + of_x[k]];
        } else {
            for (std::size_t k = 0; k < x.size; ++k) ++counted[of_y[k] * width + of_x[k]];
        }
        Index* cells = scratch.cells.reserve(size);
        for (std::size_t j = 0; j < y_.count; ++j) {
            for (std::size_t i = 0; i < width; ++i) {
                Index count = 0;
                for (std::size_t t = 0; t < tables; ++t) count += counted[t * size + j * width + i];
                cells[y.codes.grade(j) * width + x.codes.grade(i)] = count;
            }
        }
        cells_ = cells;
    }
    Index cell(std::size_t i, std::size_t j) const { return cells_[j * x_.count + i]; }
    // Items with one of the first j grades of y and one of the first i of x.
    Index passed(std::size_t j, std::size_t i) const { return before_[j * (x_.count + 1) + i]; }
    // Of the items with one of the first j grades of y, those tied in x with items of grade i.
    std::int64_t tied_x(std::size_t i, std::size_t j) const {
        return std::int64_t{passed(j, x_.grades[i].last)} - passed(j, x_.grades[i].first);
    }

    void add_pairs(Sums& out) const {
        for (std::size_t j = 0; j < y_.count; ++j) {
            const std::size_t first = y_.grades[j].first;
            for (std::size_t i = 0; i < x_.count; ++i) {
                const std::int64_t items = cell(i, j), above = passed(first, x_.grades[i].first);
                out.concordant += items * above;
                out.discordant += items * (y_.start[first] - above - tied_x(i, first));
            }
        }
    }

    // Sum over the items of (agreeing - above) / above, as sum_over_above makes it.
    template <class Agreeing>
    static double sum_down(const GradeWindows& walked, std::size_t others, Agreeing agreeing) {
        Sum sum;
        for (std::size_t g = 0; g < walked.count;) {
            const std::int64_t above = walked.first(g);
            std::int64_t numerator = 0;
            for (; g < walked.count && walked.first(g) == above; ++g) {
                for (std::size_t other = 0; other < others; ++other) numerator += agreeing(g, other, above);
            }
            if (above > 0) sum.add(static_cast<double>(numerator) / static_cast<double>(above));
        }
        return sum.value();
    }
    template <class Agreeing>
    double down_y(Agreeing agreeing) const {
        return sum_down(y_, x_.count, [&](std::size_t j, std::size_t i, std::int64_t above) {
            return cell(i, j) * (agreeing(i, j) - above);
        });
    }
    template <class Agreeing>
    double down_x(Agreeing agreeing) const {
        return sum_down(x_, y_.count, [&](std::size_t i, std::size_t j, std::int64_t above) {
            return cell(i, j) * (agreeing(i, j) - above);
        });
    }

    // As sum_stepped.
    double stepped() const {
        Sum sum;
        for (std::size_t begin = 0, j = 0; begin < y_.count; begin = j) {
            const Window tied = y_.grades[begin];
            std::int64_t net = 0;
            for (; j < y_.count && y_.grades[j].first == tied.first && y_.grades[j].last == tied.last; ++j) {
                for (std::size_t i = 0; i < x_.count; ++i) {
                    const std::int64_t above = passed(tied.first, x_.grades[i].first);
                    net += cell(i, j) * (2 * above + tied_x(i, tied.first) - y_.start[tied.first]);
                }
            }
            checkpoint_if_long(y_.start[j] - y_.start[begin]);
            add_stepped(sum, net, y_.start[begin], y_.start[j]);
        }
        return sum.value();
    }

    // As sum_equal.
    double equal() const {
        Sum sum;
        for (std::size_t j = 0; j < y_.count; ++j) {
            const std::size_t first = y_.grades[j].first;
            std::int64_t a = 0, g = 0;
            for (std::size_t i = 0; i < x_.count; ++i) {
                const std::int64_t items = cell(i, j), tied = tied_x(i, j);
                a += items * (passed(first, x_.grades[i].first) + tied - tied_x(i, first));
                g += items * (tied_x(i, j + 1) - tied - 1);
            }
            checkpoint_if_long(y_.start[j + 1] - y_.start[j]);
            add_slots(sum, a, g, y_.start[j], y_.start[j + 1]);
        }
        return sum.value();
    }

    // Concordant less discordant pairs of an item.
    std::int64_t net(std::size_t i, std::size_t j) const {
        const Window x = x_.grades[i], y = y_.grades[j];
        const std::size_t all_x = x_.count, all_y = y_.count;
        const auto count = [this](std::size_t at_y, std::size_t at_x) {
            return std::int64_t{passed(at_y, at_x)};
        };
        const std::int64_t both_above = count(y.first, x.first);
        const std::int64_t below_x = count(y.first, all_x) - count(y.first, x.last);
        const std::int64_t below_y = count(all_y, x.first) - count(y.last, x.first);
        const std::int64_t both_below =
            count(all_y, all_x) - count(all_y, x.last) - count(y.last, all_x) + count(y.last, x.last);
        return both_above + both_below - below_x - below_y;
    }

    // As hyperbolic_sums: items tied in one ranking are in the order of the other.
    void add_hyperbolic(Sums& out) const {
        Sum net_sum, untied_x_sum, untied_y_sum;
        double rank = 1;
        const auto add_cell = [&](std::size_t i, std::size_t j) {
            const auto net_here = static_cast<double>(net(i, j));
            const double untied_x = x_.untied(i), untied_y = y_.untied(j);
            with_pauses(cell(i, j), [&](std::size_t) {
                net_sum.add(net_here / rank);
                untied_x_sum.add(untied_x / rank);
                untied_y_sum.add(untied_y / rank);
                rank += 1;
            });
        };
        for (std::size_t j = 0; j < y_.count; ++j) {
            for (std::size_t i = 0; i < x_.count; ++i) add_cell(i, j);
        }
        out.by_y_net = net_sum.value();
        out.by_y_untied_x = untied_x_sum.value();
        out.by_y_untied_y = untied_y_sum.value();
        net_sum = untied_x_sum = untied_y_sum = Sum{};
        rank = 1;
        for (std::size_t i = 0; i < x_.count; ++i) {
            for (std::size_t j = 0; j < y_.count; ++j) add_cell(i, j);
        }
        out.by_x_net = net_sum.value();
        out.by_x_untied_x = untied_x_sum.value();
        out.by_x_untied_y = untied_y_sum.value();
    }

    void add_midranks(Sums& out) const {
        WideSum xx, yy, xy;
        for (std::size_t j = 0; j < y_.count; ++j) {
            const std::int64_t ry = y_.centred_midrank(j);
            for (std::size_t i = 0; i < x_.count; ++i) {
                const std::int64_t rx = x_.centred_midrank(i), items = cell(i, j);
                xx.add(rx * rx, items);
                yy.add(ry * ry, items);
                xy.add(rx * ry, items);
            }
        }
        out.midrank_xx = xx.value();
        out.midrank_yy = yy.value();
        out.midrank_xy = xy.value();
    }

    GradeWindows x_, y_;
    const Index* cells_ = nullptr;
    const Index* before_ = nullptr;
};

}  // namespace concordant
