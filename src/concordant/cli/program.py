"""All commands of the program, in the order of its help."""

from __future__ import annotations

import click

from concordant import __version__
from concordant.cli import advice, data, experiments, grouped, judging, merge, planning, runs
from concordant.cli.options import debug

__all__ = ["program"]

ALIASES = {"corr": "correlate", "by_topic": "by-topic"}


class Program(click.Group):
    """A group of commands, listed in the order in which they were added; some have second names."""

    def list_commands(self, _: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Find a command, also by another name."""
        return super().get_command(ctx, ALIASES.get(cmd_name, cmd_name))


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
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


for command in (
    *judging.COMMANDS,
    *runs.COMMANDS,
    *planning.COMMANDS,
    *grouped.COMMANDS,
    *data.COMMANDS,
    *advice.COMMANDS,
    *experiments.COMMANDS,
    *merge.COMMANDS,
):
    program.add_command(command)
