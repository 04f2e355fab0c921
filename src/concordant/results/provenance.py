"""Where a result comes from: the command that made it, and the files that were read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(frozen=True)
class Input:
    """A file that was read.

    Attributes
    ----------
    file : str
        Its name as it was given; "-" is standard input.
    bytes : int or None
        Its size; None for a pipe, which can be read only once.
    sha256 : str or None
        The SHA-256 checksum of the file on the disk; None for a pipe.
    """

    file: str
    bytes: int | None = None
    sha256: str | None = None


@dataclass(frozen=True)
class Provenance:
    """Where a result comes from.

    Attributes
    ----------
    command : str or None
        The command line, quoted for a shell.
    inputs : tuple of Input
        The files that were read.
    """

    command: str | None = None
    inputs: tuple[Input, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return command and inputs as plain values."""
        return {"command": self.command, "inputs": [asdict(each) for each in self.inputs]}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self | None:
        """Build from the output of `to_dict`; None if it is empty."""
        command, inputs = content["command"], content["inputs"]
        if command is None and not inputs:
            return None
        return cls(command, tuple(Input(**each) for each in inputs))
