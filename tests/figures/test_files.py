"""Files of figures: valid, and without what changes from drawing to drawing."""

from __future__ import annotations

import re
import struct
import zlib

import pytest

from concordant.figures.draw import same_pdf, same_svg, smaller_png

HEADER = b"%PDF-1.7\n"
OBJECTS = {
    1: b"1 0 obj\n<<\n  /Type /Catalog\n  /Pages 2 0 R\n>>\nendobj\n\n",
    2: b"2 0 obj\n<<\n  /b 4 0 R\n  /a 3 0 R\n  /Kids [3 0 R]\n>>\nendobj\n\n",
    3: b"3 0 obj\n<<\n  /Length 14\n>>\nstream\n4 0 R endobj\n\nendstream\nendobj\n\n",
    4: b"4 0 obj\n<<\n  /Font /Bold\n>>\nendobj\n\n",
}


def pdf(order, objects=OBJECTS):
    """Write objects in an order, as vl-convert does."""
    content, places = HEADER, {}
    for number in order:
        places[number] = len(content)
        content += objects[number]
    table = b"".join(b"%010d 00000 n\r\n" % places[number] for number in sorted(places))
    start = len(content)
    content += b"xref\n0 %d\n0000000000 65535 f\r\n" % (len(places) + 1) + table
    return content + b"trailer\n<<\n  /Size 5\n  /Root 1 0 R\n>>\nstartxref\n%d\n%%%%EOF" % start


def read(content):
    """Return the objects of a pdf by number, found as its table says."""
    table = int(re.search(rb"startxref\n(\d+)\n%%EOF$", content)[1])
    assert content[table:].startswith(b"xref\n")
    entries = content[table:].split(b"trailer")[0].split(b"\r\n")[:-1]
    places = [int(entry[:10]) for entry in entries[1:]]
    return [content[place : place + 7] for place in places]


def test_pdf_does_not_depend_on_the_order_of_its_objects():
    """Files that hold the same objects in another order become the same."""
    made = {same_pdf(pdf(order)) for order in ([1, 2, 3, 4], [4, 1, 3, 2], [2, 4, 3, 1])}
    assert len(made) == 1


def test_pdf_does_not_depend_on_the_numbers_of_its_objects():
    """Files whose objects have other numbers become the same."""
    other = {3: 4, 4: 3}
    renumbered = {}
    for number, content in OBJECTS.items():
        head, stream, rest = content.partition(b"stream\n4")
        head = re.sub(rb"\b([34])( 0 (?:R|obj))", lambda m: b"%d" % other[int(m[1])] + m[2], head)
        renumbered[other.get(number, number)] = head + stream + rest
    assert same_pdf(pdf([1, 2, 3, 4], renumbered)) == same_pdf(pdf([1, 2, 3, 4]))


def test_pdf_stays_valid():
    """The table says where each object is, and what is within a stream does not change."""
    content = same_pdf(pdf([4, 3, 2, 1]))
    assert read(content) == [b"%d 0 obj" % number for number in (1, 2, 3, 4)]
    assert b"stream\n4 0 R endobj\n\nendstream" in content
    assert b"/a 3 0 R\n  /b 4 0 R" in content
    assert same_pdf(content) == content


def test_svg_counts_from_zero():
    """Numbers that Vega counts on from chart to chart start again, and text stays as it is."""
    text = '<text>url(#gradient_7) id="clip3"</text>'
    svg = f'<g fill="url(#gradient_7)"/>{text}<a id="gradient_7"/><b id="clip3"/>'
    assert same_svg(svg) == f'<g fill="url(#gradient_0)"/>{text}<a id="gradient_0"/><b id="clip1"/>'


def chunk(kind, content):
    """Return a part of a png file."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


@pytest.mark.parametrize("parts", [1, 3])
def test_png_becomes_smaller_and_keeps_its_pixels(parts):
    """The pixels, which may be in several parts, are the same after."""
    pixels = b"".join(b"\0" + bytes(300) for _ in range(100))
    packed = zlib.compress(pixels, 0)
    step = -(-len(packed) // parts)
    data = b"".join(chunk(b"IDAT", packed[i : i + step]) for i in range(0, len(packed), step))
    head = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 100, 100, 8, 2, 0, 0, 0))
    smaller = smaller_png(head + data + chunk(b"IEND", b""))
    assert len(smaller) < len(packed) / 10
    (size,) = struct.unpack_from(">I", smaller, len(head))
    assert zlib.decompress(smaller[len(head) + 8 : len(head) + 8 + size]) == pixels
    assert smaller == head + chunk(b"IDAT", zlib.compress(pixels, 9)) + chunk(b"IEND", b"")
