"""The names of measures in trec_eval, and the same measures in ir_measures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

__all__ = ["ir_measures_name", "is_measure_name", "near_names"]

_ALONE = {
    "map": "AP",
    "ndcg": "nDCG",
    "recip_rank": "RR",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "infAP": "infAP",
    "set_P": "SetP",
    "set_recall": "SetR",
    "set_map": "SetAP",
    "set_F": "SetF",
    "set_relative_P": "SetP(relative=True)",
    "num_q": "NumQ",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRet(rel=1)",
}
_AT_RANK = {"map_cut": "AP", "ndcg_cut": "nDCG", "P": "P", "recall": "R", "success": "Success"}

# trec_eval prints P_10, and takes P.10 as an option.
_RANK = re.compile(rf"({'|'.join(_AT_RANK)})[_.]0*([1-9]\d{{0,8}})", re.ASCII)
_RECALL = re.compile(r"iprec_at_recall[_.](0?\.\d{1,9}|[01](?:\.0{0,9})?)", re.ASCII)


def ir_measures_name(text: str) -> str | None:
    """Return the name that ir_measures has for a measure of trec_eval, None for any other text.

    Examples
    --------
    >>> ir_measures_name("ndcg_cut_10"), ir_measures_name("iprec_at_recall_0.10"), ir_measures_name("nDCG@10")
    ('nDCG@10', 'IPrec@0.1', None)
    """
    if text in _ALONE:
        return _ALONE[text]
    rank, recall = _RANK.fullmatch(text), _RECALL.fullmatch(text)
    if rank is not None:
        return f"{_AT_RANK[rank[1]]}@{rank[2]}"
    return None if recall is None else f"IPrec@{float(recall[1])}"


# The families of ir_measures; a single letter needs a cutoff, because it may be the name of a system.
_FAMILY = re.compile(
    r"(?:(?:M?AP|GMAP|n?DCG|ndcg|SDCG|M?RR|n?ERR|RBP|n?NRBP|Rprec|RPrec|Bpref|BPref|infAP|Success|Judged|IPrec|"
    r"INST|INSQ|BPM|Compat|Set(?:P|R|F|AP)|Num(?:Q|Ret|Rel|RelRet)|Accuracy|alpha_n?DCG|(?:AP|n?ERR|P)_IA|STREC)"
    r"(?:\([^()]{0,60}\))?(?:[@_]?\d{1,9})?|[PR](?:\([^()]{0,60}\))?[@_]\d{1,9})",
    re.ASCII | re.IGNORECASE,
)


def is_measure_name(text: str) -> bool:
    """Say whether a text names a measure, as trec_eval or ir_measures call it.

    Examples
    --------
    >>> [is_measure_name(text) for text in ("nDCG@10", "P_10", "map", "bm25", "P")]
    [True, True, True, False, False]
    """
    return ir_measures_name(text) is not None or _FAMILY.fullmatch(text) is not None


def near_names(text: str, known: Mapping[str, str]) -> Iterator[str]:
    """Yield names of ir_measures that may be meant by a text, the nearest first.

    `known` maps the names of ir_measures to the usual ones: ``{"MAP": "AP"}``. Case, punctuation and the form
    of a cutoff are ignored.
    """
    import difflib

    form = re.fullmatch(r"\s*(.*?[^\W\d])[\W_]*(\d+(?:\.\d+)?)?\s*", text[:100])
    if form is None:
        return
    usual = {_letters(name): own for name, own in known.items()}
    usual |= {_letters(name): own for name, own in (*_ALONE.items(), *_AT_RANK.items())}
    usual |= {"iprecatrecall": "IPrec", "meanaverageprecision": "AP", "averageprecision": "AP"}
    for near in difflib.get_close_matches(_letters(form[1]), usual, n=3, cutoff=0.6):
        if form[2] is not None:
            yield f"{usual[near]}@{form[2]}"
        yield usual[near]
        yield from (f"{usual[near]}@{cutoff}" for cutoff in ("10", "0.1"))


def _letters(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalpha())
