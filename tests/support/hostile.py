"""Names that a terminal, a spreadsheet, a page, a drawing library or a file system stumbles over.

The same list is tried for systems, judges, measures, topics and files.
"""

from __future__ import annotations

__all__ = ["HOSTILE", "HOSTILE_FILES"]

HOSTILE = (
    # Properties of every object of JavaScript.
    "toString",
    "constructor",
    "__proto__",
    "hasOwnProperty",
    # HTML, scripts, links.
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onload='alert(1)",
    "</td></table><b>",
    "<!--",
    "${alert(1)}",
    "[click](javascript:alert(1))",
    "![p](x)",
    # Formulas of spreadsheets, commands of LaTeX, marks of Markdown.
    "=cmd|' /C calc'!A0",
    "-2",
    "+1+1",
    "@SUM(A1)",
    "'=quoted",
    "$\\input{/etc/passwd}$ %",
    "`code` *bold* | cell",
    # Quotes, lines, control characters, and what turns the direction of writing.
    "it's \\ \" `${x}`",
    "two\nlines",
    "a\rb\tc",
    "\x1b]0;X\x07\x1b[2J",
    "\x9b31m",
    "\x01zero",
    "\u202egnp.exe",
    "".join(map(chr, range(0x7F, 0xA0))),
    "a\u202a\u202b\u202c\u202db\u2066\u2067\u2068\u2069",
    "\\x1b[2J",
    "'\\n",
    "＝1+1",
    "line\u2028separator",
    "a · b",
    # Other scripts, emoji, long names that differ in the middle.
    "名前",
    "שלום עולם",
    "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER} \N{PARTY POPPER}",
    "\N{GRINNING FACE}" * 60,
    "x" * 150 + "y" * 150,
    "x" * 300,
)
# Those that can be the name of a file.
HOSTILE_FILES = tuple(name for name in HOSTILE if "/" not in name and len(name.encode()) < 200)
