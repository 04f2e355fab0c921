"""The answer of `judge` and `correlate` for people: one row for each estimate, and what explains it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from concordant.coefficients.declaration import Coefficient
from concordant.questions.benchmarks import causes_in_words
from concordant.questions.verdict import (
    SAME_VALUE,
    Key,
    best_of,
    called,
    names_of,
    of_measures,
    who,
    worse_than_best,
)
from concordant.results.table import Absent, Grid, Head, Signed, Valued
from concordant.results.words import count, noun, number
from concordant.statistics.topic_luck import YARDSTICKS

if TYPE_CHECKING:
    from concordant.questions.correlate import Agreement, CorrelateResult, Judged
    from concordant.questions.judge import JudgeResult

_FEW = 3  # systems, groups and topics in a line


def question_of(result: CorrelateResult, asked: str) -> str:
    """Return the question, and what it is about; empty if only another table is left."""
    rows = result.judges
    if not rows or not result.agreement:
        return ""
    measures = list(dict.fromkeys(each.measure.measure for each in rows))
    about = _sizes(rows)
    if measures != ["score"]:
        about.append(", ".join(measures) if len(measures) <= _FEW else count(len(measures), "measure"))
    named = f" (reference {result.reference})" if result.reference else ""
    return f"{asked}   {', '.join(about)}{named}"


def _sizes(rows: Sequence[Judged]) -> list[str]:
    """Return how many systems and topics there are, or from how many to how many."""
    topics: dict[str, int] = {}
    for each in rows:
        topics[each.measure.measure] = max(each.topics, topics.get(each.measure.measure, 0))
    found = []
    for what, sizes in {"system": [each.systems for each in rows], "topic": list(topics.values())}.items():
        least, most = min(sizes), max(sizes)
        if most:
            found.append(count(most, what) if least == most else f"{least} to {most} {noun(what + 's')}")
    return found


def _topics(result: CorrelateResult) -> dict[Key, int]:
    return {(each.estimate, each.measure): each.topics for each in result.judges or ()}


def grid_of(result: CorrelateResult, judged: JudgeResult | None) -> Grid:
    """Return a row for each estimate and measure, sorted; the coefficients are columns."""
    coefficients = list(dict.fromkeys(row.coefficient for row in result.agreement))
    values = {(row.estimate, row.measure, row.coefficient): row for row in result.agreement}
    about = {(each.estimate, each.measure): each for each in result.judges or ()}
    worse, topics = worse_than_best(result, judged), _topics(result)
    columns = _columns(result, judged)
    rows, sections, best, daggers = list[list[Any]](), dict[int, str](), set[tuple[int, int]](), set[Any]()
    by, names = of_measures(result), names_of(result)
    for measure, own in by.items():
        most = max((topics.get((row.estimate, row.measure), 0) for row in own), default=0)
        before = f"{measure}: " if len(by) > 1 else ""
        if before:
            sections[len(rows)] = measure

        def place(row: Agreement, most: int = most) -> tuple[Any, ...]:
            key = row.estimate, row.measure
            undefined = math.isnan(row.value)
            return (
                most - topics.get(key, 0),
                key in worse,
                undefined,
                0 if undefined else -row.value,
                who(row),
            )

        last: tuple[Any, ...] = (0, False)
        for row in sorted(own, key=place):
            key, group = (row.estimate, row.measure), place(row)[:2]
            if group != last and group[0] != last[0]:
                on = (
                    f"on {count(topics[key], 'common topic')}"
                    if topics[key]
                    else f"without common {noun('topics')}"
                )
                sections[len(rows)] = f"{before}{on}"
            elif group != last:
                sections[len(rows)] = (
                    f"{before}worse than the best (adjusted p < {result.options['alpha']:g})"
                )
            last = group
            first, *others = (values.get((*key, c)) for c in coefficients)
            cells = [_value(first, interval=True), *map(_value, others)]
            rows.append([names[key], *cells, *_about(about.get(key), row, columns)])
            daggers |= {(len(rows) - 1, 1)} if key in worse else set()
            if judged is not None and judged.comparison and not any(group) and not math.isnan(row.value):
                best.add((len(rows) - 1, 1))
        other = _other_topics(judged, own, coefficients)
        rows += [[*other, *[Absent("")] * len(columns)]] if other else []
    foot = int(len(by) == 1 and bool(other))
    heads = [Head(str(c), c.latex()) for c in coefficients]
    level = result.options.get("confidence_level")
    if level is not None and any(_has_interval(row[1]) for row in rows):
        heads[0] = Head(f"{heads[0]} [{100 * level:g} %]", rf"{heads[0].symbol}\ [{100 * level:g}\,\%]")
    kind = "benchmark" if result.is_among_many and noun("system") == "model" else "estimate"
    header = ["judge" if judged is not None else kind, *heads, *columns]
    shown = [[not (cell is None or isinstance(cell, Absent)) for cell in row] for row in rows]
    kept = [c for c in range(len(header)) if c < 2 or any(row[c] for row in shown)]
    return Grid(
        {},
        [header[c] for c in kept],
        [[row[c] for c in kept] for row in rows],
        len(kept),
        sections=sections,
        foot=foot,
        drawn=1 if sum(_has_interval(row[1]) for row in rows) > 1 else None,
        best=frozenset(best),
        worse=frozenset(daggers),
    )


def grid_by_measure(result: CorrelateResult, judged: JudgeResult | None) -> Grid:
    """Return a row for each estimate and a column for each measure, by the first coefficient."""
    by, worse, topics = of_measures(result), worse_than_best(result, judged), _topics(result)
    names = dict.fromkeys(row.estimate for own in by.values() for row in own)
    cells, best, daggers = dict[tuple[str, str], Valued](), set[tuple[int, int]](), set[tuple[int, int]]()
    columns: list[str] = []
    for measure, own in by.items():
        most = max(topics.get((row.estimate, row.measure), 0) for row in own)
        for row in own:
            head = measure if len(set(row.measure)) == 1 else f"{measure}, {row.measure.estimate_measure}"
            columns += [head] if head not in columns else []
            key, at = (row.estimate, row.measure), (list(names).index(row.estimate), columns.index(head) + 1)
            cells[row.estimate, head] = _value(row, interval=True)
            daggers |= {at} if key in worse else set()
            full = topics.get(key, most) == most and not math.isnan(row.value)
            best |= {at} if judged and judged.comparison and full and key not in worse else set()
    rows: list[list[Any]] = [[called(name), *(cells.get((name, head)) for head in columns)] for name in names]
    foot = [_other_topics(judged, own, [own[0].coefficient]) for own in by.values()]
    if any(foot) and len(columns) == len(by):
        first, *others = dict.fromkeys(each[0] for each in foot if each)
        rows.append(
            [f"other {noun('topics')}" if others else first, *(each[1] if each else None for each in foot)]
        )
    own_kind = "judge" if judged is not None else "estimate"
    return Grid(
        {},
        [own_kind, *columns],
        rows,
        len(columns) + 1,
        foot=int(len(rows) > len(names)),
        best=frozenset(best),
        worse=frozenset(daggers),
    )


def _about(each: Judged | None, row: Agreement, columns: dict[str, Any]) -> list[Any]:
    """Return the cells beside the coefficients; of too few systems only their number is given."""
    return [
        (row.n if head == "n" else None) if each is None else column(each) for head, column in columns.items()
    ]


def _has_interval(cell: Any) -> bool:
    return isinstance(cell, Valued) and cell.interval is not None


def _value(row: Agreement | None, interval: bool = False) -> Valued:
    if row is None:
        return Valued(None, None)
    return Valued(row.value, row.interval if interval else None)


def _whole(value: float | None) -> Any:
    """Return a whole number as such, any other as a value."""
    whole = value is not None and abs(value - round(value)) < SAME_VALUE
    return round(value) if value is not None and whole else Valued(value, None)


def _columns(result: CorrelateResult, judged: JudgeResult | None) -> dict[str, Any]:
    """Return the columns beside the coefficients: their heads, and what they show of an estimate."""
    rows = result.judges or ()
    top = rows[0].top if rows else 0
    found: dict[str, Any] = {}
    if result.is_among_many:
        return {
            "n": lambda each: each.systems,
            f"top {top}": lambda each: _whole(each.common),
            "winner": lambda each: _whole(each.winner_rank),
            "others": lambda each: Valued(each.others, None),
            "aggregate": lambda each: Valued(each.aggregate, None),
        }
    if len({each.systems for each in rows}) > 1:
        found["n"] = lambda each: each.systems
    if any(each.systems > each.top for each in rows):
        found[f"top {top}"] = lambda each: _whole(each.common)
    found["winner"] = lambda each: _whole(each.winner_rank)
    if judged is None:
        found["regret"] = lambda each: Valued(each.regret, None)
        found["pearson"] = lambda each: Valued(each.pearson, None)
    if any(each.significant for each in rows):
        found["kept"] = lambda each: None if each.significant is None else f"{each.kept}/{each.significant}"
        found["reversed"] = lambda each: each.reversed
    else:
        found["opposite"] = lambda each: each.swapped
    labels = {each.rater: each for each in (judged.raters if judged else None) or ()}
    if labels:
        found["kappa_w"] = lambda each: _of_labels(labels.get(each.estimate), "kappa_quadratic")
        found["shift"] = lambda each: _signed(labels.get(each.estimate))
    if any(each.unjudged for each in rows):
        found["unjudged"] = lambda each: None if each.unjudged is None else f"{each.unjudged:.0%}"
    return found


def _of_labels(row: Any, name: str) -> Valued | None:
    return None if row is None else Valued(getattr(row, name), None)


def _signed(row: Any) -> Signed | None:
    return None if row is None or math.isnan(row.shift) else Signed(row.shift)


def _other_topics(
    judged: JudgeResult | None, own: Sequence[Agreement], coefficients: Sequence[Coefficient]
) -> list[Any]:
    """Return the row of what other topics would reach; empty if that is not known."""
    known = [
        each
        for each in (judged.reliability if judged else ()) or ()
        if each.measure == own[0].measure.measure
    ]
    if not known:
        return []
    most = max(each.topics for each in known)
    cells: list[Any] = []
    own_kind = {YARDSTICKS[each.coefficient.name]: each for each in known if each.topics == most}
    for place, c in enumerate(coefficients):
        found = own_kind.get(YARDSTICKS.get(str(c), -1))
        value, interval = (None, None) if found is None else (found.other_topics, found.other_interval)
        with_interval = place == 0 and judged is not None and "confidence_level" in judged.options
        cells.append(Valued(value, interval if with_interval else None))
    return [count(most, "other topic"), *cells] if any(cell.value is not None for cell in cells) else []


def caption_of(result: CorrelateResult) -> str:
    """Return what the table shows, and how it was computed."""
    rows, how = result.judges or (), result.options
    if not rows or not result.agreement:
        return ""
    parts = [f"{result.agreement[0].coefficient} with the reference: {', '.join(_sizes(rows))}"]
    if how.get("confidence_level") is not None:
        method = f"jackknife over the {noun('systems')}"
        if any(row.topics is not None for row in result.agreement):
            method = (
                f"{how['method']}, {how['n_resamples']} resamples of the {noun('topics')}, seed {result.seed}"
            )
        parts.append(f"{how['confidence_level']:.10g} confidence intervals ({method})")
    tests = getattr(result, "comparison", None)
    if tests:
        parts.append("bold: not told apart from the best")
        parts.append(f"dagger: worse than the best (adjusted p < {how['alpha']:g})")
    return "; ".join(parts) + "."


def beside_of(result: CorrelateResult, judged: JudgeResult | None) -> Iterator[str]:
    """Yield which groups are favoured, which systems moved most, and what failing topics mean."""
    by = of_measures(result)
    alpha, c = result.options["alpha"], result.agreement[0].coefficient if result.agreement else None
    flagged = [
        each
        for each in (judged.groups if judged else None) or ()
        if each.pvalue is not None and each.pvalue <= alpha
    ]
    flagged.sort(key=lambda each: -abs(each.effect or 0.0))
    for each in flagged[:_FEW]:
        verb = "favours" if (each.effect or 0) > 0 else "puts down"
        size = f"{each.effect:+.2f}"
        if each.interval is not None:
            size += f" [{', '.join(map(number, each.interval))}]"
        ranks = f"{each.ranks or 0.0:+.0f} ranks"
        without = "" if math.isnan(each.value) else f"; without it {c} is {number(each.value)}"
        where = f" by {each.measure.measure}" if len(by) > 1 else ""
        systems = count(each.systems, "system")
        what = f"{called(each.estimate)} {verb} {each.group} ({systems}){where}"
        yield f"Favoured: {what}: {size}, {ranks}{without}"
    if len(flagged) > _FEW:
        yield f"Favoured: {len(flagged) - _FEW} more in the table groups"
    if result.is_among_many:
        yield from causes_in_words(result)
        return
    if len(by) > 1 or not by:
        return
    rows = next(iter(by.values()))
    best = best_of(result, rows)
    if best is None:
        return
    about = {(each.estimate, each.measure): each for each in result.judges or ()}
    own = about[best.estimate, best.measure]
    told = max(about.values(), key=lambda each: (each.reversed or 0, each is own))
    yield from _moved(result, judged, told, len(rows) > 1)
    yield from _failing(own, best)


def _moved(result: CorrelateResult, judged: JudgeResult | None, told: Judged, several: bool) -> Iterator[str]:
    key = told.estimate, told.measure
    moved = [each for each in result.systems or () if (each.estimate, each.measure) == key and each.gain]
    moved.sort(key=lambda each: (-abs(each.gain), each.reference_rank))
    by = f" by {who(told)}" if several else ""
    ranks = [f"{each.system} {each.reference_rank} → {each.estimate_rank}" for each in moved[:_FEW]]
    topics = [
        each
        for each in (judged.each_topic if judged else None) or ()
        if (each.estimate, each.measure, each.coefficient) == (*key, result.agreement[0].coefficient)
        and each.value is not None
        and not math.isnan(each.value)
        and each.value < 1
    ]
    topics.sort(key=lambda each: each.value)
    named = ", ".join(each.topic for each in topics[:2]) if len(topics) > _FEW else ""
    if ranks:
        also = f"; {noun('topics')} that disagree most: {named}" if named else ""
        yield f"Moved most{by}: {', '.join(ranks)}{also}"
    elif named:
        yield f"{noun('topics').capitalize()} that disagree most{by}: {named}"


def _failing(each: Judged, row: Agreement) -> Iterator[str]:
    if each.failing is None or each.failing_share is None or each.if_failing is None:
        return
    fails = f"{each.failing or 'none'} of {each.topics}"
    share = f"up to {each.failing_share:.1%} of {noun('topics')} like these may still fail"
    cost = f"reversed on so many, {row.coefficient} would be {number(each.if_failing)}"
    yield f"Failing {noun('topics')} of {who(each)}: {fails}; {share}; {cost}"
