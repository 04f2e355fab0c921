"""Reading takes linear time and bounded memory, whatever the file holds."""

import contextlib
import gzip
import io
import time
import zipfile
from typing import get_args

import numpy as np
import pyarrow as pa
import pytest
import xlsxwriter
from pyarrow import feather, parquet

import concordant as cd
from concordant.questions import grouped as questions_grouped
from concordant.reading.read_scores import Format
from concordant.reading.text_tables import read_pairs


def _seconds(read):
    start = time.process_time()
    with contextlib.suppress(cd.InputError):
        read()
    return time.process_time() - start


LONG = {
    "digits and a letter": lambda n: f"topic,a,b\n1,{'1' * n}x,2\n",
    "digits, a point and a letter": lambda n: f"topic,a,b\n1,{'1' * n}.{'1' * n}x,2\n",
    "zeros in judgements": lambda n: f"1 0 d {'0' * n}x\n",
    "zeros in a run": lambda n: f"1 Q0 d 1 {'0' * n}x tag\n",
    "signs": lambda n: f"topic,a,b\n1,{'-' * n},2\n",
    "an exponent": lambda n: f"topic,a,b\n1,1e{'9' * n},2\n",
    "a wide header": lambda n: (
        "topic," + ",".join(f"s{k}" for k in range(n)) + "\n1," + ",".join(["0.5"] * n) + "\n"
    ),
    "a wide header, twice the same": lambda n: (
        "topic," + ",".join(["s"] * n) + "\n1," + ",".join(["1"] * n) + "\n"
    ),
    "a long header": lambda n: ",".join(["measure", "topic", "system", "value"] * (n // 4)) + "\n",
    "quotes": lambda n: 'topic,a\n"' + '""' * n + "\n",
    "spaces": lambda n: "topic,a\n" + " " * n + "x,1\n",
    "many blank lines first": lambda n: "\n" * (2 * n) + "topic,a,b\n1,2,3\n",
    "many short lines": lambda n: "topic,a\n" + "\n" * n,
    "many marks": lambda n: "topic,a\n" + "," * n + "\n",
    "braces": lambda n: "{" * n,
    "nested lists": lambda n: '{"topic": ' + "[" * n + "\n",
    "a deep object": lambda n: '{"a": ' * n + "1" + "}" * n,
    "a long name": lambda n: f"topic,{'a' * n},b\n1,1,2\n",
}


@pytest.mark.parametrize("kind", LONG)
@pytest.mark.parametrize("read", [cd.read_scores, cd.read_qrels, cd.read_run])
def test_long_input_takes_no_more_than_linear_time(kind, read, tmp_path):
    """40,000 columns took 27 s once, a cell of 40,000 digits 99 s."""
    path = tmp_path / "t"
    path.write_text(LONG[kind](40_000))
    assert _seconds(lambda: read(path)) < 2


def test_a_small_packed_file_that_becomes_a_large_one_is_refused(tmp_path):
    """With the setting that lets it through."""
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"topic,a\n") + 300 * gzip.compress(b"0" * (1 << 20)))
    assert path.stat().st_size < 1 << 20
    with pytest.raises(
        cd.InputError,
        match=r"bomb.csv.gz: becomes more than 67108864 bytes when it is unpacked; set CONCORDANT_MAX_SIZE",
    ):
        cd.read_scores(path)


MANY_LINES = "topic,a,b\n" + "".join(f"{k},1,2\n" for k in range(50))
MANY_CELLS = "topic," + ",".join(f"s{k}" for k in range(50)) + "\n1" + ",0.5" * 50 + "\n"
LONG_NAME = f"topic,a,{'b' * 101}\n1,1,2\n"


@pytest.mark.parametrize(
    ("setting", "content", "message"),
    [
        ("CONCORDANT_MAX_SIZE", MANY_LINES, "t.csv: holds more than 100 bytes; set CONCORDANT_MAX_SIZE"),
        ("CONCORDANT_MAX_LINE", MANY_CELLS, "t.csv:1: the line has more than 100 characters; set"),
        ("CONCORDANT_MAX_CELL", LONG_NAME, "t.csv:1: a cell has more than 100 characters; is a quote"),
    ],
)
def test_limits_are_named_and_can_be_raised(tmp_path, monkeypatch, setting, content, message):
    path = tmp_path / "t.csv"
    path.write_text(content)
    monkeypatch.setenv(setting, "100")
    with pytest.raises(cd.InputError, match=message):
        cd.read_scores(path)
    monkeypatch.setenv(setting, "1000")
    assert cd.read_scores(path).values.size > 1


def test_a_packed_file_obeys_the_limit_that_is_set(tmp_path, monkeypatch):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"topic,a,b\n" + b"".join(b"%d,1,2\n" % k for k in range(100))))
    monkeypatch.setenv("CONCORDANT_MAX_SIZE", "300")
    with pytest.raises(cd.InputError, match="becomes more than 300 bytes when it is unpacked"):
        cd.read_scores(path)
    monkeypatch.setenv("CONCORDANT_MAX_SIZE", "3000")
    assert len(cd.read_scores(path).topics) == 100


@pytest.mark.parametrize("value", ["0", "-1", "many", "9" * 40])
def test_a_limit_is_a_number(tmp_path, monkeypatch, value):
    path = tmp_path / "t.csv"
    path.write_text("topic,a,b\n1,1,2\n")
    monkeypatch.setenv("CONCORDANT_MAX_SIZE", value)
    with pytest.raises(cd.ArgumentError, match="CONCORDANT_MAX_SIZE must be a whole number, 1 or more"):
        cd.read_scores(path)


def grouped(path):
    return cd.grouped(path, by="g", x="a", y="b", coefficients="tau_b")


def book(cells, name=""):
    """Write cells ``{(row, column): value}`` to a workbook, and return its bytes."""
    packed = io.BytesIO()
    with xlsxwriter.Workbook(packed) as workbook:
        sheet = workbook.add_worksheet(name or None)
        for place, value in cells.items():
            sheet.write(*place, value)
    return packed.getvalue()


def ods(rows):
    """Return a workbook with these rows."""
    packed = io.BytesIO()
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    inner = f'<table:table table:name="a">{rows}</table:table>'
    manifest = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    with zipfile.ZipFile(packed, "w") as parts:
        parts.writestr("META-INF/manifest.xml", manifest)
        parts.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        body = f"<office:body><office:spreadsheet>{inner}</office:spreadsheet></office:body>"
        parts.writestr("content.xml", f"<office:document-content{names}>{body}</office:document-content>")
    return packed.getvalue()


def packed_table(write, how=(), **columns):
    """Return a table as a Parquet or Arrow file."""
    file = io.BytesIO()
    write(pa.table(columns), file, compression="zstd", **dict(how))
    return file.getvalue()


GROUPS = {"g": ["p"] * 50, "a": np.arange(50.0), "b": np.arange(50.0)}
THREE = {(0, 0): "model", (0, 1): "AP", (1, 0): "x", (1, 1): 1, (2, 0): "y", (2, 1): 2}
TABLE = b"model,AP\nx,1\ny,2\n"
PARQUET, ARROW = packed_table(parquet.write_table, **GROUPS), packed_table(feather.write_feather, **GROUPS)
# For each reader a good file: a format of scores, an ending that `grouped` reads, or another function.
READERS = {
    "table": (cd.read_scores, TABLE),
    "trec_eval": (cd.read_scores, b"runid\tall\tx\nmap\t1\t0.5\nmap\t2\t0.5\n"),
    "ir_measures": (cd.read_scores, b"1\tAP\t0.5\n2\tAP\t0.5\nall\tAP\t0.5\n"),
    "ir_measures4": (cd.read_scores, b"x 1 nDCG@10 0.5\nx 2 nDCG@10 0.4\n"),
    "tot": (cd.read_scores, b"x nDCG@10 1 0.5\nx nDCG@10 2 0.4\n"),
    "ranking": (cd.read_scores, b"1 Q0 a 1 0.5 AP@5\n1 Q0 b 2 0.3 AP@5\n"),
    "order": (cd.read_scores, b"x (y z) w\n"),
    "jsonl": (cd.read_scores, b'{"model": "x", "AP": 1}\n{"model": "y", "AP": 2}\n'),
    "json": (cd.read_scores, b'[{"model": "x", "AP": 1}, {"model": "y", "AP": 2}]'),
    "parquet": (cd.read_scores, packed_table(parquet.write_table, model=["x", "y"], AP=[1.0, 2.0])),
    "arrow": (cd.read_scores, packed_table(feather.write_feather, model=["x", "y"], AP=[1.0, 2.0])),
    "markdown": (cd.read_scores, b"| model | AP |\n|---|---|\n| x | 1 |\n| y | 2 |\n"),
    "workbook": (cd.read_scores, book(THREE)),
    "read_run": (cd.read_run, b"1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n"),
    "read_qrels": (cd.read_qrels, b"1 0 a 1\n1 0 b 0\n"),
    "read_pairs": (lambda file: read_pairs(file, "two names"), b"x,y\nz,w\n"),
    "load": (cd.experiments.load, None),
    **dict.fromkeys((".csv", ".tsv"), (grouped, b"g,a,b\n" + b"p,1,2\np,2,1\n" * 9)),
    **dict.fromkeys((".parquet", ".pq"), (grouped, PARQUET)),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), (grouped, ARROW)),
}


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_has_limits(reader, tmp_path, monkeypatch):
    """Of cells and of bytes. What is read batch by batch and is not packed may be of any size."""
    read, data = READERS[reader]
    path = tmp_path / f"t{reader if reader[0] == '.' else ''}"
    if data is None:
        cd.experiments.gaps(["uniform"], ["tau_b"], n_systems=5, n_pairs=3).save(path)
    else:
        path.write_bytes(data.replace(b",", b"\t") if reader == ".tsv" else data)
    assert read(path) is not None
    for setting in ("CELLS", "SIZE"):
        if (setting, reader) in (("SIZE", ".csv"), ("SIZE", ".tsv")):
            continue
        monkeypatch.setenv(f"CONCORDANT_MAX_{setting}", "2")
        with pytest.raises(cd.InputError, match=f"set CONCORDANT_MAX_{setting}"):
            read(path)
        monkeypatch.delenv(f"CONCORDANT_MAX_{setting}")


def test_no_reader_is_forgotten():
    own = {name for name in dir(cd) if name.startswith("read_")} - {"read_scores"}
    assert {*get_args(Format), *questions_grouped._READERS, *own, "read_pairs", "load"} == set(READERS)


def test_a_long_name_that_is_repeated_takes_no_longer_than_a_short_one(tmp_path):
    """A file of 20 kB may repeat one name of 80 kB a million times; the message does not repeat it."""
    path = tmp_path / "long.parquet"
    n, g = 300_000, pa.DictionaryArray.from_arrays(np.zeros(300_000, np.int8), ["x" * 80_000])
    path.write_bytes(packed_table(parquet.write_table, g=g, a=np.zeros(n), b=np.zeros(n)))
    assert path.stat().st_size < 40_000
    start = time.process_time()
    with pytest.raises(cd.InputError, match="systems") as error:
        cd.read_scores(path)
    assert time.process_time() - start < 6
    assert len(str(error.value)) < 1000


N = 3_000_000
NAME = "x" * 100_000
SMALL_FILES_THAT_BECOME_LARGE = {
    "tiny.csv.gz": lambda: gzip.compress(b"topic,a\n" + b"1,0\n" * 5_000_000, 1),
    "many.run.gz": lambda: gzip.compress(b"1 Q0 a 1 2 x\n" * 2_000_000, 1),
    "keys.jsonl": lambda: b"".join(b'{"k%d":1}\n' % k for k in range(4000)),
    "rows.parquet": lambda: packed_table(
        parquet.write_table, topic=np.zeros(N), a=np.zeros(N), b=np.zeros(N)
    ),
    "text.parquet": lambda: packed_table(parquet.write_table, topic=[f"{k}{NAME}" for k in range(700)]),
    "long.parquet": lambda: packed_table(parquet.write_table, topic=[2 * NAME], system=["a"], value=[1.0]),
    "zeros.arrow": lambda: packed_table(feather.write_feather, g=np.zeros(N), a=np.zeros(N), b=np.zeros(N)),
    "codes.arrow": lambda: packed_table(
        feather.write_feather,
        g=pa.DictionaryArray.from_arrays(np.zeros(1000, np.int8), [NAME]),
        a=np.zeros(1000),
        b=np.zeros(1000),
    ),
    "far.xlsx": lambda: book(THREE | {(1_048_575, 16_383): 1}),
    "shared.xlsx": lambda: book(THREE | {(row, 0): NAME[:32_000] for row in range(3, 3000)}),
    "far.ods": lambda: ods(
        '<table:table-row table:number-rows-repeated="1000000"><table:table-cell office:value-type="float" '
        'office:value="1" table:number-columns-repeated="16000"/></table:table-row>'
    ),
}


@pytest.mark.parametrize("name", SMALL_FILES_THAT_BECOME_LARGE)
def test_what_a_file_becomes_is_bounded(name, tmp_path):
    """Such files took gigabytes or minutes, or ended the process."""
    data = SMALL_FILES_THAT_BECOME_LARGE[name]()
    assert len(data) < 1 << 20
    (tmp_path / name).write_bytes(data)
    read = grouped if name.endswith("arrow") else cd.read_run if "run" in name else cd.read_scores
    with pytest.raises(cd.InputError, match=r"set CONCORDANT_MAX_(CELLS|SIZE|CELL) to a larger number"):
        read(tmp_path / name)


def test_repeated_text_in_parquet_is_held_once(tmp_path):
    """20,000 rows of 100,000 characters take no 2 GB."""
    names = pa.DictionaryArray.from_arrays(np.zeros(20_000, np.int32), [NAME])
    rows = {"topic": np.arange(20_000), "system": names, "value": np.ones(20_000)}
    data = packed_table(parquet.write_table, {"store_schema": False}, **rows)
    (tmp_path / "t.parquet").write_bytes(data)
    assert cd.read_scores(tmp_path / "t.parquet").systems == (NAME,)


def test_nested_columns_of_parquet_are_not_read(tmp_path):
    """However long their lists are."""
    data = packed_table(parquet.write_table, model=["x", "y"], AP=[1.0, 2.0], a=[[0] * 1000, []])
    (tmp_path / "t.parquet").write_bytes(data)
    scores = cd.read_scores(tmp_path / "t.parquet")
    assert (scores.systems, scores.measures) == (("x", "y"), ("AP",))
    assert scores.source.remarks == ("nested columns were left out: a",)


def test_honest_files_are_within_the_limits(tmp_path):
    """A million rows, packed well; an ods file with empty cells to its last row and column."""
    rows = (f"AP,{t},s{s},0\n" for t in range(1000) for s in range(1000))
    text = "measure,topic,system,value\n" + "".join(rows)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text.encode(), 6))
    assert cd.read_scores(tmp_path / "t.csv.gz").values.shape == (1, 1000, 1000)
    word = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    number = '<table:table-cell office:value-type="float" office:value="1"/>'
    rest = '<table:table-cell table:number-columns-repeated="16382"/></table:table-row>'
    rows = (word.format("model") + word.format("AP"), word.format("x") + number, word.format("y") + number)
    text = "".join(f"<table:table-row>{row}{rest}" for row in rows)
    empty = f'<table:table-row table:number-rows-repeated="1048573">{rest}'
    (tmp_path / "t.ods").write_bytes(ods(text + empty))
    assert cd.read_scores(tmp_path / "t.ods").systems == ("x", "y")
