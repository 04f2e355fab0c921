"""Draw how much the first k ranks weigh in rank-biased overlap, for docs/lists.md."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from tables import PERSISTENCES, weight

DEPTHS = np.unique(np.geomspace(1, 1000, 60).round().astype(int)).tolist()


def main() -> None:
    """Write the figure."""
    figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
    for p in PERSISTENCES:
        axes.plot(DEPTHS, [weight(p, k) for k in DEPTHS], label=f"p = {p:g}")
    axes.set(xscale="log", ylim=(0, 1.02), xlabel="first k ranks", ylabel="weight")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(Path(__file__).parent / "figures" / "rbo_weights.png", dpi=110)


if __name__ == "__main__":
    main()
