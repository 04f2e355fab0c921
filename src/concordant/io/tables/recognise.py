"""The format of a text, found from its first lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from concordant.errors import fail, option
from concordant.io.files import NUMBER, shown
from concordant.io.tables.cells import delimiter, split
from concordant.scores import find_columns, is_column

__all__ = ["recognise"]

# What the two programs call measures.
_TREC_EVAL = re.compile(
    r"(gm_)?(map|bpref|infAP|ndcg|Rprec|Rndcg|recip_rank|G|binG|yaap|11pt_avg|runid)|map_avgjg|"
    r"(P|recall|ndcg_cut|map_cut|success|relative_P|set|num|iprec_at_recall|utility|ndcg_rel|ndcg_exp|Rprec_mult|"
    r"Rprec_mult_avgjg|P_avgjg|prefs|relstring)_.*"
)
_IR_MEASURES = re.compile(r"[A-Za-z][A-Za-z_0-9]*(\(.*\))?(@\d+)?")


def recognise(name: str, text: str, columns: Mapping[str, str]) -> str:
    """Return the format of a text: wide, long, trec_eval, ir_measures or jsonl."""
    lines = [line for line in text.split("\n") if line.strip()]
    if lines[0].lstrip().startswith("{"):
        return "jsonl"
    mark = delimiter(lines)
    rows = split(lines, mark) if mark is not None else []
    header = rows[0] if rows else []
    if (columns and header) or find_columns(header, {}) is not None:
        return "long"
    if header and is_column(header[0], "topic"):
        return "wide"
    parts = [line.split() for line in lines]
    if all(len(part) == 6 and part[1].upper() == "Q0" for part in parts[:10]):
        instead = f"evaluate it by judgements, given as {option('runs')}"
        fail(name, 1, f"this is a run, not a table of scores; {instead}")
    if mark not in (",", ";"):
        found = _by_spaces(name, parts)
        if found is not None:
            return found
    if mark is not None or (len(lines) > 1 and all(NUMBER.fullmatch(line.strip()) for line in lines[1:])):
        return "wide"  # without a mark, of one system
    return fail(
        name, 1, f"cannot tell the format of {shown(lines[0].strip())}; give it with {option('format')}"
    )


def _by_spaces(name: str, parts: Sequence[list[str]]) -> str | None:
    """Recognise what is cut by spaces or tabs: the output of the two programs; refuse judgements."""
    if all(len(part) == 4 and NUMBER.fullmatch(part[3]) for part in parts[:10]):
        instead = f"judgements need the runs that they judge, given as {option('runs')}"
        fail(name, 1, f"this looks like judgements (qrels), not a table of scores; {instead}")
    three = [part for part in parts if len(part) == 3]  # the others are for the reader to refuse
    if len(parts[0]) != 3 or 2 * len(three) <= len(parts):
        return None
    if not NUMBER.fullmatch(three[0][2]) and three[0][0] != "runid":
        return None
    if any(part[1] == "all" for part in three) or all(_TREC_EVAL.fullmatch(part[0]) for part in three):
        return "trec_eval"
    # Topics are many, measures few; a measure is no number.
    seconds = {part[1] for part in three}
    few = len(seconds) <= len({part[0] for part in three})
    if any(part[0] == "all" for part in three) or (few and all(map(_IR_MEASURES.fullmatch, seconds))):
        return "ir_measures"
    either = f"{option('format', 'trec_eval')} or {option('format', 'ir_measures')}"
    return fail(name, 1, f"is this the output of trec_eval or of ir_measures? say so with {either}")
