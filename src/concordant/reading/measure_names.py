"""The names of measures in trec_eval, and the same measures in ir_measures."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable
from typing import Any, TypeAlias

from concordant.errors import ArgumentError, ArgumentTypeError, missing_library, option
from concordant.reading.own_measures import ALWAYS_OWN, supported_own

_TREC_EVAL = """map:AP ndcg:nDCG recip_rank:RR Rprec:Rprec bpref:Bpref infAP:infAP set_P:SetP set_recall:SetR
    set_map:SetAP set_F:SetF set_relative_P:SetP(relative=True) num_q:NumQ num_ret:NumRet num_rel:NumRel
    num_rel_ret:NumRet(rel=1)"""
_ALONE = dict(pair.split(":") for pair in _TREC_EVAL.split())
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


# Other spellings, without punctuation; some only with a cutoff.
_SPELLINGS = "ndcg:nDCG map:AP ap:AP mrr:RR rr:RR reciprank:RR rprec:Rprec"
_USUAL = dict(pair.split(":") for pair in _SPELLINGS.split())
_WITH_CUTOFF = {"p": "P", "prec": "P", "precision": "P", "r": "R", "recall": "R", "success": "Success"}
_SPELLED = re.compile(r"([a-z]+(?:[_ -][a-z]+)*)(?:[@_.]0*([1-9]\d{0,8}))?", re.ASCII | re.IGNORECASE)


def usual_name(text: str) -> str | None:
    """Return the name that ir_measures has for a measure, however it is spelled; None if it is not known.

    Examples
    --------
    >>> [usual_name(text) for text in ("ndcg@10", "MRR", "precision_10", "ndcg_cut_10", "recall", "rubric")]
    ['nDCG@10', 'RR', 'P@10', 'nDCG@10', None, None]
    """
    form = _SPELLED.fullmatch(text)
    if (known := ir_measures_name(text)) is not None or form is None:
        return known
    own = (_USUAL if form[2] is None else _USUAL | _WITH_CUTOFF).get(_letters(form[1]))
    return own if own is None or form[2] is None else f"{own}@{form[2]}"


# The families of ir_measures; a single letter needs a cutoff, because it may be the name of a system.
_FAMILY = re.compile(
    r"(?:(?:M?AP|GMAP|n?DCG|ndcg|SDCG|M?RR|n?ERR|RBP|n?NRBP|Rprec|RPrec|Bpref|BPref|infAP|Success|Judged|IPrec|"
    r"INST|INSQ|BPM|Compat|Set(?:P|R|F|AP)|Num(?:Q|Ret|Rel|RelRet)|Accuracy|alpha_n?DCG|(?:AP|n?ERR|P)_IA|STREC)"
    r"(?:\([^()]{0,60}\))?(?:[@_]?\d{1,9})?|[PR](?:\([^()]{0,60}\))?[@_]\d{1,9})",
    re.ASCII | re.IGNORECASE,
)


def is_measure_name(text: str) -> bool:
    """Return whether a text names a measure, as trec_eval or ir_measures call it.

    Examples
    --------
    >>> [is_measure_name(text) for text in ("nDCG@10", "P_10", "map", "bm25", "P")]
    [True, True, True, False, False]
    """
    return ir_measures_name(text) is not None or _FAMILY.fullmatch(text) is not None


def _letters(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalpha())


MeasuresLike: TypeAlias = Any
"""The name of a measure, such as ``"nDCG@10"`` or trec_eval's ``"ndcg_cut_10"``, a measure of ir_measures, or
a list of these."""

_DEEPEST = 1_000_000

# The errors of ir_measures for a name that it cannot read.
_UNREADABLE = (ValueError, SyntaxError, AssertionError, KeyError, AttributeError, TypeError)


def ir_measures() -> Any:
    """Return the library, which is optional."""
    try:
        import ir_measures as library
    except ImportError:
        raise missing_library("evaluating runs", "ir_measures", "trec") from None
    return library


def measures_of(measures: MeasuresLike) -> list[Any]:
    """Return the measures of ir_measures, without repetitions; each can be computed here."""
    library = ir_measures()
    alone = isinstance(measures, str | library.Measure) or not isinstance(measures, Iterable)
    given = [measures] if alone else list(measures)
    if not given:
        raise ArgumentError("no measures were given; name at least one, such as AP")
    found = []
    for each in given:
        if not isinstance(each, str | library.Measure):
            raise ArgumentTypeError(
                f"{option('measures')} must be names of ir_measures, such as 'nDCG@10', or its measures, "
                f"got {each!r}"
            )
        measure = _parsed(library, each) if isinstance(each, str) else each
        found.append(_supported(library, str(each), measure))
    return list(dict.fromkeys(found))


def _parsed(library: Any, name: str) -> Any:
    try:
        return _read(library, usual_name(name) or name)
    except NameError:
        near = _near(library, name)
        hint = f"did you mean {near}?" if near else "see the names in the documentation of ir_measures"
        raise ArgumentError(f"there is no measure {name!r}; {hint}") from None
    except _UNREADABLE:
        raise ArgumentError(
            f"cannot read the measure {name!r}; write it as in AP, P@10, nDCG@10 or RBP(p=0.95)"
        ) from None


def _read(library: Any, text: str) -> Any:
    """Do the same as `ir_measures.parse_measure`, which asks for classes that Python 3.14 no longer has."""
    import ast

    def value(node: ast.expr | None) -> Any:
        match node:
            case ast.Constant(value=int() | float() | str() | None as constant):
                return constant
            case ast.Dict(keys, values):
                return dict(zip(map(value, keys), map(value, values), strict=True))
        raise ValueError("not a value")

    node = ast.parse(text, mode="eval").body
    cutoff, parameters = None, dict[str, Any]()
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        cutoff, node = value(node.right), node.left
    if isinstance(node, ast.Call) and not node.args:
        parameters = {str(each.arg): value(each.value) for each in node.keywords}
        node = node.func
    if not isinstance(node, ast.Name):
        raise TypeError("not a measure")
    if node.id not in library.measures.registry:
        raise NameError(node.id)
    measure = library.measures.registry[node.id]
    if cutoff is not None:
        parameters[measure.AT_PARAM] = cutoff
    return measure(**parameters)


def _near(library: Any, name: str) -> str | None:
    """Return the name of a similar measure that can be computed, with the same cutoff if there is one."""
    import difflib

    form = re.fullmatch(r"\s*(.*?[^\W\d])[\W_]*(\d+(?:\.\d+)?)?\s*", name[:100])
    own = [f"@{form[2]}"] if form and form[2] else []
    usual = {_letters(alias): str(measure) for alias, measure in library.measures.registry.items()}
    usual |= {_letters(alias): own for alias, own in (*_ALONE.items(), *_AT_RANK.items())}
    usual |= {"iprecatrecall": "IPrec", "meanaverageprecision": "AP", "averageprecision": "AP"}
    for near in difflib.get_close_matches(_letters(form[1]), usual, n=3, cutoff=0.6) if form else ():
        for cutoff in (*own, "", "@10", "@0.1"):
            with contextlib.suppress(ArgumentError, NameError, *_UNREADABLE):
                found = usual[near] + cutoff
                _supported(library, found, _read(library, found))
                return found
    return None


def _supported(library: Any, name: str, measure: Any) -> Any:
    """Return the measure in the form that a provider computes."""
    for key in ("cutoff", "rel"):
        number = measure.params.get(key, 1)
        if not isinstance(number, int | float) or not 1 <= number <= _DEEPEST:  # of grades, see qrels.py
            raise ArgumentError(f"{name!r}: the cutoff and rel must be from 1 to {_DEEPEST}")
    gains = measure.params.get("gains", {})
    numbers = [*gains, *gains.values()] if isinstance(gains, dict) else [None]
    if not all(isinstance(number, int) and abs(number) <= _DEEPEST for number in numbers):
        raise ArgumentError(f"{name!r}: gains must map grades to gains, whole numbers up to {_DEEPEST}")
    if measure.NAME in ALWAYS_OWN:
        return supported_own(name, measure)
    try:
        library.evaluator([measure], {"1": {"d": 1}})
    except KeyError as error:
        raise ArgumentError(f"the measure {name!r} has no parameter {error}") from None
    except (ValueError, RuntimeError, AssertionError):
        if "cutoff" in measure.SUPPORTED_PARAMS and "cutoff" not in measure.params:
            with_cutoff = _supported(library, name, measure @ 10)
            raise ArgumentError(f"{name!r} needs a cutoff, as in {with_cutoff}") from None
        raise ArgumentError(
            f"{name!r} cannot be computed by what is installed; see the providers in the documentation of "
            "ir_measures"
        ) from None
    return measure
