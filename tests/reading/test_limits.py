"""Reading takes linear time and bounded memory, whatever the file holds."""

import contextlib
import gzip
import time

import pytest

import concordant as cd


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
        match=r"bomb.csv.gz: becomes more than 268435456 bytes when it is unpacked; set CONCORDANT_MAX_SIZE",
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
    with pytest.raises(cd.ArgumentError, match="CONCORDANT_MAX_SIZE must be a number of bytes, 1 or more"):
        cd.read_scores(path)
