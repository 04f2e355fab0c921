"""The program and its groups of commands, in the order of the help. A command is loaded when it is used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from concordant._version import __version__

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# Heading: name of a command: the file and the name of its function, and its line in the help of the group.
Sections = Mapping[str, Mapping[str, tuple[str, str]]]

_PROGRAM: Sections = {
    "Compare rankings": {
        "correlate": ("about_systems.correlate", "Correlate rankings of systems by mean score."),
        "judge": ("about_systems.judge", "Judge how well estimates rank the systems."),
        "evaluator": ("about_systems.evaluator", "Judge all tables of a folder, as an evaluator of TIRA."),
        "by-topic": ("about_systems.by_topic", "Correlate topic by topic, beside the correlation of means."),
        "explain": ("about_systems.explain", "Explain why two rankings of systems do not agree more."),
        "board": ("about_systems.board", "Say which ranks of a leaderboard are real."),
        "matrix": ("about_systems.matrix", "Correlate all pairs of rankings."),
        "sweep": ("about_systems.sweep", "Follow coefficients as the threshold for ties grows."),
        "runs": ("about_data.runs", "Compare runs with each other, without judgements."),
        "labels": ("about_systems.labels", "Compare the labels of raters, and what they make of systems."),
        "metrics": ("about_systems.metrics", "Compare metrics of machine translation with people."),
        "grouped": ("about_data.grouped", "Correlate within each of many groups, in files of any size."),
    },
    "Choose and plan": {
        "coefficients": ("program.coefficients", "List coefficients, choose or identify one."),
        "plan": ("about_systems.plan", "Plan the number of topics."),
    },
    "Make data, show results": {
        "evaluate": ("about_data.evaluate", "Evaluate runs by judgements and write a table of scores."),
        "show": ("about_data.show", "Show a saved result again: print, write or draw it."),
        "demo": ("about_data.demo", "Simulate a small test collection and judge two judges on it."),
    },
    "Repeat published experiments": {
        "experiment": ("program.experiment", "Run one of seven experiments, on your data or simulated ones."),
    },
    "Set up a shell": {
        "completion": ("program.completion", "Print the script that lets a shell complete commands."),
    },
}
_COEFFICIENTS: Sections = {
    "Commands": {
        "list": ("about_coefficients.listed", "List all coefficients and what they declare."),
        "choose": ("about_coefficients.choose", "Advise which coefficient fits the question."),
        "identify": ("about_coefficients.identify", "Find which coefficient gives a printed number."),
        "axioms": ("about_coefficients.axioms", "Check the axioms of graded rankings for a coefficient."),
    }
}
_EXPERIMENTS: Sections = {
    "Experiments": {
        "predict": ("about_experiments.predict", "Does a measure predict another on other topics?"),
        "pool": ("about_experiments.pool", "How far can judgements be thinned out?"),
        "swap": ("about_experiments.swap", "What does swapping two systems cost?"),
        "gaps": ("about_experiments.gaps", "What do gaps between scores change?"),
        "grades": ("about_experiments.grades", "What do the grades of documents change?"),
        "reuse": ("about_experiments.reuse", "Can judgements be used again for new systems?"),
        "stability": ("about_experiments.stability", "Would other topics lead to another conclusion?"),
    }
}

DEBUG = click.Option(
    ["--debug"], is_flag=True, expose_value=False, help="On an error, show where in the program it happened."
)


class Group(click.Group):
    """A group of commands under headings. `first` is the command that is meant if none is named."""

    def __init__(self, *arguments: Any, sections: Sections, first: str = "", **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.sections, self.first = sections, first
        self.lines = {name: line for each in sections.values() for name, line in each.items()}

    def list_commands(self, _: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.lines)

    def get_command(self, _: click.Context, cmd_name: str) -> click.Command | None:
        """Find a command."""
        if cmd_name not in self.lines:
            return None
        module, _dot, function = self.lines[cmd_name][0].partition(".")
        found: click.Command = getattr(importlib.import_module(f"concordant.cli.{module}"), function)
        return found

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Name the first command if there are only options."""
        named = args and (not args[0].startswith("-") or args[0] in ctx.help_option_names)
        if self.first and not named and not ctx.resilient_parsing:
            args = [self.first, *args]
        return super().parse_args(ctx, args)

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in the help."""
        width = max(map(len, self.lines))
        for heading, commands in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<{width}}", line) for name, (_, line) in commands.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin so."""
        from click.shell_completion import CompletionItem

        begun = ((name, line) for name, (_, line) in self.lines.items() if name.startswith(incomplete))
        own = click.Command.shell_complete(self, ctx, incomplete)
        return [*(CompletionItem(name, help=line) for name, line in begun), *own]


@click.group(
    cls=Group,
    sections=_PROGRAM,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    params=[DEBUG],
)
@click.version_option(__version__, prog_name="concordant")
def program() -> None:
    """Say how well two rankings agree.

    \b
    Examples:
      concordant correlate human.csv gpt.csv
      concordant judge --runs 'runs/*' --qrels human.qrels --judge gpt.qrels -m nDCG@10
      concordant demo
    """


@click.group("coefficients", cls=Group, sections=_COEFFICIENTS, first="list", params=[DEBUG])
def coefficients() -> None:
    """List the coefficients, choose one, or check its axioms. Without a command, list them.

    \b
    Examples:
      concordant coefficients
      concordant coefficients choose --ties undecided --top-weighted

    \b
    How a coefficient is written, wherever one is asked for:
      tau_b                    a name
      tau_b(0.05)              differences up to 0.05 are ties
      tau_ap_b(0.05, 0.1)      a threshold for the reference, and one for the estimate
      tau_b(5%)                differences up to 5 % of the smaller score are ties
      tau_b(5% of larger)      the same of the larger score
      tau_ap(symmetric)        the mean of both directions
      tau_ap_b(walks=y)        an option of the function tau_ap_b
      tau_b@10                 the 10 best of the reference
    """


@click.group("experiment", cls=Group, sections=_EXPERIMENTS, params=[DEBUG])
def experiment() -> None:
    """Repeat a published experiment on your own data; without data, on a simulated collection.

    \b
    Example:
      concordant experiment swap ap.csv --plot swap.pdf
    """


@click.command("completion", no_args_is_help=True, params=[DEBUG])
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), metavar="SHELL")
def completion(shell: str) -> None:
    """Print the script that lets a shell complete commands, options, coefficients, tables and files.

    SHELL is bash (4.4 or newer), zsh or fish. Save the script once. For bash and zsh, add a line to the
    file that the shell reads when it starts: "source ~/.concordant.bash" to ~/.bashrc, or
    "source ~/.concordant.zsh" to ~/.zshrc, after compinit.

    \b
    Examples:
      concordant completion bash > ~/.concordant.bash
      concordant completion zsh > ~/.concordant.zsh
      concordant completion fish > ~/.config/fish/completions/concordant.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # click has all three
    sys.stdout.write(kind(program, {}, "concordant", "_CONCORDANT_COMPLETE").source() + "\n")


def all_commands(group: Group = program) -> dict[str, click.Command]:
    """Return the commands by the words that are typed, such as "experiment swap", without their groups."""
    context = click.Context(group)
    found: dict[str, click.Command] = {}
    for name in group.lines:
        command = group.get_command(context, name)
        if isinstance(command, Group):
            found |= {f"{name} {below}": each for below, each in all_commands(command).items()}
        elif command is not None:
            found[name] = command
    return found
