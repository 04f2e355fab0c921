"""Make files of figures reproducible: the same chart gives the same bytes."""

from __future__ import annotations

import re
import struct
import zlib

__all__ = ["same_pdf", "same_svg", "smaller_png"]

_REFERENCE = re.compile(rb"\b(\d+) 0 R\b")


def same_svg(svg: str) -> str:
    """Give gradients and clips numbers from 0; Vega counts them over all charts of the process."""
    numbers: dict[tuple[str, str], int] = {}

    def again(found: re.Match[str]) -> str:
        before, kind, number = found.groups()
        return f"{before}{kind}{numbers.setdefault((kind, number), len(numbers))}"

    def in_tag(tag: re.Match[str]) -> str:
        return re.sub(r'(id="|url\(#)(gradient_|clip)(\d+)(?=["\)])', again, tag[0])

    return re.sub(r"<[^<>]*>", in_tag, svg)


def smaller_png(png: bytes) -> bytes:
    """Compress the pixels again; vl-convert is fast, but its files are three times as large."""
    start, chunks, pixels = 8, [], b""
    while start < len(png):
        (size,) = struct.unpack_from(">I", png, start)
        kind, content = png[start + 4 : start + 8], png[start + 8 : start + 8 + size]
        if kind == b"IDAT":
            pixels += content
        else:
            chunks.append((kind, content))
        start += 12 + size
    chunks.insert(-1, (b"IDAT", zlib.compress(zlib.decompress(pixels), 9)))  # before the end
    return png[:8] + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    )


def same_pdf(pdf: bytes) -> bytes:
    """Sort and number the objects from the root; vl-convert writes fonts in a random order."""
    table = int(pdf[pdf.rindex(b"startxref") :].split()[1])
    header, trailer = pdf[: pdf.index(b"\n") + 1], pdf[pdf.rindex(b"trailer") :]
    entries = pdf[table:].split(b"trailer")[0].splitlines()[3:]  # after xref, its size, and the free entry
    starts = sorted((int(entry.split()[0]), number) for number, entry in enumerate(entries, 1))
    ends = [start for start, _ in starts[1:]] + [table]
    objects = {}
    for (start, number), end in zip(starts, ends, strict=True):
        head, stream, content = pdf[start:end].partition(b"\nstream\n")
        head = head.split(b" obj", 1)[1]
        objects[number] = (_sorted_entries(head), stream + content)
    order: dict[int, int] = {}  # old to new numbers
    left = _references(trailer)[::-1]
    while left:
        number = left.pop()
        if number not in order:
            order[number] = len(order) + 1
            left += _references(objects[number][0])[::-1]

    def renumbered(part: bytes) -> bytes:
        return _REFERENCE.sub(lambda found: b"%d 0 R" % order[int(found[1])], part)

    written, places = header, []
    for old, new in order.items():
        places.append(len(written))
        head, content = objects[old]
        written += b"%d 0 obj" % new + renumbered(head) + content
    lines = b"".join(b"%010d 00000 n\r\n" % place for place in places)
    last: bytes = re.sub(rb"/Size \d+", b"/Size %d" % (len(order) + 1), renumbered(trailer))
    last = re.sub(rb"startxref\s+\d+", b"startxref\n%d" % len(written), last)
    return written + b"xref\n0 %d\n0000000000 65535 f\r\n" % (len(order) + 1) + lines + last


def _references(part: bytes) -> list[int]:
    return [int(number) for number in _REFERENCE.findall(part)]


def _sorted_entries(head: bytes) -> bytes:
    """Sort the entries of dictionaries whose values are other objects."""
    return re.sub(
        rb"(?:\n *\/[\w.-]+ \d+ 0 R){2,}",
        lambda found: b"".join(sorted(re.findall(rb"\n[^\n]*", found[0]))),
        head,
    )
