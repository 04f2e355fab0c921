"""What a shell offers for the value of an option, when the user presses the tabulator."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

__all__ = ["coefficient_names", "folder_names"]


def coefficient_names(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Offer the coefficients that a command takes: of lists for `runs`, of scores for the others."""
    from click.shell_completion import CompletionItem

    from concordant.coefficients.declaration import REGISTRY

    kinds = {"runs": ("lists",), "axioms": ("scores", "graded_lists", "graded_items")}
    taken = kinds.get(context.info_name or "", ("scores",))
    return [
        CompletionItem(name, help=each.question)
        for name, each in REGISTRY.items()
        if each.inputs in taken and name.startswith(incomplete)
    ]


def folder_names(_context: object, _parameter: object, incomplete: str) -> list[CompletionItem]:
    """Let the shell offer folders."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="dir")]
