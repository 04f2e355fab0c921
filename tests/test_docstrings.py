"""Docstrings of public names: each has a summary, its parameters, what it returns, its fields, an example."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import pytest
from numpydoc.docscrape import NumpyDocString

import concordant as cd
from concordant.cli.program import all_commands

MODULES = {
    "experiments": cd.experiments,
    "experiments.simulate": cd.experiments.simulate,
    "results": cd.results,
}


class Documented(NamedTuple):
    """A public name, what it names, and the public class that it belongs to."""

    name: str
    value: Any
    owner: type | None = None


def public_names() -> Iterator[Documented]:
    """Yield all public functions and classes, and those of public modules."""
    for name in cd.__all__:
        value = getattr(cd, name)
        if name not in MODULES:
            yield Documented(name, value)
    for module, names in MODULES.items():
        for name in names.__all__:
            yield Documented(f"{module}.{name}", getattr(names, name))


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties that a class defines itself."""
    for name, value in vars(kind).items():
        plain = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if not name.startswith("_") and (
            inspect.isfunction(plain) or isinstance(plain, property | functools.cached_property)
        ):
            yield name, plain


NAMES = [each for each in public_names() if callable(each.value)]
CLASSES = [each for each in NAMES if isinstance(each.value, type)]
FUNCTIONS = [each for each in NAMES if not isinstance(each.value, type)]
MEMBERS = [
    Documented(f"{each.name}.{name}", value, each.value)
    for each in CLASSES
    for name, value in members(each.value)
]
PROPERTIES = [each for each in MEMBERS if not inspect.isfunction(each.value)]
METHODS = [each for each in MEMBERS if inspect.isfunction(each.value)]


def parsed(value: Any) -> NumpyDocString:
    """Return the sections of a docstring."""
    return NumpyDocString(inspect.getdoc(value) or "")


def described(sections: list[Any]) -> list[str]:
    """Return the names in a section, each of which must have a sentence."""
    for each in sections:
        text = " ".join(each.desc).strip()
        assert text, f"{each.name} has no description"
        assert text[0].isupper() or text[0] in '`"[1234567890', f"{each.name}: {text}"
        assert text.endswith((".", ":", "?", ";")) or "- " in text, f"{each.name}: {text}"
    return [name.strip() for each in sections for name in each.name.split(",")]


def parameters(function: Any) -> list[str]:
    """Return the parameters of a function as documentation writes them."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    found = inspect.signature(function).parameters.values()
    return [stars.get(each.kind, "") + each.name for each in found if each.name not in ("self", "cls")]


def fields_of(kind: type) -> list[str]:
    """Return the fields that a class declares itself."""
    if hasattr(kind, "_fields"):
        return list(kind._fields)
    if not dataclasses.is_dataclass(kind):
        return []
    return [each.name for each in dataclasses.fields(kind) if each.name in kind.__annotations__]


def is_record(kind: type) -> bool:
    """Say whether a class only holds values: the function that returns it has the example."""
    own = [name for name, value in members(kind) if inspect.isfunction(value)]
    return bool(fields_of(kind)) and not own and not issubclass(kind, cd.Result)


def offenders(check: Callable[[Documented], None], every: Iterable[Documented]) -> list[str]:
    """Return the names for which a check fails, with what it says."""
    found = []
    for each in every:
        try:
            check(each)
        except AssertionError as error:
            found.append(f"{each.name}: {str(error).partition(chr(10))[0]}")
    return found


def test_everything_public_has_a_summary():
    """The first line is a sentence that ends with a full stop."""

    def check(each: Documented) -> None:
        value = getattr(each.value, "fget", None) or getattr(each.value, "func", each.value)
        first = (inspect.getdoc(value) or "").partition("\n")[0]
        assert first
        assert first.endswith((".", ":", "?"))

    assert not offenders(check, NAMES + MEMBERS)


def test_parameters_are_those_of_the_signature():
    """All parameters are documented in the order of the signature, each with a sentence."""

    def check(each: Documented) -> None:
        documentation = parsed(each.value)
        found = described(documentation["Parameters"])
        wanted = parameters(each.value)
        if each.name == "grouped":  # has two forms: the data frame is its only positional argument
            assert {"*data" if name == "frame" else name for name in found} == set(wanted)
        else:
            assert found == wanted

    assert not offenders(check, FUNCTIONS + METHODS)


def test_what_is_returned_is_documented():
    """There is a section Returns or Yields, unless nothing is returned."""

    def check(each: Documented) -> None:
        documentation = parsed(each.value)
        returned = documentation["Returns"] or documentation["Yields"]
        nothing = inspect.signature(each.value).return_annotation in (None, "None")
        assert bool(returned) != nothing
        for value in returned:
            assert " ".join(value.desc).strip().endswith((".", ":")), value

    assert not offenders(check, FUNCTIONS + METHODS)


def test_fields_are_documented():
    """Every field is described under Attributes, in the order of the class."""

    def check(each: Documented) -> None:
        documentation = parsed(each.value)
        assert described(documentation["Attributes"])[: len(fields_of(each.value))] == fields_of(each.value)

    assert not offenders(check, CLASSES)


def test_there_is_an_example():
    """Functions have an example, and so has every class that is more than a record."""

    def check(each: Documented) -> None:
        examples = "\n".join(parsed(each.value)["Examples"])
        assert ">>>" in examples or (isinstance(each.value, type) and is_record(each.value))
        run = [line for line in examples.splitlines() if line.startswith(">>>") and "+SKIP" not in line]
        assert run or ">>>" not in examples

    assert not offenders(check, FUNCTIONS + CLASSES)


def test_a_method_is_shown_in_an_example():
    """The example is its own, or one of the class that defines it or of a class above."""

    def check(each: Documented) -> None:
        name = each.name.rpartition(".")[2]
        above = [kind for kind in each.owner.__mro__ if kind.__module__.startswith("concordant")]
        if is_record(each.owner):
            return
        own = getattr(each.value, "fget", None) or getattr(each.value, "func", each.value)
        texts = ["\n".join(parsed(kind)["Examples"]) for kind in above]
        assert ">>>" in "\n".join(parsed(own)["Examples"]) or any(f".{name}" in text for text in texts)

    assert not offenders(check, MEMBERS)


@pytest.mark.parametrize("name", all_commands())
def test_the_help_of_a_command_has_sentences_and_an_example(name):
    """Every option is described in whole sentences, and the text shows how the command is called."""
    command = all_commands()[name]
    assert "Example" in command.help
    assert f"concordant {name}" in command.help
    for option in command.params:
        text = getattr(option, "help", None)
        if text is not None:
            assert text[0].isupper() or text.startswith("uniform"), (option.name, text)
            assert text.endswith((".", "?", ":")), (option.name, text)
            assert len(text.split()) > 3, (option.name, text)
        else:
            assert option.param_type_name == "argument", option.name
