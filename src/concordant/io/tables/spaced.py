"""Lines separated by spaces, as programs of evaluation campaigns write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from concordant.errors import fail, option
from concordant.io.files import NUMBER, Source, name_of, shown, stem_of
from concordant.io.tables.cells import Row, number
from concordant.scores import is_numbered

__all__ = ["SPACED", "read_spaced", "spaced_format"]


class Spaced(NamedTuple):
    """A format: the content of each column."""

    title: str
    columns: tuple[str, ...]


SPACED = {
    "tot": Spaced("lines of run, measure, topic, value", ("system", "measure", "topic", "value")),
    "ir_measures4": Spaced("lines of run, topic, measure, value", ("system", "topic", "measure", "value")),
    "ranking": Spaced(
        "lines of topic, Q0, run, rank, value, measure", ("topic", "", "system", "", "value", "measure")
    ),
}

# The names of measures in the two programs.
_TREC_EVAL = re.compile(
    r"(gm_)?(map|bpref|infAP|ndcg|Rprec|Rndcg|recip_rank|G|binG|yaap|11pt_avg|runid)|map_avgjg|"
    r"(P|recall|ndcg_cut|map_cut|success|relative_P|set|num|iprec_at_recall|utility|ndcg_rel|ndcg_exp|Rprec_mult|"
    r"Rprec_mult_avgjg|P_avgjg|prefs|relstring)_.*"
)
_IR_MEASURES = re.compile(r"[A-Za-z][A-Za-z_0-9+-]*(\(.*\))?(@\d+)?")


def spaced_format(name: str, parts: Sequence[list[str]]) -> str | None:
    """Recognise a format by its first lines; refuse runs and judgements."""
    first = parts[:200]
    if all(len(part) == 6 and part[1].upper() == "Q0" for part in first[:10]):
        if len({part[5] for part in first if len(part) == 6}) > 1 or re.search(r"@\d+$", first[0][5]):
            return "ranking"
        instead = f"evaluate it by judgements, given as {option('runs')}"
        ranking = f"if its third column names systems, say {option('format', 'ranking')}"
        fail(name, 1, f"this is a run, not a table of scores; {instead}; {ranking}")
    if all(len(part) == 4 and _is_value(part[3]) for part in first[:10]):
        return _of_four(name, [part for part in first if len(part) == 4])
    three = [part for part in parts if len(part) == 3]  # the reader refuses other lines
    if len(parts[0]) != 3 or 2 * len(three) <= len(parts):
        return None
    if not NUMBER.fullmatch(three[0][2]) and three[0][0] != "runid":
        return None
    if any(part[1] == "all" for part in three) or all(_TREC_EVAL.fullmatch(part[0]) for part in three):
        return "trec_eval"
    # There are many topics and few measures, and a measure is not a number.
    seconds = {part[1] for part in three}
    few = len(seconds) <= len({part[0] for part in three})
    if any(part[0] == "all" for part in three) or (few and all(map(_IR_MEASURES.fullmatch, seconds))):
        return "ir_measures"
    either = f"{option('format', 'trec_eval')} or {option('format', 'ir_measures')}"
    return fail(name, 1, f"is this the output of trec_eval or of ir_measures? say so with {either}")


def _is_value(text: str) -> bool:
    return NUMBER.fullmatch(text) is not None or text.lower() in ("none", "nan")


def _are_measures(labels: Sequence[str]) -> bool:
    kinds = set(labels)
    return all(map(_IR_MEASURES.fullmatch, kinds)) and not is_numbered(sorted(kinds)) and "all" not in kinds


def _of_four(name: str, parts: Sequence[list[str]]) -> str:
    second, third = [part[1] for part in parts], [part[2] for part in parts]
    whole = all(re.fullmatch(r"-?\d+", part[3]) for part in parts)
    if whole and all(re.fullmatch(r"\d+|Q0", text, re.IGNORECASE) for text in second):
        instead = f"judgements need the runs that they judge, given as {option('runs')}"
        fail(name, 1, f"this looks like judgements (qrels), not a table of scores; {instead}")
    tot, other = _are_measures(second), _are_measures(third)
    if tot != other:
        return "tot" if tot else "ir_measures4"
    if len(set(second)) != len(set(third)) and "all" in (*second, *third):
        return "tot" if "all" in third else "ir_measures4"
    either = f"{option('format', 'tot')} or {option('format', 'ir_measures4')}"
    show = "run, measure, topic, value or run, topic, measure, value"
    return fail(name, 1, f"are these lines of {show}? {shown(' '.join(parts[0]))}; say so with {either}")


def read_spaced(source: Source, text: str, format: str) -> Iterator[Row]:
    """Read lines of a format."""
    name, columns = name_of(source), SPACED[format].columns
    for line, content in enumerate(text.split("\n"), 1):
        parts = content.split()
        if not parts or parts[0].startswith("#"):
            continue
        if len(parts) != len(columns):
            found = f"expected {len(columns)} columns, found {len(parts)}: {shown(content.strip())}"
            fail(name, line, f"{found}; mend the line")
        cells = dict(zip(columns, parts, strict=True))
        value = number(name, line, cells["value"], f"system {shown(cells['system'])}")
        yield cells.get("measure", stem_of(source)), cells["topic"], cells["system"], value
