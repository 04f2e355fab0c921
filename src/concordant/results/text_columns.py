"""Text that fits a terminal: paragraphs, and tables wrapped by whole columns. Digits are never cut."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

PLAIN = "\033[0m"  # the end of a colour
_GAP = 2  # blanks between columns
_LEAST = 8  # no name is made shorter
_GOOD = 32  # names this long are still easy to recognise, so that they may be cut to avoid a second block


def display_width(text: str) -> int:
    """Return the width of a text in a terminal: wide characters take two columns, combining ones none."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _fill(text: str, width: int, right: bool = False) -> str:
    blanks = " " * (width - display_width(text))
    return blanks + text if right else text + blanks


def _start(text: str, width: int) -> str:
    """Return as many first characters as fit."""
    used = 0
    for i, character in enumerate(text):
        used += _columns(character)
        if used > width:
            return text[:i]
    return text


def _end(text: str, width: int) -> str:
    """Return as many last characters as fit; the first is not a combining one."""
    used, i = 0, len(text)
    while i and (used := used + _columns(text[i - 1])) <= width:
        i -= 1
    while i < len(text) and not _columns(text[i]):
        i += 1
    return text[i:]


def wrapped(text: str, width: int | None, indent: str = "") -> list[str]:
    """Return the lines of a paragraph, indented after the first. Only words that are too long are cut.

    Examples
    --------
    >>> wrapped("- a note of some words", 12, "  ")
    ['- a note of', '  some words']
    """
    if width is None or display_width(text) <= width:
        return [text]
    room = max(width - len(indent), 1)
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if display_width(longer) <= (room if lines else width):
            line = longer
            continue
        if display_width(word) <= room:
            lines, line = [*lines, line], word
            continue
        line = longer  # a word that is too long for any line begins in the present line
        while display_width(line) > (space := room if lines else width):
            first = _start(line, space) or line[0]
            lines.append(first)
            line = line[len(first) :]
    lines += [line] if line or not lines else []
    return [lines[0], *(indent + each for each in lines[1:])]


def shortened(names: Sequence[str], width: int) -> list[str]:
    """Shorten names in the middle. Different names stay different, even if they must be longer than `width`.

    Examples
    --------
    >>> shortened(["neural-very-long-v1", "neural-very-long-v2", "bm25"], 9)
    ['neur…g-v1', 'neur…g-v2', 'bm25']
    """
    known = dict.fromkeys(names)
    longest = max(map(display_width, known), default=0)
    for room in range(max(width, _LEAST), longest):
        # Names may differ at the beginning or at the end.
        for share in (0.5, 0.75, 0.25):
            short = {name: _short(name, room, share) for name in known}
            if len(set(short.values())) == len(known):
                return [short[name] for name in names]
        short = _told_apart(known, room)
        if len(set(short.values())) == len(known):
            return [short[name] for name in names]
    return list(names)


def _told_apart(names: Iterable[str], width: int) -> dict[str, str]:
    """Shorten names; if two would be equal, also show the part from which they differ."""
    alike: dict[str, list[str]] = {}
    for name in names:
        alike.setdefault(_short(name, width, 0.5), []).append(name)
    found = {}
    third = (width - 2) // 3
    for short, group in alike.items():
        differ = (i for i, each in enumerate(zip(*group, strict=False)) if len(set(each)) > 1)
        place = next(differ, min(map(len, group)))
        for name in group:
            inside = f"{_start(name, third)}…{_start(name[place:], third)}…{_end(name, third)}"
            found[name] = inside if len(group) > 1 else short
    return found


def _short(name: str, width: int, share: float) -> str:
    if display_width(name) <= width:
        return name
    start = _start(name, round((width - 1) * share))
    return f"{start}…{_end(name, width - 1 - display_width(start))}"


def aligned(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Collection[int] = (),
    whole: Collection[int] = (),
    width: int | None = None,
    keys: int = 1,
    sections: Mapping[int, str] | None = None,
    paint: Mapping[int, str] | None = None,
) -> str:
    """Return a table as aligned columns.

    Parameters
    ----------
    header, rows : list
        The cells, as text.
    right : collection of int
        The columns that are aligned right.
    whole : collection of int
        The columns that hold numbers. Their cells are never cut.
    width : int, optional
        The width of a line. A wider table becomes blocks of whole columns, one below the other.
    keys : int, default 1
        How many of the first columns every block repeats. If they do not identify the rows, the rows are
        numbered, and every block repeats the numbers.
    sections : mapping of int to str, optional
        Headings above some rows.
    paint : mapping of int to str, optional
        The colours of some rows, as a terminal is told.
    """
    lines: list[list[str]] = [list(header), *map(list, rows)]
    sizes = _sizes(lines)
    if width is None or _total(sizes) <= width:
        return _block(lines, sizes, right, range(len(sizes)), sections, paint)
    floors = [_floor(lines, c, c in whole, _LEAST) for c in range(len(sizes))]
    keys = _keys_that_fit(floors, keys, width)
    limits = _shrunk(sizes, [_floor(lines, c, c in whole, _GOOD) for c in range(len(sizes))], width)
    if _total(limits) > width:
        limits = _limits(sizes, floors, keys, width)
    before = [list(line) for line in lines]
    _shorten(lines, limits)
    words = [max(_longest_word(line[c]) for line in lines) for c in range(len(sizes))]
    sizes = [min(s, max(limits[c], words[c])) for c, s in enumerate(_sizes(lines))]
    folded = [[part for line in lines for part in wrapped(line[c], s)] for c, s in enumerate(sizes)]
    sizes = [max(map(display_width, parts)) for parts in folded]
    blocks = list(_blocks(sizes, keys, width))
    if len(blocks) > 1 and len({tuple(line[:keys]) for line in before[1:]}) < len(rows):
        numbered = [[str(r), *row] for r, row in enumerate(rows, 1)]
        beside, numbers = ({0, *(c + 1 for c in each)} for each in (right, whole))
        return aligned(["#", *header], numbered, beside, numbers, width, 1, sections, paint)
    text = "\n\n".join(_block(lines, sizes, right, block, sections, paint) for block in blocks)
    if lines == before:
        return text
    return "\n".join([text, "", *wrapped("(… stands for the middle of a long name)", width)])


def _longest_word(text: str) -> int:
    return max(map(display_width, text.split(" ")))


def _sizes(lines: Sequence[Sequence[str]]) -> list[int]:
    return [max(display_width(line[c]) for line in lines) for c in range(len(lines[0]))]


def _total(sizes: Sequence[int]) -> int:
    return sum(sizes) + _GAP * (len(sizes) - 1)


def _keys_that_fit(floors: Sequence[int], keys: int, width: int) -> int:
    """Return how many keys fit in half of the width: at least one, and one other column must remain."""
    keys = min(keys, len(floors) - 1)
    while keys > 1 and _total(floors[:keys]) > width // 2:
        keys -= 1
    return keys


def _floor(lines: Sequence[Sequence[str]], c: int, number: bool, least: int) -> int:
    """Return the smallest width of a column: that of its numbers and of the words of its head."""
    size = max((display_width(line[c]) for line in lines[1:]), default=0)
    return max(size if number else min(size, least), min(_longest_word(lines[0][c]), _GOOD))


def _shrunk(sizes: Sequence[int], floors: Sequence[int], width: int) -> list[int]:
    """Return sizes that fit, if the floors allow it; the widest columns shrink first."""
    sizes = list(sizes)
    while _total(sizes) > width:
        wide = [c for c in range(len(sizes)) if sizes[c] > floors[c]]
        if not wide:
            break
        sizes[max(wide, key=sizes.__getitem__)] -= 1
    return sizes


def _limits(sizes: Sequence[int], floors: Sequence[int], keys: int, width: int) -> list[int]:
    """Return how wide each column may be, so that the keys and any one other column fit."""
    of_keys = min(_total(sizes[:keys]), width // 2) + _GAP if keys else 0
    rest = [_shrunk([s], [f], width - of_keys)[0] for s, f in zip(sizes[keys:], floors[keys:], strict=True)]
    return [*_shrunk(sizes[:keys], floors[:keys], width - _GAP - max(rest)), *rest]


def _shorten(lines: list[list[str]], limits: Sequence[int]) -> None:
    """Shorten names that do not fit. The names of a column are shortened together, so that they differ.

    Cells whose words fit are not changed, and take several lines.
    """
    header, *rows = lines
    for c, limit in enumerate(limits):
        if any(_longest_word(row[c]) > limit for row in rows):
            for row, cell in zip(rows, shortened([row[c] for row in rows], limit), strict=True):
                row[c] = cell
    long = [c for c, head in enumerate(header) if _longest_word(head) > limits[c]]
    shorter = shortened([header[c] for c in long], min((limits[c] for c in long), default=0))
    for c, head in zip(long, shorter, strict=True):
        header[c] = head


def _blocks(sizes: Sequence[int], keys: int, width: int) -> Iterator[list[int]]:
    block = list(range(keys))
    for c in range(keys, len(sizes)):
        if len(block) > keys and _total([sizes[i] for i in [*block, c]]) > width:
            yield block
            block = list(range(keys))
        block.append(c)
    yield block


def _block(
    lines: Sequence[Sequence[str]],
    sizes: Sequence[int],
    right: Collection[int],
    columns: Sequence[int],
    sections: Mapping[int, str] | None,
    paint: Mapping[int, str] | None,
) -> str:
    """Return some columns; a cell wider than its column takes several lines."""
    header, *rows = lines

    def written(line: Sequence[str], colour: str = "") -> Iterator[str]:
        cells = {c: wrapped(line[c], sizes[c]) for c in columns}
        for i in range(max(map(len, cells.values()))):
            filled = (_fill(cells[c][i] if i < len(cells[c]) else "", sizes[c], c in right) for c in columns)
            yield colour + (" " * _GAP).join(filled).rstrip() + (PLAIN if colour else "")

    rule = (" " * _GAP).join("-" * sizes[c] for c in columns)
    found = [*written(header), rule]
    for r, row in enumerate(rows):
        found += [f"-- {sections[r]} --"] if sections and r in sections else []
        found += written(row, (paint or {}).get(r, ""))
    return "\n".join(found)
