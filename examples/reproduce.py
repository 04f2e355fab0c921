"""Repeat published experiments on the TREC matrices of J. Urbano's public repositories, printed and computed side by side.

    python examples/reproduce.py FOLDER

FOLDER holds adhoc8_ap.csv, adhoc8_p10.csv, adhoc8_rr.csv and adhoc5_ap.csv (topics x systems).
"""

import sys
import time
from pathlib import Path

import concordant as cd

MEASURES = {"P@10": "adhoc8_p10", "RR": "adhoc8_rr", "AP": "adhoc8_ap"}

# Radja, "Dealing with ties in rank correlation", TU Delft 2018, tables 7.2 to 7.5: the rows (truth) and columns (observer)
# of the measures above.
THESIS = {
    0: {
        "tau_a": (.47, .39, .49, .39, .38, .36, .49, .35, .62), "tau_b": (.48, .40, .50, .40, .38, .36, .50, .35, .62),
        "tau_e": (.44, .37, .48, .38, .38, .36, .48, .35, .62), "tau_ap_a": (.47, .36, .44, .40, .34, .36, .47, .35, .56),
        "tau_ap_b": (.48, .38, .46, .38, .34, .36, .47, .36, .56), "tau_ap_e": (.44, .36, .44, .37, .34, .36, .45, .35, .56),
    },
    0.01: {
        "tau_a": (.47, .39, .48, .39, .38, .35, .48, .35, .59), "tau_b": (.52, .42, .54, .42, .41, .39, .54, .39, .68),
        "tau_e": (.32, .26, .31, .26, .27, .19, .31, .19, .42), "tau_ap_a": (.47, .37, .45, .39, .34, .36, .46, .34, .53),
        "tau_ap_b": (.54, .43, .53, .43, .37, .41, .54, .41, .64), "tau_ap_e": (.32, .22, .26, .24, .20, .16, .29, .17, .34),
    },
    0.05: {
        "tau_a": (.35, .32, .29, .32, .33, .24, .29, .24, .28), "tau_b": (.62, .51, .59, .51, .49, .45, .59, .45, .66),
        "tau_e": (.24, .09, .23, .09, .08, -.01, .23, -.01, .43), "tau_ap_a": (.36, .30, .26, .32, .29, .22, .28, .23, .23),
        "tau_ap_b": (.68, .56, .64, .56, .48, .54, .64, .54, .68), "tau_ap_e": (.30, .11, .20, .13, .06, .01, .27, .07, .42),
    },
    0.10: {
        "tau_a": (.22, .20, .11, .20, .21, .09, .11, .09, .07), "tau_b": (.71, .54, .53, .54, .50, .39, .53, .40, .55),
        "tau_e": (.62, .33, .53, .33, .21, .26, .54, .27, .76), "tau_ap_a": (.24, .18, .09, .20, .17, .07, .10, .08, .05),
        "tau_ap_b": (.79, .64, .64, .64, .55, .55, .64, .55, .58), "tau_ap_e": (.66, .37, .46, .40, .26, .28, .54, .39, .76),
    },
}  # fmt: skip

# Gao and Oard, "A head-weighted gap-sensitive correlation coefficient", SIGIR 2015, section 4.1.
SWAPS = {
    "significant": {"pearson_r": 0.70, "tau_ap": 0.68, "tau_gap": 0.65},
    "not significant": {"pearson_r": 0.99, "tau_ap": 0.92, "tau_gap": 0.97},
}


def text_of(name: str, threshold: float) -> str:
    """Return the coefficient of a table; with thresholds the thesis counts a tie on the other side as neither."""
    if threshold == 0:
        return name
    return f"{name}({threshold:g}{', tied=neutral' if name == 'tau_ap_b' else ''})"


def predict(folder: Path) -> None:
    """Thesis, section 7.1."""
    scores = cd.read_scores([folder / f"{stem}.csv" for stem in MEASURES.values()])
    names = {text_of(name, w): (name, w) for w, table in THESIS.items() for name in table}
    start = time.perf_counter()
    # Of the drop rules that the text allows, the one that fits best: four runs by name, then the bottom quarter by MAP.
    result = cd.experiments.predict(
        scores, list(names), drop=["run28", "run59", "run70", "run95"], drop_bottom=0.25, bottom_by="adhoc8_ap", rng=1,
        workers=-1,
    )  # fmt: skip
    taken = time.perf_counter() - start
    print(f"Prediction across halves of the TREC-8 topics, {result.config['systems']} systems, {taken:.2f} s")
    print("cells: truth P@10, RR, AP x observer P@10, RR, AP; the thesis above, computed below\n")
    found: dict[str, list[float]] = {name: [] for name in names}
    for row in result["predict"].to_dicts():
        found[row["coefficient"]].append(row["mean"])
    for text, (name, w) in names.items():
        printed = THESIS[w][name]
        worst = max(abs(a - b) for a, b in zip(printed, found[text], strict=True))
        print(f"{text:<28}" + " ".join(f"{value:6.2f}" for value in printed))
        print(
            " " * 28
            + " ".join(f"{value:6.3f}" for value in found[text])
            + f"   largest difference {worst:.3f}"
        )


def swap(folder: Path) -> None:
    """Gao and Oard, section 4.1."""
    result = cd.experiments.swap(cd.read_scores(folder / "adhoc5_ap.csv"), n_draws=1000, rng=1)
    print(f"\nFive swaps among the TREC-5 systems ({'; '.join(result.notes)})\n")
    for row in result["swap"].to_dicts():
        printed = SWAPS[row["pairs"]][row["coefficient"]]
        print(f"{row['pairs']:<16} {row['coefficient']:<10} paper {printed:.2f}   computed {row['mean']:.3f}")


def gaps() -> None:
    """Gao, Bagdouri and Oard (2016), section 3: what the text prints."""
    printed = {
        ("zipf", "zipf"): (0.55, 0.95),
        ("zipf", "normal"): (None, 0.91),
        ("zipf", "uniform"): (0.51, 0.87),
    }
    print("\nPearson Rank of sorted samples, minimum and median of 100,000\n")
    for row in cd.experiments.gaps(rng=1, workers=-1)["gaps"].to_dicts():
        paper = printed.get((row["reference"], row["estimate"]))
        shown = (
            ""
            if paper is None
            else "   paper " + " ".join("   -" if v is None else f"{v:.2f}" for v in paper)
        )
        print(f"{row['reference']:<8} {row['estimate']:<8} {row['minimum']:.3f} {row['median']:.3f}{shown}")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(__doc__)
    predict(Path(sys.argv[1]))
    swap(Path(sys.argv[1]))
    gaps()
