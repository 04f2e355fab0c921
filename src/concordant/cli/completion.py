"""The command for shells: completion."""

from __future__ import annotations

import sys

import click
from click.shell_completion import get_completion_class

from concordant.cli.command import named
from concordant.cli.debug import debug


@named("completion", no_args_is_help=True)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), metavar="SHELL")
@debug
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
    from concordant.cli.program import program

    kind = get_completion_class(shell)
    assert kind is not None  # click has all three
    sys.stdout.write(kind(program, {}, "concordant", "_CONCORDANT_COMPLETE").source() + "\n")


COMMANDS = (completion,)
