"""All commands of the program, in the order of its help. A command is loaded when it is used."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import click

from concordant._version import __version__
from concordant.cli.debug import debug

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


ALIASES = {"corr": "correlate", "by_topic": "by-topic"}

# Name of a command: the file that has it, and its line in the help of the program.
_COMMANDS = {
    "correlate": ("about_systems", "Correlate rankings of systems by mean score."),
    "judge": ("about_systems", "Judge how well estimates rank the systems."),
    "by-topic": ("about_systems", "Correlate topic by topic, beside the correlation of means."),
    "explain": ("about_systems", "Explain why two rankings of systems do not agree more."),
    "matrix": ("about_systems", "Correlate all pairs of rankings."),
    "sweep": ("about_systems", "Follow coefficients as the threshold for ties grows."),
    "runs": ("about_runs", "Compare runs with each other, without judgements."),
    "plan": ("about_systems", "Plan the number of topics."),
    "grouped": ("about_data", "Correlate within each of many groups, in files of any size."),
    "evaluate": ("about_data", "Evaluate runs by judgements and write a table of scores."),
    "demo": ("about_data", "Simulate a small test collection and judge two judges on it."),
    "choose": ("about_coefficients", "Advise which coefficient fits the question."),
    "list": ("about_coefficients", "List all coefficients and what they declare."),
    "axioms": ("about_coefficients", "Try the five axioms of graded rankings on a coefficient."),
    "predict": ("about_experiments", "Experiment: does a measure predict another on other topics?"),
    "pool": ("about_experiments", "Experiment: how far can judgements be thinned out?"),
    "swap": ("about_experiments", "Experiment: what does swapping two systems cost?"),
    "gaps": ("about_experiments", "Experiment: what do gaps between scores change?"),
    "grades": ("about_experiments", "Experiment: what do the grades of documents change?"),
    "reuse": ("about_experiments", "Experiment: can judgements be used again for new systems?"),
    "merge": ("merge", "Put the parts that --shard wrote together."),
    "completion": ("completion", "Print the script that lets a shell complete commands."),
}


class _OnDemand(Mapping[str, click.Command]):
    """The commands by name. Loading them all takes longer than printing help."""

    def __getitem__(self, name: str) -> click.Command:
        module = importlib.import_module(f"concordant.cli.{_COMMANDS[name][0]}")
        found: click.Command = next(each for each in module.COMMANDS if each.name == name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


class Program(click.Group):
    """Lists commands in their order, and knows other names of some."""

    def list_commands(self, _: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Find a command, also by another name."""
        return super().get_command(ctx, ALIASES.get(cmd_name, cmd_name))

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in the help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_file, line) in _COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin so."""
        from click.shell_completion import CompletionItem

        begun = ((name, line) for name, (_file, line) in _COMMANDS.items() if name.startswith(incomplete))
        own = click.Command.shell_complete(self, ctx, incomplete)
        return [*(CompletionItem(name, help=line) for name, line in begun), *own]


@click.group(
    cls=Program,
    commands=_OnDemand(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="concordant")
@debug
def program() -> None:
    """Say how well two rankings agree.

    \b
    Examples:
      concordant correlate human.csv gpt.csv
      concordant judge --runs 'runs/*' --qrels human.qrels --judge gpt.qrels -m nDCG@10
      concordant demo
    """
