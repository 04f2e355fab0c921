"""Find sentences of forms that readers must read twice, in documents, code and tests.

Each form has an example and what to write instead. `make check` runs this.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

# form: (an example, better)
FORMS = {
    r"\bthe more so\b": (
        "of 8 topics intervals are too narrow, the more so the more systems there are",
        "With only 8 topics these intervals are too narrow; use 20 or more.",
    ),
    r"\b(?:for )?the one, (?:and )?the other\b": (
        "One end of an interval is for the one, the other for the other.",
        "The lower end uses the linear model, the upper end the exponent 0.7.",
    ),
    r"\bits one \w+ (?:plus|and|with) that of the other\b": (
        "a pair weighs 1 / rank of its one item plus that of the other",
        "The weight of a pair is 1/rank_i + 1/rank_j.",
    ),
    r"""(?:^|["'])(?:Of|For) the [a-z]+[.](?=\s|["']|$)""": (
        "Of the intervals.",
        "Confidence level of the intervals.",
    ),
    r"\bas far as that is\b": (
        "Say what intervals are worth, as far as that is little.",
        "Return warnings about unreliable intervals.",
    ),
    r"\bas such, not\b": (
        "the sides have no topic in common, and were resampled as such, not in pairs",
        "The two sides share no topic, so their topics were resampled independently.",
    ),
    r"\bown affair\b": ("this is the function's own affair", "The function decides this."),
    r"\bdealt anew\b": ("the scores are dealt anew", "The scores are permuted."),
    r"\bhangs? on the\b": ("it hangs on the few items at the top", "It depends on the few items at the top."),
    r"\bitems? loses? \d": ("4 items lose 0.3333", "0.3333 below 1; the most costly of 6 pairs:"),
    r"\bas it were\b": ("a group is, as it were, one item", "A group counts as one item."),
    r"\blest\b": ("lest a file be lost", "so that no file is lost"),
    r"\bwhilst\b": ("whilst it runs", "while it runs"),
    r"\b(?:there|where|here)(?:of|in|by|upon|unto|with)\b": ("the range thereof", "its range"),
    r"\b[Hh]ence the\b": ("Hence the interval is wide.", "Therefore the interval is wide."),
    r"\b(?:upon|unto|hitherto|nay|aforementioned|aforesaid)\b": ("depends upon p", "depends on p"),
    r"\bnot un(?:like|common|usual|reasonable|important)\b": ("not unlike tau", "similar to tau"),
    r"\bin so far as\b": ("in so far as they differ", "if they differ"),
    r"\b[Uu]tili[sz]e[sd]?\b": ("it utilizes ranks", "it uses ranks"),
    r"\bin order to\b": ("in order to compare", "to compare"),
}
READ = [
    "*.md",
    "docs/*.md",
    "docs/[!_]*/**/*.md",
    "docs/_ext/*.py",
    "src/concordant/**/*.py",
    "tests/**/*.py",
    "changelog.d/*.md",
]
LEFT_OUT = {ROOT / "tests" / "docs" / "test_prose.py"}  # it has the examples


def faults(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line number and the words of each form that is found."""
    for number, line in enumerate(text.splitlines(), 1):
        for form in FORMS:
            found = re.search(form, line.strip().lstrip("# "))
            if found:
                yield number, found[0].strip()


def files() -> list[Path]:
    """Return the files that are read."""
    return sorted({path for pattern in READ for path in ROOT.glob(pattern)} - LEFT_OUT)


if __name__ == "__main__":
    lines = [
        f"{path.relative_to(ROOT)}:{number}: say this in plain words: {words!r}"
        for path in files()
        for number, words in faults(path.read_text(encoding="utf-8"))
    ]
    sys.exit("\n".join(lines) or 0)
