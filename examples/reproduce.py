"""Repeat published experiments on the TREC matrices of J. Urbano's public repositories.

What the papers print and what is computed stand side by side:

    python examples/reproduce.py FOLDER

FOLDER holds adhoc8_ap.csv, adhoc8_p10.csv, adhoc8_rr.csv, adhoc5_ap.csv and adhoc6_ap.csv (topics x systems).
The tests run it on small tables with the same layout.
"""

import sys
import time
from pathlib import Path

import concordant as cd

MEASURES = {"P@10": "adhoc8_p10", "RR": "adhoc8_rr", "AP": "adhoc8_ap"}

# Radja, "Dealing with ties in rank correlation", TU Delft 2018, tables 7.2 to 7.5: the rows (reference) and
# columns (estimate) of the measures above.
THESIS = {
    0: {
        "tau_a": (0.47, 0.39, 0.49, 0.39, 0.38, 0.36, 0.49, 0.35, 0.62),
        "tau_b": (0.48, 0.40, 0.50, 0.40, 0.38, 0.36, 0.50, 0.35, 0.62),
        "tau_e": (0.44, 0.37, 0.48, 0.38, 0.38, 0.36, 0.48, 0.35, 0.62),
        "tau_ap_a": (0.47, 0.36, 0.44, 0.40, 0.34, 0.36, 0.47, 0.35, 0.56),
        "tau_ap_b": (0.48, 0.38, 0.46, 0.38, 0.34, 0.36, 0.47, 0.36, 0.56),
        "tau_ap_e": (0.44, 0.36, 0.44, 0.37, 0.34, 0.36, 0.45, 0.35, 0.56),
    },
    0.01: {
        "tau_a": (0.47, 0.39, 0.48, 0.39, 0.38, 0.35, 0.48, 0.35, 0.59),
        "tau_b": (0.52, 0.42, 0.54, 0.42, 0.41, 0.39, 0.54, 0.39, 0.68),
        "tau_e": (0.32, 0.26, 0.31, 0.26, 0.27, 0.19, 0.31, 0.19, 0.42),
        "tau_ap_a": (0.47, 0.37, 0.45, 0.39, 0.34, 0.36, 0.46, 0.34, 0.53),
        "tau_ap_b": (0.54, 0.43, 0.53, 0.43, 0.37, 0.41, 0.54, 0.41, 0.64),
        "tau_ap_e": (0.32, 0.22, 0.26, 0.24, 0.20, 0.16, 0.29, 0.17, 0.34),
    },
    0.05: {
        "tau_a": (0.35, 0.32, 0.29, 0.32, 0.33, 0.24, 0.29, 0.24, 0.28),
        "tau_b": (0.62, 0.51, 0.59, 0.51, 0.49, 0.45, 0.59, 0.45, 0.66),
        "tau_e": (0.24, 0.09, 0.23, 0.09, 0.08, -0.01, 0.23, -0.01, 0.43),
        "tau_ap_a": (0.36, 0.30, 0.26, 0.32, 0.29, 0.22, 0.28, 0.23, 0.23),
        "tau_ap_b": (0.68, 0.56, 0.64, 0.56, 0.48, 0.54, 0.64, 0.54, 0.68),
        "tau_ap_e": (0.30, 0.11, 0.20, 0.13, 0.06, 0.01, 0.27, 0.07, 0.42),
    },
    0.10: {
        "tau_a": (0.22, 0.20, 0.11, 0.20, 0.21, 0.09, 0.11, 0.09, 0.07),
        "tau_b": (0.71, 0.54, 0.53, 0.54, 0.50, 0.39, 0.53, 0.40, 0.55),
        "tau_e": (0.62, 0.33, 0.53, 0.33, 0.21, 0.26, 0.54, 0.27, 0.76),
        "tau_ap_a": (0.24, 0.18, 0.09, 0.20, 0.17, 0.07, 0.10, 0.08, 0.05),
        "tau_ap_b": (0.79, 0.64, 0.64, 0.64, 0.55, 0.55, 0.64, 0.55, 0.58),
        "tau_ap_e": (0.66, 0.37, 0.46, 0.40, 0.26, 0.28, 0.54, 0.39, 0.76),
    },
}

# What explains the cells that differ by more than 0.01: the form that the thesis used, and no ties at a
# difference of exactly 0.1, of which rounding leaves about a half.
OTHERWISE = {
    "tau_ap_a": "tau_ap_a(form=two_term)",
    "tau_e(0.1)": "tau_e(0.0999)",
    "tau_ap_e(0.1)": "tau_ap_e(0.0999)",
}

# Gao and Oard, "A head-weighted gap-sensitive correlation coefficient", SIGIR 2015, section 4.1.
SWAPS = {
    "significant": {"pearson_r": 0.70, "tau_ap": 0.68, "tau_gap": 0.65},
    "not significant": {"pearson_r": 0.99, "tau_ap": 0.92, "tau_gap": 0.97},
}

# Urbano and Marrero, "Toward estimating the rank correlation between the test collection results and the true
# system performance", SIGIR 2016, and their program: TREC 6, 74 systems, 50 topics.
EXPECTED = {"tau": 0.8600266, "tau_ap": 0.816099}


# Buckley and Voorhees (2000) and Voorhees and Buckley (2002) on these matrices: error rate and ties over 2000
# random halves of the TREC-8 topics, within 5 % of the smaller mean, computed by another program.
STABILITY = {"P@10": (0.0304, 0.1220), "RR": (0.0427, 0.1390), "AP": (0.0219, 0.0966)}


def matrix(folder: Path, *stems: str) -> cd.Scores:
    """Read matrices whose rows are topics and whose columns are systems."""
    return cd.read_scores([folder / f"{stem}.csv" for stem in stems], systems="columns")


def text_of(name: str, threshold: float) -> str:
    """Return the coefficient of a table.

    With thresholds, the thesis counts a pair that is tied on the other side as neither concordant nor
    discordant.
    """
    if threshold == 0:
        return name
    return f"{name}({threshold:g}{', tied=neutral' if name == 'tau_ap_b' else ''})"


def predict(folder: Path, n_splits: int) -> None:
    """Thesis, section 7.1."""
    scores = matrix(folder, *MEASURES.values())
    names = {text_of(name, w): (name, w) for w, table in THESIS.items() for name in table}
    start = time.perf_counter()
    # Of the drop rules that the text allows, the one that fits best: four runs by name, then the bottom
    # quarter by MAP.
    result = cd.experiments.predict(
        scores,
        [*names, *OTHERWISE.values()],
        n_splits=n_splits,
        drop=["run28", "run59", "run70", "run95"],
        drop_bottom=0.25,
        bottom_by="adhoc8_ap",
        rng=1,
        workers=-1,
    )
    taken = time.perf_counter() - start
    print(
        f"Prediction across halves of the TREC-8 topics, {result.options['systems']} systems, {taken:.2f} s"
    )
    print("cells: reference P@10, RR, AP x estimate P@10, RR, AP; the thesis above, computed below\n")
    found: dict[str, list[float]] = {}
    for prediction in result.predictions:
        found.setdefault(str(prediction.coefficient), []).append(prediction.mean)
    apart = []
    for text, (name, w) in names.items():
        printed = THESIS[w][name]
        cells = [f"{y} predicts {x}" for x in MEASURES for y in MEASURES]
        three = zip(cells, printed, found[text], found[OTHERWISE.get(text, text)], strict=True)
        apart += [(text, *cell) for cell in three if abs(cell[1] - cell[2]) > 0.01]
        worst = max(abs(a - b) for a, b in zip(printed, found[text], strict=True))
        print(f"{text:<28}" + " ".join(f"{value:6.2f}" for value in printed))
        print(
            " " * 28
            + " ".join(f"{value:6.3f}" for value in found[text])
            + f"   largest difference {worst:.3f}"
        )

    print(f"\n{9 * len(names) - len(apart)} of {9 * len(names)} cells differ by 0.01 or less; the others:\n")
    for text, cell, a, b, c in apart:
        other = f"   {OTHERWISE[text]} {c:.4f}" if text in OTHERWISE else ""
        print(f"{text:<28} {cell:<20} thesis {a:.2f}   computed {b:.4f}{other}")

    print("\ntau_b of a prediction minus that of self-prediction; splits in which it is the larger one\n")
    for row in result.predictions:
        if str(row.coefficient) == "tau_b" and row.difference is not None:
            print(f"{row.estimate:<12} predicts {row.reference:<12} {row.difference:+.3f} {row.won:6.1%}")


def swap(folder: Path, n_draws: int) -> None:
    """Gao and Oard, section 4.1."""
    result = cd.experiments.swap(matrix(folder, "adhoc5_ap"), n_draws=n_draws, rng=1)
    print(f"\nFive swaps among the TREC-5 systems ({'; '.join(map(str, result.notes))})\n")
    for each in result.swaps:
        name = str(each.coefficient)
        printed = SWAPS[each.pairs][name]
        print(f"{each.pairs:<16} {name:<10} paper {printed:.2f}   computed {each.mean:.3f}")


def gaps(n_pairs: int) -> None:
    """Gao, Bagdouri and Oard (2016), section 3: what the text prints."""
    printed = {
        ("zipf", "zipf"): (0.55, 0.95),
        ("zipf", "normal"): (None, 0.91),
        ("zipf", "uniform"): (0.51, 0.87),
    }
    print(f"\nPearson Rank of sorted samples, minimum and median of {n_pairs:,}\n")
    for each in cd.experiments.gaps(n_pairs=n_pairs, rng=1, workers=-1).quartiles:
        paper = printed.get((each.reference, each.estimate), ())
        shown = "   paper " * bool(paper) + " ".join("   -" if v is None else f"{v:.2f}" for v in paper)
        print(f"{each.reference:<8} {each.estimate:<8} {each.minimum:.3f} {each.median:.3f}{shown}")


def expected(folder: Path) -> None:
    """Urbano and Marrero (2016), with their method."""
    print("\nExpected correlation of the TREC-6 ranking with the true one\n")
    for name, printed in EXPECTED.items():
        scores = matrix(folder, "adhoc6_ap")
        (found,) = cd.plan(scores, name, n_topics=len(scores.topics), method="msqd").curve
        print(f"{name:<10} published {printed:.7f}   computed {found.expected:.7f}")


def stability(folder: Path, n_draws: int) -> None:
    """Buckley and Voorhees (2000), Voorhees and Buckley (2002) and Sakai (2006)."""
    scores = matrix(folder, *MEASURES.values())
    result = cd.experiments.stability(scores, n_draws=n_draws, rng=1, workers=-1)
    print(f"\nStability of measures on {result.rates[0].topics} of {len(scores.topics)} TREC-8 topics\n")
    for row, (name, printed) in zip(result.rates, STABILITY.items(), strict=False):
        both = zip(("error", "ties"), printed, (row.error, row.ties), strict=True)
        shown = "   ".join(f"{what} reference {a:.4f} computed {b:.4f}" for what, a, b in both)
        print(f"{name:<6} {shown}   difference needed {row.difference_needed}   power {row.power:.3f}")


def main(folder: Path, quick: bool = False) -> None:
    """Repeat everything; quickly with few random draws."""
    predict(folder, 20 if quick else 2000)
    swap(folder, 5 if quick else 1000)
    gaps(200 if quick else 100_000)
    expected(folder)
    stability(folder, 20 if quick else 2000)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
