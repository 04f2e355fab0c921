"""The demonstrations of boards find what was planted in the scores that they simulate."""

import concordant as cd


def test_the_demonstration_of_a_board_finds_its_two_tiers(tmp_path):
    """Five models are strong, five are weak (`simulate.board_scores`)."""
    result = cd.experiments.demo(tmp_path / "new", what="board")
    assert [each.tier for each in result.systems] == [1] * 5 + [2] * 5
    (told,) = [note for note in result.notes if note.kind == "demo"]
    assert told.values == {"found": True}
    again = cd.board(tmp_path / "new" / "scores.csv")
    assert again.systems == result.systems


def test_the_demonstration_of_benchmarks_finds_the_one_that_favours_some_models(tmp_path):
    """Four weak models have a bonus in the new benchmark (`simulate.benchmark_scores`)."""
    result = cd.experiments.demo(tmp_path / "new", what="benchmarks")
    (standing,) = result.standing
    assert standing.decision == "less"
    assert all(each.system.endswith("-chat") for each in result.causes[:4])
    (told,) = [note for note in result.notes if note.kind == "demo"]
    assert told.values == {"found": True, "models": 4}
    boards = {path.stem for path in (tmp_path / "new" / "boards").glob("*.csv")}
    assert boards == {each.estimate for each in result.agreement}
