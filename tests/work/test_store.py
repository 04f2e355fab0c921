"""Results of pieces in a folder: reused if everything is the same, and never if a file is damaged."""

import hashlib
import io

import numpy as np
import pytest
from support.work import scaled

import concordant as cd
from concordant.work.pieces import in_pieces, working
from concordant.work.store import PieceStore, digest

DATA = np.arange(100.0)
RESULT = {
    "values": np.array([[0.1, np.nan], [-0.0, 3.0]]),
    "text": "é",
    "number": 3,
    "none": None,
    "list": [1],
}


def values(shared, pieces, store):
    """Do the work with a store."""
    with working(store=store):
        return [each["value"] for each in in_pieces(scaled, shared, pieces)]


def test_a_result_comes_back_as_it_was(tmp_path):
    """Arrays to the last bit, plain values as JSON has them."""
    store = PieceStore(tmp_path / "a" / "b")
    store.write("name", RESULT)
    found = store.read("name")
    assert found["values"].tobytes() == RESULT["values"].tobytes()
    assert {k: v for k, v in found.items() if k != "values"} == {
        k: v for k, v in RESULT.items() if k != "values"
    }
    assert store.read("other") is None


def test_only_the_same_question_is_reused(tmp_path):
    """Other data, another piece or another version is computed anew."""
    first, again, other = (PieceStore(tmp_path) for _ in range(3))
    assert values(DATA, range(5), first) == values(DATA, range(5), again)
    assert (len(first.written), len(again.written), len(again.found)) == (5, 0, 5)
    assert values(DATA + 1, range(3, 7), other) == [float((DATA + 1).sum() * p) for p in range(3, 7)]
    assert (len(other.written), len(other.found)) == (4, 0)


def test_another_version_has_other_names(tmp_path, monkeypatch):
    """The name of a piece holds the version of the package."""
    values(DATA, range(2), PieceStore(tmp_path))
    monkeypatch.setattr("concordant.work.store.__version__", "99")
    store = PieceStore(tmp_path)
    values(DATA, range(2), store)
    assert (len(store.written), len(store.found)) == (2, 0)


@pytest.mark.parametrize("harm", ["cut", "flip", "empty", "foreign"])
def test_a_damaged_piece_is_computed_again(tmp_path, harm):
    """A file that was cut off or changed is not used, and replaced."""
    good = values(DATA, range(3), PieceStore(tmp_path))
    for path in tmp_path.iterdir():
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        new = {"cut": content[:-9], "flip": content, "empty": b"", "foreign": b"PK" * 200}[harm]
        path.write_bytes(bytes(new))
    store = PieceStore(tmp_path)
    assert values(DATA, range(3), store) == good
    assert (len(store.written), len(store.found)) == (3, 0)
    store = PieceStore(tmp_path)
    values(DATA, range(3), store)
    assert len(store.found) == 3


def test_a_name_does_not_depend_on_which_equal_values_are_one_object():
    """Two processes build equal data in different ways."""
    text = "topic 1"
    again = "topic " + str(len(text) - 6)
    assert digest({text: 1}, [text, text]) == digest({again: 1}, [text, again])
    assert digest(1) != digest(1.0)
    with pytest.raises(cd.ArgumentError, match="top of a file"):
        digest(lambda: 0)


def test_a_file_is_no_folder(tmp_path):
    """The sentence says what is wanted."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(cd.ArgumentError, match="is a file; give a folder"):
        PieceStore(tmp_path / "file")


def forged(path, arrays, text=b"{}", **how):
    """Write a piece with a right checksum."""
    packed, arrays = io.BytesIO(), arrays | {"plain values": np.frombuffer(text, np.uint8)}
    (np.savez_compressed if how else np.savez)(packed, **arrays)
    path.write_bytes(hashlib.sha256(packed.getvalue()).digest() + packed.getvalue())


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (lambda path: forged(path, {"value": np.array([3.0])}), "beyond the bounds"),
        (lambda path: forged(path, {"value": np.array([-np.inf])}), "not finite"),
        (lambda path: forged(path, {}, b'{"value": 1, "value": 2}'), "a key twice"),
        (lambda path: forged(path, {}, b"[1]"), "no object"),
        (lambda path: forged(path, {}, b"{"), "broken"),
        (lambda path: forged(path, {"value": np.zeros(10**6)}, packed=True), "larger than the file"),
        (lambda path: path.write_bytes(hashlib.sha256(b"PK").digest() + b"PK"), "no archive"),
        (lambda path: path.write_bytes(hashlib.sha256(b"").digest()), "nothing"),
    ],
)
def test_a_forged_piece_is_computed_again(tmp_path, harm, why):
    """If it can be seen; the bounds are those of coefficients."""
    with working(store=PieceStore(tmp_path)):
        in_pieces(scaled, DATA * 0, [1])
    (path,) = tmp_path.iterdir()
    harm(path)
    store = PieceStore(tmp_path)
    with working(store=store):
        (found,) = in_pieces(scaled, DATA * 0, [1], bounds=[(-1.0, 1.0), (0.0, 2.0)])
    assert found["value"] == 0, why
    assert (len(store.written), len(store.found)) == (1, 0)


def test_a_forged_piece_that_does_not_fit_is_told_with_its_folder(tmp_path):
    values(DATA, [1], PieceStore(tmp_path))
    (path,) = tmp_path.iterdir()
    forged(path, {"other": np.zeros(3)})
    with pytest.raises(
        cd.InputError, match=f"^{tmp_path}: holds a piece that does not fit this work; delete the"
    ):
        values(DATA, [1], PieceStore(tmp_path))
