"""The command line: parse, call, print. Slow imports wait until a command needs them."""

from concordant.cli.main import main

__all__ = ["main"]
