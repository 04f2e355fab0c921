"""The gallery: every figure with the command that draws it; and the example of each command's page."""

from __future__ import annotations

from typing import NamedTuple


class Shown(NamedTuple):
    """An example of a command. With a figure, it is also in the gallery."""

    commands: str
    question: str = ""
    figure: str = ""  # name of the figure in Python
    alt: str = ""
    guide: str = ""  # the page that explains it, below docs

    @property
    def file(self) -> str:
        """The file of the figure."""
        return self.commands.split()[-1].partition("=")[2] or self.commands.split()[-1]


_JUDGES = """concordant judge --reference human.csv \\
    --judge noisy.csv --judge partial.csv"""
LEAD = (
    "Each figure answers a question. The title of most is what the data show. `--plot figure.pdf` draws "
    "it for a paper, `--width 8.5cm` for one column; `.svg`, `.png` and `.html` work, too."
)
# By command; the first is the example of its page.
EXAMPLES: dict[str, tuple[Shown, ...]] = {
    "judge": (
        Shown(
            f"{_JUDGES} --plot judges.svg",
            "Which judge ranks the systems as people do?",
            "judges",
            "A row for each judge: its coefficient with the interval, a dashed line at what other topics "
            "would reach, what both share of the top 10, and how many significant differences it reverses.",
            "guides/judges",
        ),
        Shown(
            f"{_JUDGES} --plot topics=topics.svg",
            "On which topics does a judge fail?",
            "topics",
            "A strip for each judge, with a dot for the coefficient of each topic; the lowest are named.",
            "guides/judges",
        ),
        Shown(
            f"{_JUDGES} \\\n    --group-by '^[a-z]+' --plot groups=groups.svg",
            "Does one family of systems make a judge look bad?",
            "groups",
            "A dot for each family of systems: the coefficient without it, and how much a judge favours it.",
            "guides/judges",
        ),
    ),
    "correlate": (
        Shown(
            "concordant correlate human.csv partial.csv --plot ranks=ranks.svg",
            "Which systems change places?",
            "ranks",
            "The ranks of 24 systems on both sides, joined by lines; those that move most are coloured.",
            "guides/csv",
        ),
        Shown(
            "concordant correlate human.csv partial.csv \\\n    --plot significance=significance.svg",
            "Which differences are significant, and which are reversed?",
            "significance",
            "A cell for each pair of systems: significant on both sides, on one, on none, or reversed.",
            "guides/judges",
        ),
        Shown(
            "concordant demo benchmarks demo\nconcordant correlate demo/new.csv demo/boards/*.csv \\\n"
            "    --on-missing drop --plot benchmarks.svg",
            "Does a new benchmark agree with the established ones?",
            "judges",
            "A row for each of nine benchmarks: its coefficient with the new one, and the interval.",
            "guides/benchmarks",
        ),
    ),
    "board": (
        Shown(
            "concordant demo board demo\nconcordant board demo/scores.csv --plot board.svg",
            "Which ranks of a leaderboard are real?",
            "board",
            "A row for each of ten models: its mean with the interval, and the ranks that it may have.",
            "guides/board",
        ),
    ),
    "by-topic": (
        Shown(
            "concordant by-topic human.csv noisy.csv --plot by-topic.svg",
            "Do the rankings agree on each topic?",
            "topics",
            "The coefficients of 50 topics in order, with the coefficient of the means as a line.",
            "guides/measures",
        ),
    ),
    "explain": (Shown("concordant explain human.csv partial.csv -c tau_ap_b"),),
    "matrix": (
        Shown(
            "concordant matrix human.csv noisy.csv partial.csv ap.csv rr.csv \\\n    --plot matrix.svg",
            "Which of many rankings are alike?",
            "matrix",
            "A heat map of the coefficients of all pairs of rankings, similar ones beside each other.",
            "guides/measures",
        ),
    ),
    "sweep": (
        Shown(
            "concordant sweep human.csv noisy.csv --plot sweep.svg",
            "What changes if small differences are ties?",
            "thresholds",
            "Curves of the coefficients over the threshold up to which a difference is a tie.",
            "guides/measures",
        ),
    ),
    "runs": (
        Shown(
            "concordant runs runs/* --plot matrix=runs.svg",
            "Which systems retrieve the same documents?",
            "matrix",
            "A heat map of rank-biased overlap of all pairs of 24 runs; families of systems are blocks.",
            "guides/lists",
        ),
    ),
    "plan": (
        Shown(
            "concordant plan human.csv --target 0.9 --plot plan.svg",
            "How many topics are enough?",
            "plan",
            "The expected correlation with the true ranking over the number of topics, with the target.",
            "guides/planning",
        ),
    ),
    "experiment predict": (
        Shown(
            "concordant experiment predict --seed 1 --plot predict.svg",
            "Does one measure predict another on other topics?",
            "measures",
            "A heat map for each coefficient: rows and columns are measures.",
            "experiments/predict",
        ),
    ),
    "experiment pool": (
        Shown(
            "concordant experiment pool --seed 1 --plot pool.svg",
            "How far can judgements be thinned out?",
            "shares",
            "Curves of the coefficients over the share of the judgements that is kept.",
            "experiments/pool",
        ),
        Shown(
            "concordant experiment pool --seed 1 --percents 5,10,30 \\\n    --plot scatter=scatter.svg",
            "Are single topics as stable as the means?",
            "scatter",
            "Inferred AP against AP, for the means and for topics that agree most, middling and least.",
            "experiments/pool",
        ),
    ),
    "experiment swap": (
        Shown(
            "concordant experiment swap --seed 1 --plot swap.svg",
            "What does it cost to swap two systems?",
            "weights",
            "Heat maps of the cost of swapping the systems of two ranks, one for each coefficient.",
            "experiments/swap",
        ),
    ),
    "experiment gaps": (Shown("concordant experiment gaps --seed 1"),),
    "experiment reuse": (
        Shown(
            "concordant experiment reuse --seed 0 --plot reuse.svg",
            "Can judgements be used again for new systems?",
            "systems",
            "A point for each system: its score without its own judgements against that with them.",
            "experiments/reuse",
        ),
    ),
    "experiment stability": (
        Shown(
            "concordant experiment stability --seed 1 --plot stability.svg",
            "Would other topics lead to another conclusion?",
            "rates",
            "How often two sets of topics lead to opposite conclusions, by the number of topics.",
            "experiments/stability",
        ),
    ),
    "experiment grades": (
        Shown(
            "concordant experiment grades --seed 1 --plot grades.svg",
            "How much do grades change what a coefficient says?",
            "values",
            "Each coefficient with grades against its base without, as a heat map of all pairs of runs.",
            "experiments/grades",
        ),
    ),
    "evaluator": (
        Shown(
            "mkdir judges\ncp noisy.csv partial.csv judges\n"
            "concordant evaluator human.csv judges out\nls out"
        ),
    ),
    "grouped": (
        Shown(
            "printf 'query,human,judge\\n1,3,2\\n1,2,3\\n1,1,1\\n2,2,3\\n2,1,1\\n' > pairs.csv\n"
            "concordant grouped pairs.csv --by query -x human -y judge -c tau_b"
        ),
    ),
    "coefficients list": (Shown("concordant coefficients list"),),
    "coefficients choose": (Shown("concordant coefficients choose --ties undecided --top-weighted"),),
    "coefficients axioms": (Shown("concordant coefficients axioms tau_ap_b"),),
    "evaluate": (
        Shown("concordant evaluate --runs 'runs/*' --qrels human.qrels -m AP -o ap2.csv\nhead -n 3 ap2.csv"),
    ),
    "show": (
        Shown(
            "concordant correlate human.csv noisy.csv -o answer.json\n"
            "concordant show answer.json --table systems --format csv | head -n 4"
        ),
    ),
    "demo": (Shown("concordant demo demo"),),
    "completion": (Shown("concordant completion bash | head -n 4"),),
}  # fmt: skip


def example(each: Shown, *options: str) -> list[str]:
    """Return the directive that runs an example."""
    drawn = [f":figure: {each.file}", f':alt: "{each.alt}"'] if each.figure else []
    return ["```{example}", *drawn, *options, each.commands, "```", ""]


def anchor(command: str, each: Shown) -> str:
    """Return the name of the section of a figure."""
    return f"gallery-{command.rpartition(' ')[2]}-{each.figure}"


def pages() -> dict[str, str]:
    """Return the page: thumbnails, and a section for each figure."""
    shown = [(name, each) for name, examples in EXAMPLES.items() for each in examples if each.figure]
    lines = [
        "# Gallery",
        "",
        LEAD,
        "",
        "::::{grid} 1 2 3 3",
        ":gutter: 3",
        ":class-container: gallery",
        "",
    ]
    for name, each in shown:
        lines += [f":::{{grid-item-card}} {each.question}", f":link: {anchor(name, each)}", ":link-type: ref"]
        lines += ["", *example(each, ":hide: both"), ":::", ""]
    lines += ["::::", ""]
    for name, each in shown:
        page = f"../reference/commands/{name.replace(' ', '-')}.md"
        lines += [f"({anchor(name, each)})=", f"## {each.question}", "", *example(each, ":hide: output")]
        of = f'In Python `cd.plot(result, "{each.figure}")` draws it. '
        lines += [f"{of}[The guide](../{each.guide}.md) explains it; [`{name}`]({page}) has all options.", ""]
    return {"index.md": "\n".join(lines)}
