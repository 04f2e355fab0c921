"""What a file says never chooses a path to write, an address, or a class; damaged files end no process."""

import gzip
import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

import concordant as cd

# Readers are run on files that name paths, addresses and classes, under an audit of what Python does.
AUDIT = """
import io, os, pickle, sys, zipfile
from pathlib import Path
import numpy as np, pyarrow as pa, python_calamine, xlsxwriter
from pyarrow import feather, parquet
import concordant as cd
import concordant.experiments.gaps

ask = {"save": "out", "plot": "out.pdf", "cluster": "tcp://127.0.0.1:9", "__class__": "os.system"}
meta = {b"pandas": b'{"index_columns": ["../../out"]}', b"ARROW:extension:name": b"os.system"}
table = pa.table({"g": ["p"] * 3, "a": [1.0, 2, 3], "b": [1.0, 3, 2]}).replace_schema_metadata(meta)
parquet.write_table(table, "t.parquet")
feather.write_feather(table, "t.arrow")
Path("t.json").write_text(str([{"model": "http://127.0.0.1:9/", "AP": 1} | ask]).replace("'", '"'))
Path("t.csv").write_text('model,AP\\n=HYPERLINK("http://127.0.0.1:9"),1\\n../../out,2\\n')
Path("a.run").write_text("1 Q0 /etc/passwd 1 2 ../../out\\n")
with xlsxwriter.Workbook("t.xlsx") as book:
    book.add_worksheet().write_url("A1", "external:http://127.0.0.1:9/x.xlsx")
result = cd.experiments.gaps(["uniform"], ["tau_b"], n_systems=4, n_pairs=2)
result.save("r.json")
text = Path("r.json").read_text()
Path("r2.json").write_text(text.replace('"function": "gaps"', '"function": "os.system"'))
more = '"options": {"save": "out", "cluster": "tcp://127.0.0.1:9", '
Path("r3.json").write_text(text.replace('"options": {', more))
before, seen = sorted(os.listdir()), []

def audit(event, arguments):
    flags = arguments[2] if event == "open" and isinstance(arguments[2], int) else 0
    known = ("pickle.find_class", "socket.connect", "os.system", "subprocess.Popen")
    if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) or event in known:
        seen.append((event, str(arguments)[:200]))

def tried(read, *arguments, **options):
    try:
        return read(*arguments, **options)
    except cd.ConcordantError as error:
        return str(error)

sys.addaudithook(audit)
for name in ("t.parquet", "t.json", "t.csv", "t.xlsx"):
    tried(cd.read_scores, name)
for name in ("t.parquet", "t.arrow"):
    assert len(cd.grouped(name, by="g", x="a", y="b", coefficients="tau_b")) == 1
cd.read_run("a.run")
for name in ("r.json", "r2.json", "r3.json"):
    str(tried(cd.experiments.load, name))
assert sorted(os.listdir()) == before
print(seen)
"""


def test_nothing_that_is_read_chooses_a_path_an_address_or_a_class(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", AUDIT], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("[]\n", "", 0)


DAMAGE = """
import sys, numpy as np, pyarrow as pa, concordant as cd
offsets = np.array([0, 1 << 30, 1, 2], np.int32)
texts = pa.Array.from_buffers(pa.string(), 3, [None, pa.py_buffer(offsets), pa.py_buffer(b"pq")])
codes = pa.DictionaryArray.from_arrays(np.array([0, 1, 1 << 30], np.int32), ["p", "q"], safe=False)
for number, names in enumerate((texts, codes)):
    batch = pa.record_batch([names, pa.array([1.0, 2, 3]), pa.array([1.0, 2, 3])], names=["g", "a", "b"])
    with pa.ipc.new_file(f"{number}.arrow", batch.schema) as file:
        file.write_batch(batch)
    try:
        cd.grouped(f"{number}.arrow", by="g", x="a", y="b", coefficients="tau_b")
    except cd.InputError as error:
        print(str(error).partition(": ")[0])
"""


def test_a_damaged_arrow_file_does_not_end_the_process(tmp_path):
    """Offsets of texts and codes of labels that point elsewhere."""
    done = subprocess.run(
        [sys.executable, "-c", DAMAGE], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stdout.split(), done.returncode) == (["0.arrow", "1.arrow"], 0)


TWICE = {
    "t.jsonl": '{"model": "a", "AP": 1, "AP": 2}\n',
    "t.json": '[{"model": "a", "AP": 1, "AP": 2}]',
    "nested.json": '[{"model": "a", "x": {"AP": 1, "AP": 2}}]',
}


@pytest.mark.parametrize("name", TWICE)
def test_a_key_that_appears_twice_is_refused(name, tmp_path):
    (tmp_path / name).write_text(TWICE[name], encoding="utf-8")
    with pytest.raises(cd.InputError, match=rf"{name}:1: key 'AP' appears twice in an object; keep one"):
        cd.read_scores(tmp_path / name)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The saved result of an experiment."""
    path = tmp_path_factory.mktemp("saved") / "r.json"
    scores = cd.Scores(np.random.default_rng(0).random((1, 6, 5)))
    cd.experiments.swap(scores, ["tau_b"], rng=1).save(path)
    return json.loads(path.read_text(encoding="utf-8"))


def changed(value, *path):
    """Return a change of the content; DELETE deletes."""

    def change(content):
        *above, last = path
        for key in above:
            content = content[key]
        content[last] = value
        if value is DELETE:
            del content[last]

    return change


DELETE = object()


@pytest.mark.parametrize(
    "change",
    [
        *(changed(value, "tables", "swaps", 0, "mean") for value in ("x", [], True, 10**400, float("nan"))),
        *(changed(value, "tables") for value in (DELETE, [], "x", {})),
        *(changed(value, "values", "versions") for value in (DELETE, None, 3.5, {}, "x")),
        *(changed(value, "notes", 0, "values") for value in (0, "x", [1])),
        *(changed(value, "inputs") for value in (True, 3.5)),
        *(changed(value, "seed") for value in ({}, [1], DELETE)),
        changed(DELETE, "options", "n_swaps"),
        changed("os.system", "function"),
    ],
)
def test_a_changed_result_of_an_experiment_is_refused(change, saved, tmp_path):
    """With one sentence that names the file, not with an error when it is shown."""
    content = json.loads(json.dumps(saved))
    change(content)
    (tmp_path / "r.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(cd.InputError, match=r"r\.json: is not a saved result"):
        cd.experiments.load(tmp_path / "r.json")


def test_a_result_with_a_key_twice_is_refused(saved, tmp_path):
    text = json.dumps(saved).replace('"seed"', '"function": "swap", "seed"', 1)
    (tmp_path / "r.json").write_bytes(gzip.compress(text.encode()))
    with pytest.raises(cd.InputError, match=r"r\.json: .*: key 'function' appears twice in an object"):
        cd.experiments.load(tmp_path / "r.json")


def test_a_changed_result_is_not_drawn(saved, tmp_path):
    content = json.loads(json.dumps(saved))
    del content["options"]["measure"]
    (tmp_path / "r.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(cd.ArgumentError, match="this result lacks what the figure shows; make it again"):
        cd.plot(cd.experiments.load(tmp_path / "r.json"))


@pytest.mark.parametrize(
    "text", [b"g\xff,a,b\np,1,2\n", b"g,a,b\n\xff,1,2\n\xfe,2,1\n", b"g,a,b\n1,\xff,2\n"]
)
def test_text_that_is_not_utf8_is_refused_by_grouped(text, tmp_path):
    (tmp_path / "t.csv").write_bytes(text)
    with pytest.raises(cd.InputError, match=r"t\.csv: .*(UTF|utf)-?8"):
        cd.grouped(tmp_path / "t.csv", by="g", x="a", y="b", coefficients="tau_b")


def test_a_column_that_is_no_text_or_number_is_refused_by_grouped(tmp_path):
    table = pa.table({"g": [["p"], ["q"]], "a": [1.0, 2], "b": [1.0, 2]})
    pa.parquet.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(cd.InputError, match=r"t\.parquet: column 'g' has the type list.*numbers or text"):
        cd.grouped(tmp_path / "t.parquet", by="g", x="a", y="b", coefficients="tau_b")
