"""--resume, --shard and merge: the same bytes as the whole, whatever happens in between."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import zipfile

import pytest
from support.program import run, run_process

from concordant.cli.elsewhere import command_line, said
from concordant.work import pieces as sizes

JUDGE = [
    *("judge", "--runs", "runs/*", "--qrels", "human.qrels", "--judge", "noisy.qrels", "-m", "AP"),
    *("--n-resamples", "600", "--format", "json", "--workers", "2"),
]
RUNS = ["human.qrels", "noisy.qrels", "--runs", "runs/*"]
COMMANDS = {
    "evaluate": ["evaluate", "--runs", "runs/*", "--qrels", "human.qrels", "-m", "AP", "-m", "nDCG@10"],
    "judge": JUDGE,
    "correlate": ["correlate", "human.csv", "noisy.csv", "--n-resamples", "99", "--format", "csv"],
    "by-topic": ["by-topic", "human_ap.csv", "noisy_ap.csv", "--n-resamples", "99", "--format", "csv"],
    "explain": ["explain", *RUNS, "-m", "AP", "--format", "csv"],
    "sweep": ["sweep", *RUNS, "-m", "AP", "--format", "csv"],
    "matrix": ["matrix", "human.csv", "few.csv", "-m", "AP", "--format", "json"],
    "matrix of runs": ["matrix", *RUNS, "-m", "AP", "-m", "nDCG@10", "--format", "json"],
    "runs": ["runs", "runs/*", "--format", "json"],
    "plan": ["plan", "human.csv", "--method", "resampling", "--n-resamples", "50", "--format", "csv"],
    "predict": ["predict", "human.csv", "--n-splits", "60", "--format", "csv"],
    "swap": ["swap", "human.csv", "-m", "AP", "--n-swaps", "1", "--format", "csv"],
    "gaps": ["gaps", "--n-pairs", "90", "--n-systems", "5", "--format", "json"],
    "pool": ["pool", "--runs", "runs/*", "--qrels", "human.qrels", "--percents", "20,100", "--format", "csv"],
    "grades": ["grades", "--runs", "runs/*", "--qrels", "human.qrels", "--format", "csv"],
    "reuse": ["reuse", "--runs", "runs/*", "--qrels", "human.qrels", "--format", "csv"],
}


@pytest.fixture
def own(folder, tmp_path):
    """The files of the collection, to change and to write beside."""
    shutil.copytree(folder, tmp_path / "own")
    return tmp_path / "own"


@pytest.mark.parametrize("name", COMMANDS)
def test_parts_make_the_whole(name, own):
    """Three parts, merged in any order, and work taken up again: the same bytes as the whole command."""
    command = COMMANDS[name]
    whole = run(*command, cwd=own)
    assert whole.returncode == 0, whole.stderr
    for number in (1, 2, 3):
        part = run(*command, "--shard", f"{number}/3", "-o", f"part{number}", cwd=own)
        assert part.returncode == 0, part.stderr
        assert part.stdout == ""
    merged = run("merge", "part3", "part1", "part2", cwd=own)
    assert merged.returncode == 0, merged.stderr
    assert merged.stdout == whole.stdout
    for _ in range(2):
        resumed = run(*command, "--resume", "kept", cwd=own)
        assert resumed.stdout == whole.stdout
    assert ", 0 were computed" in resumed.stderr


def test_parts_with_one_folder_divide_one_step_after_another(own, monkeypatch):
    """When all runs are evaluated, the parts divide the resamples; the whole is the same."""
    monkeypatch.setattr(sizes, "_LEAST", 10**9)  # so few resamples would be one piece
    whole = run(*JUDGE, cwd=own)
    n_pieces = []
    for _ in range(2):
        for number in (1, 2):
            part = run(*JUDGE, "--shard", f"{number}/2", "--resume", "kept", "-o", f"part{number}", cwd=own)
            assert part.returncode == 0, part.stderr
        n_pieces.append(len(list((own / "kept").iterdir())))
    assert n_pieces == [9 + 16, 9 + 32]  # runs, and 32 pieces of resamples
    merged = run("merge", "part1", "part2", cwd=own)
    assert merged.stdout == whole.stdout
    assert "41 pieces" in merged.stderr


def test_the_command_has_the_same_words_however_it_is_done(monkeypatch):
    """So that a result that tells its command has the same bytes."""
    whole = ["judge", "--judge", "b.csv", "--top", "3", "-o", "x.json"]
    for words in (
        whole,
        ["judge", "--output=x.json", "--judge", "b.csv", "--workers", "3", "--top", "3"],
        ["judge", "--shard=1/2", "--judge", "b.csv", "--resume", "kept", "--top", "3", "-ox.json"],
        ["judge", "--cluster", "local", "--judge", "b.csv", "-o", "x.json", "--top", "3"],
    ):
        monkeypatch.setattr("sys.argv", ["concordant", *words])
        assert command_line() == whole
    with said(["judge", "b.csv"], "y.json"):
        assert command_line() == ["judge", "b.csv", "-o", "y.json"]
    with said(["judge", "b.csv"], None):
        assert command_line() == ["judge", "b.csv"]


def test_merge_writes_the_file_and_gives_the_exit_code_of_the_command(own):
    """As the command itself: a wrong ending is refused, --min ends with 1."""
    for number in (1, 2):
        run(*JUDGE[:-4], "--min", "2", "--shard", f"{number}/2", "-o", f"part{number}", cwd=own)
    whole = run(*JUDGE[:-4], "--min", "2", "-o", "whole.json", cwd=own)
    assert whole.returncode == 1
    expected = (own / "whole.json").read_bytes()  # with the command in it, and the name of the file
    (own / "whole.json").unlink()
    assert run("merge", "part1", "part2", "-o", "whole.json", cwd=own).returncode == 1
    assert (own / "whole.json").read_bytes() == expected
    wrong = run("merge", "part1", "part2", "-o", "merged.pdf", cwd=own)
    assert wrong.returncode == 2
    assert "merged.pdf: ends in .pdf" in wrong.stderr


def test_parts_that_do_not_belong_together_are_refused(own):
    """Missing, doubled, foreign and damaged parts, and inputs that changed."""
    command = COMMANDS["evaluate"]
    for number in (1, 2, 3):
        run(*command, "--shard", f"{number}/3", "-o", f"part{number}", cwd=own)
    run(*command, "--on-missing", "keep", "--shard", "3/3", "-o", "options", cwd=own)
    run(*command, "--shard", "3/4", "-o", "four", cwd=own)
    (own / "damaged").write_bytes((own / "part3").read_bytes()[:-40])
    with zipfile.ZipFile(own / "foreign", "w") as archive:
        archive.writestr("manifest.json", "[]")
    with zipfile.ZipFile(own / "part3") as archive:
        manifest = json.loads(archive.read("manifest.json"))
        piece = archive.read(name := next(iter(manifest["pieces"])))
    manifest["pieces"] = {"../outside": manifest["pieces"][name]}
    with zipfile.ZipFile(own / "hostile", "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        archive.writestr("../outside", piece)

    def refusal(*parts):
        ended = run("merge", *parts, cwd=own)
        assert (ended.returncode, ended.stdout) == (2, "")
        return ended.stderr

    assert refusal("part1") == "concordant merge: parts are missing: 2/3, 3/3; make them with --shard\n"
    assert "is part 1, as is part1; give each part once" in refusal("part1", "part2", "./part1", "part3")
    assert "options: was made with other options than part1" in refusal("part1", "part2", "options")
    assert "four: is one of 4 parts, and part1 is one of 3" in refusal("part1", "part2", "four")
    for wrong in ("damaged", "foreign", "hostile", "human.qrels"):
        assert f"{wrong}: is not a part that --shard wrote" in refusal("part1", "part2", wrong)
    run_file = next((own / "runs").iterdir())
    run_file.write_text(run_file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert f"runs/{run_file.name}: has changed since" in refusal("part1", "part2", "part3")
    run(*command, "--shard", "3/3", "-o", "part3", cwd=own)
    assert "part3: was made with other inputs than part1" in refusal("part1", "part2", "part3")


def test_a_part_needs_a_file_and_work(own):
    """What cannot be is refused with a sentence."""
    for options, why in (
        (["--shard", "1/3"], "name its file with -o"),
        (["--shard", "4/3", "-o", "x"], "write K/M, such as 1/4"),
        (["--shard", "1/2", "-o", "x", "--no-interval"], "there is no long work to share out"),
        (["--resume", "human.csv"], "human.csv is a file; give a folder"),
    ):
        ended = run("correlate", "human.csv", "noisy.csv", *options, cwd=own)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert why in ended.stderr
        assert not (own / "x").exists()
    text = (own / "human.csv").read_text(encoding="utf-8")
    ended = run("correlate", "-", "noisy.csv", "--shard", "1/2", "-o", "x", cwd=own, stdin=text)
    assert "standard input cannot be read again" in ended.stderr


def test_a_changed_input_or_option_is_noticed(own):
    """Nothing that was kept is used for another question; what is the same is used."""
    command = COMMANDS["evaluate"]
    run(*command, "--resume", "kept", cwd=own)
    changed = min((own / "runs").iterdir())
    lines = changed.read_text(encoding="utf-8").splitlines()
    changed.write_text("\n".join(lines[:-5]) + "\n", encoding="utf-8")
    again = run(*command, "--resume", "kept", cwd=own)
    assert "concordant: 8 pieces were in kept, 1 were computed" in again.stderr
    assert again.stdout == run(*command, cwd=own).stdout
    other = run(*command, "-m", "P@5", "--resume", "kept", cwd=own)
    assert "concordant: 0 pieces were in kept, 9 were computed" in other.stderr
    assert other.stdout == run(*command, "-m", "P@5", cwd=own).stdout


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system cannot kill")
@pytest.mark.parametrize(
    "command",
    [
        JUDGE,
        ["gaps", "--n-pairs", "40000", "--n-systems", "40", "--format", "json", "--workers", "1"],
        ["plan", "human.csv", "--method", "resampling", "--n-resamples", "30000", "--format", "json"],
    ],
    ids=["judge", "gaps", "plan"],
)
def test_work_that_is_killed_at_any_moment_is_taken_up(command, own):
    """Killed seven times at random moments, the command ends with the bytes of one that was left alone."""
    whole = run_process(*command, cwd=own)
    assert whole.returncode == 0, whole.stderr
    moments = random.Random(1)
    killed = reused = 0

    def pieces():
        return len(list((own / "kept").glob("[0-9a-f]*")))

    while killed < 7:
        with subprocess.Popen(
            [sys.executable, "-m", "concordant", *command, "--resume", "kept"],
            cwd=own,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            if killed % 2:  # in the middle, on a machine of any speed: after one more piece
                n_kept = pieces()
                while process.poll() is None and pieces() == n_kept:
                    time.sleep(0.01)
                time.sleep(moments.uniform(0, 0.1))
            else:
                time.sleep(moments.uniform(0.3, 1.5))
            if process.poll() is None:
                os.kill(process.pid, signal.SIGKILL)
                process.communicate()
                killed += 1
                reused = max(reused, pieces())
                continue
            found, _ = process.communicate()
            assert found.decode() == whole.stdout
            shutil.rmtree(own / "kept")  # once more from the beginning
    last = run_process(*command, "--resume", "kept", cwd=own)
    assert last.stdout == whole.stdout
    assert reused > 0
