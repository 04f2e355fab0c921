"""Mutated files: a reader gives scores or one sentence, in linear time and memory. Run by `make fuzz`.

Files that compiled libraries read, and files that become much larger, are read in processes of their own,
with a limit of memory and time, so that the end of such a process is noticed.
"""

from __future__ import annotations

import gzip
import io
import os
import resource
import tempfile
import time
import traceback
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import xlsxwriter
from clock import run
from pyarrow import feather, parquet

import concordant as cd
from concordant.errors import visible

TOKENS = [
    *(bytes([mark]) for mark in b",\t;\n\r\"' {}[]\\\0\xff-"),
    *(b"\r\n", b"\xef\xbb\xbf", b"\x1f\x8b", b"PAR1", b"\x1b[2J", "é".encode(), "\u0663".encode()),
    *(b"all", b"nan", b"inf", b"1e999", b"0.1,5", b"-0", b"1_000", b"null", b"true", b"=1+1"),
    *(b'"AP": 1, ', b"R1048576", b"XFD1048576", b"ARROW1", b"\x28\xb5\x2f\xfd", b"\xff\xff\xff\x7f"),
    *(b"runid", b"num_q", b"topic", b"system", b"value", b"Q0", b"1" * 400, b"[" * 300),
]


def _seeds(folder: Path) -> list[tuple[str, bytes, Callable[[Any], Any]]]:
    """Good files of every kind, made by the library and in the form of other programs."""
    made = cd.experiments.simulate.collection(n_topics=4, n_systems=5, n_documents=30, depth=12, rng=0)
    made.write(folder)
    rng = np.random.default_rng(0)
    scores = cd.Scores(
        rng.random((2, 5, 4)),
        measures=["AP", "P@10"],
        topics=[f"q{t}" for t in range(5)],
        systems=["bm25", "rm3", "a b", "d,e"],
    )
    found: list[tuple[str, bytes, Callable[[Any], Any]]] = []
    for name, part, format in (
        ("long.csv", scores, "long"),
        ("long.tsv", scores, "long"),
        ("wide.csv", scores["AP"], "wide"),
        ("t.jsonl", scores, None),
        ("t.parquet", scores, None),
        ("t.csv.gz", scores, None),
    ):
        cd.write_scores(part, folder / name, format=format)
        found.append((name, (folder / name).read_bytes(), cd.read_scores))
    trec = ["runid\tall\tbm25"]
    trec += [f"{m}\t{t}\t{0.1 * t:.4f}" for t in range(1, 5) for m in ("map", "P_10", "num_ret")]
    trec += ["num_q\tall\t4", "map\tall\t0.2500", "P_10\tall\t0.2500"]
    found.append(("trec_eval.txt", "\n".join(trec).encode() + b"\n", cd.read_scores))
    ir = [f"{t}\t{m}\t{0.1 * t:.4f}" for t in range(1, 5) for m in ("AP", "nDCG@10")] + ["all\tAP\t0.2500"]
    found.append(("ir.txt", "\n".join(ir).encode() + b"\n", cd.read_scores))
    for name, text in {
        "board.csv": "model,MMLU,Votes,Average\ngpt,88.7%,120,0.85\nllama,61.2%,90,0.5\n",
        "comma.csv": "Modell;A;B\nx;0,5;1,25\ny;0,25;3\n",
        "tot.txt": "a nDCG@10 t1 0.5\na nDCG@10 t2 0.4\nb nDCG@10 t1 0.3\n",
        "ranking.txt": "1 Q0 a 1 0.5 AP@5\n1 Q0 b 2 0.3 AP@5\n",
        "seg.score": "sysA\t0.5\nsysA\t0.6\nsysB\t0.4\nsysB\tNone\n",
        "order.txt": "bm25 (dense splade) rm3\n",
        "list.json": '[{"model": "a", "score": 1.5}, {"model": "b", "score": 2}]',
        "nuggets.jsonl": '{"qid": "1", "run_id": "a", "vital": 0.5, "all": 0.25}\n',
    }.items():
        found.append((name, text.encode(), cd.read_scores))
    found.append(("human.qrels", (folder / "human.qrels").read_bytes(), cd.read_qrels))
    table = b'# by people\nquery_id,doc_id,relevance\n401,d1,2\n\n401,d2,0.0\n402,"d1",1\n'
    found.append(("qrels.csv", table, cd.read_qrels))
    found.append(("qrels.tsv", b"query-id\tcorpus-id\tscore\n401\td1\t2\n401\td2\t0\n", cd.read_qrels))
    a_run = next(iter(sorted((folder / "runs").iterdir())))
    found.append(("a.run", a_run.read_bytes(), cd.read_run))
    longer = b"# bm25\n1 Q0 a 1 0.5 bm25 k1 = 0.9\n1 Q0 b 2 0.25 bm25\n2 Q0 a 1 3 bm25 # good\n"
    found.append(("longer.run", longer, cd.read_run))
    result = cd.experiments.swap(rng.normal(np.linspace(1, 0, 8), 0.4, (30, 8)), ["tau_b"], rng=1)
    result.save(folder / "r.json")
    found.append(("r.json", (folder / "r.json").read_bytes(), cd.experiments.load))
    return found


def _grouped(path: Any) -> Any:
    return cd.grouped(path, by="g", x="a", y="b", coefficients="tau_b")


def _written(write: Callable[..., Any], columns: dict[str, Any], **how: Any) -> bytes:
    file = io.BytesIO()
    write(pa.table(columns), file, **how)
    return file.getvalue()


def _book(row: int, column: int, text: str, times: int) -> bytes:
    """Return a workbook with scores, a cell at a place, and a text in several cells."""
    packed = io.BytesIO()
    with xlsxwriter.Workbook(packed) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["model", "AP"])
        sheet.write_row(1, 0, ["x", 0.5])
        sheet.write(row, column, 1)
        for k in range(times):
            sheet.write(2 + k, 0, text)
    return packed.getvalue()


def _of_libraries() -> list[tuple[str, bytes, Callable[[Any], Any]]]:
    """Good files that compiled libraries read."""
    rng = np.random.default_rng(0)
    names = [f"g{k // 10}" for k in range(60)]
    columns = {"g": names, "a": rng.random(60), "b": rng.random(60), "c": pa.array(names).dictionary_encode()}
    coded = columns | {"g": columns["c"]}
    long = {"topic": names, "system": [f"s{k % 10}" for k in range(60)], "value": rng.random(60)}
    found: list[tuple[str, bytes, Callable[[Any], Any]]] = [
        (f"{k}.{ending}", _written(write, own, compression=packing), _grouped)
        for write, ending, packings in (
            (feather.write_feather, "arrow", ("uncompressed", "lz4", "zstd")),
            (parquet.write_table, "parquet", ("none", "snappy", "zstd")),
        )
        for k, (own, packing) in enumerate((own, packing) for own in (columns, coded) for packing in packings)
    ]
    found += [
        (f"{k}.parquet", _written(parquet.write_table, long, **how), cd.read_scores)
        for k, how in enumerate(({}, {"use_dictionary": False}, {"row_group_size": 7}))
    ]
    text = "g,a,b\n" + "".join(f"{name},{k % 7},{k % 5}\n" for k, name in enumerate(names))
    found.append(("g.csv", text.encode(), _grouped))
    found.append(("t.xlsx", _book(2, 1, "y", 1), cd.read_scores))
    return found


def _expanding(rng: np.random.Generator) -> tuple[str, bytes, Callable[[Any], Any]]:
    """Return a small file that may become a large one."""
    n, length = (int(10 ** rng.uniform(3, most)) for most in (7, 5))
    zeros = {"g": np.zeros(n, np.int8), "a": np.zeros(n), "b": np.zeros(n)}
    words = pa.DictionaryArray.from_arrays(np.zeros(n, np.int8), ["x" * length])
    kinds: list[Callable[[], tuple[str, bytes, Callable[[Any], Any]]]] = [
        lambda: ("t.csv.gz", gzip.compress(b"topic,a,b\n" + b"1,0,0\n" * n, 1), cd.read_scores),
        lambda: ("t.csv.gz", gzip.compress(b"topic" + b",a" * n + b"\n1" + b",0" * n, 1), cd.read_scores),
        lambda: ("t.json.gz", gzip.compress(b"[" + b"{}," * n + b"{}]", 1), cd.read_scores),
        lambda: (
            "t.jsonl",
            b"".join(b'{"k%d": 1}\n' % k for k in range(n // 500)),
            cd.read_scores,
        ),
        lambda: (
            "t.run.gz",
            gzip.compress(b"".join(b"1 Q0 %d 1 1 x\n" % k for k in range(n // 10)), 1),
            cd.read_run,
        ),
        lambda: ("t.run.gz", gzip.compress(b"1 Q0 %s 1 1 x\n" % (b"x" * n * 10), 1), cd.read_run),
        lambda: ("t.parquet", _written(parquet.write_table, zeros, compression="zstd"), cd.read_scores),
        lambda: ("t.parquet", _written(parquet.write_table, zeros, compression="zstd"), _grouped),
        lambda: (
            "t.parquet",
            _written(parquet.write_table, zeros | {"g": words}, store_schema=bool(n % 2)),
            _grouped if n % 3 else cd.read_scores,
        ),
        lambda: ("t.arrow", _written(feather.write_feather, zeros, compression="zstd"), _grouped),
        lambda: (
            "t.arrow",
            _written(feather.write_feather, zeros | {"g": words}, compression="lz4"),
            _grouped,
        ),
        lambda: ("t.xlsx", _book(n % 1_048_576, length % 16_384, "x", 1), cd.read_scores),
        lambda: ("t.xlsx", _book(1, 1, "x" * (length % 32_000), n % 3000), cd.read_scores),
        lambda: ("t.xlsx", _inflated(n), cd.read_scores),
    ]
    return kinds[int(rng.integers(len(kinds)))]()


def _inflated(n: int) -> bytes:
    """Return a workbook with a part of many bytes that are all the same."""
    file = io.BytesIO(_book(1, 1, "y", 1))
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("xl/styles2.xml", b"<a>" + b" " * (10 * n) + b"</a>")
    return file.getvalue()


FOLDER = Path(tempfile.mkdtemp(prefix="fuzz-"))
SEEDS = _seeds(FOLDER)
OF_LIBRARIES = _of_libraries()


def mutated(rng: np.random.Generator, data: bytes) -> bytes:
    for _ in range(int(rng.integers(1, 6))):
        at, to = sorted(int(k) for k in rng.integers(0, len(data) + 1, 2))
        kind = rng.integers(8)
        if kind == 0:
            data = data[:at] + data[to:]
        elif kind == 1:
            data = data[:at] + data[at:to] * int(rng.integers(2, 4)) + data[to:]
        elif kind == 2:
            data = data[:at] + TOKENS[int(rng.integers(len(TOKENS)))] + data[at:]
        elif kind == 3 and len(data):
            data = data[: at % len(data)] + bytes([int(rng.integers(256))]) + data[at % len(data) + 1 :]
        elif kind == 4:
            data = data[:at]
        elif kind == 5:
            lines = data.split(b"\n")
            order = rng.permutation(len(lines))
            data = b"\n".join(lines[k] for k in order)
        elif kind == 6:
            data = data[:at] + TOKENS[int(rng.integers(len(TOKENS)))] * int(rng.integers(1, 2000)) + data[at:]
        else:
            data = data.replace(*(TOKENS[int(k)] for k in rng.integers(len(TOKENS), size=2)))
    return data[:200_000]


def _alone(work: Callable[[], None]) -> None:
    """Do work in a process of its own that may take 2 GB and 60 s; it must end well."""
    child = os.fork()
    if child == 0:
        try:
            most = 1024 * int(Path("/proc/self/statm").read_text().split()[0]) * 4 + (2 << 30)
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                _tried(work)
            os._exit(0)
        except BaseException:  # noqa: BLE001 - of whatever kind
            traceback.print_exc()
        finally:
            os._exit(1)
    status = os.waitpid(child, 0)[1]
    assert status == 0, f"the process ended with status {status}"


def _tried(work: Callable[[], Any]) -> None:
    """Do work, which may end with one sentence."""
    try:
        work()
    except cd.ConcordantError as error:
        text = str(error)
        assert "\n" not in text, text
        assert text == visible(text), text
        assert len(text) < 2000, text


def case(rng: np.random.Generator) -> None:
    kind = rng.random()
    if kind < 0.005:
        name, data, read = _expanding(rng)
    elif kind < 0.3:
        name, data, read = OF_LIBRARIES[int(rng.integers(len(OF_LIBRARIES)))]
        data = _few_changes(rng, data) if rng.random() < 0.7 else mutated(rng, data)
    if kind < 0.3:
        path = FOLDER / "alone" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        _alone(lambda: read(path))
    else:
        _of_text(rng)


def _few_changes(rng: np.random.Generator, data: bytes) -> bytes:
    """Change some bytes, so that the file keeps its form."""
    changed = np.frombuffer(data, np.uint8).copy()
    for at in rng.integers(len(changed), size=int(rng.integers(1, 9))):
        changed[at] = rng.choice([0, 1, 127, 128, 255, rng.integers(256)])
    return changed.tobytes()


def _of_text(rng: np.random.Generator) -> None:
    name, good, read = SEEDS[int(rng.integers(len(SEEDS)))]
    data = mutated(rng, good)
    if rng.random() < 0.1:
        data = gzip.compress(data)
    if rng.random() < 0.2:  # as another kind of file
        read = SEEDS[int(rng.integers(len(SEEDS)))][2]
    path = FOLDER / "mutated" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    source: Any = path if read is cd.experiments.load or rng.random() < 0.8 else io.BytesIO(data)
    size = len(gzip.decompress(data)) if data[:2] == b"\x1f\x8b" and _unpacks(data) else len(data)
    measured = rng.random() < 0.1
    if measured:
        tracemalloc.start()
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _tried(lambda: read(source))
    took = time.perf_counter() - start
    if measured:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 20_000_000 + 200 * size, f"{peak} bytes for a file of {size}"
    else:
        assert took < 2 + size * 2e-5, f"{took:.2f} s for a file of {size} bytes"


def _unpacks(data: bytes) -> bool:
    try:
        gzip.decompress(data)
    except Exception:  # noqa: BLE001 - any damage
        return False
    return True


if __name__ == "__main__":
    run(case, "readers")
