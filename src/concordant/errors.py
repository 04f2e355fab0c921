"""Exceptions and warnings, and how their messages name functions and options.

.. code-block:: text

    ConcordantError
    ├── ArgumentError (ValueError)           an argument has a wrong value
    │   └── TiesError                        tied items, for a coefficient that is not defined for ties
    ├── ArgumentTypeError (TypeError)        an argument has a wrong type
    ├── InputError (ValueError)              a file cannot be used
    └── MissingLibraryError (ImportError)    an optional library is not installed

    UndefinedWarning (RuntimeWarning)        a coefficient is nan because its definition gives no value

A message begins with the name of the function that the user called, whichever function below it finds the
fault: `public` notes the name, and `option` writes an option as the user typed it. The command line puts its
own names in their place.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NoReturn, TypeVar, overload

__all__ = [
    "ArgumentError",
    "ArgumentTypeError",
    "ConcordantError",
    "InputError",
    "MissingLibraryError",
    "TiesError",
    "UndefinedWarning",
    "calling",
    "fail",
    "missing_library",
    "named_here",
    "option",
    "option_names",
    "public",
    "visible",
]

Function = TypeVar("Function", bound=Callable[..., Any])
OptionName = Callable[[str, object], str]

_caller: ContextVar[str] = ContextVar("caller", default="")
_option_name: ContextVar[OptionName | None] = ContextVar("option_name", default=None)


def visible(text: str, escape: Callable[[str], str] = ascii) -> str:
    """Show characters that a terminal would obey, and invisible ones, as escapes."""
    if text.isprintable():
        return text
    from unicodedata import category

    return "".join(c if c.isprintable() or category(c) == "Zs" else escape(c)[1:-1] for c in text)


def _readable(text: str) -> str:
    """Show what is invisible, and leave out the middle of a message that quotes very long names."""
    text = visible(text)
    return text if len(text) <= 1000 else f"{text[:700]} ... {text[-250:]}"


class ConcordantError(Exception):
    """Any error that concordant raises on purpose: `text`, after the name of the `caller`."""

    def __init__(self, text: str) -> None:
        text = _readable(text)
        self.text = text
        self.caller = _caller.get()
        super().__init__(f"{self.caller}: {text}" if self.caller else text)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel between processes with the message as it is."""
        return _restored, (type(self), self.args, self.text, self.caller)


def _restored(
    kind: type[ConcordantError], arguments: tuple[Any, ...], text: str, caller: str
) -> ConcordantError:
    error = kind.__new__(kind)
    error.args, error.text, error.caller = arguments, text, caller
    return error


class ArgumentError(ConcordantError, ValueError):
    """An argument has a wrong value."""


class TiesError(ArgumentError):
    """Tied items were given to a coefficient that is not defined for ties."""


class ArgumentTypeError(ConcordantError, TypeError):
    """An argument has a wrong type."""


class InputError(ConcordantError, ValueError):
    """A file cannot be used: the message names the file, the line and the next step."""

    def __init__(self, text: str) -> None:
        text = _readable(text)
        self.text, self.caller = text, ""
        Exception.__init__(self, text)


class MissingLibraryError(ConcordantError, ImportError):
    """An optional library is not installed."""


class UndefinedWarning(RuntimeWarning):
    """A coefficient is nan because its definition gives no value, not because the input had NaN."""


def _tree(kind: type[Exception]) -> list[type[Exception]]:
    subclasses: list[type[Exception]] = kind.__subclasses__()
    return [kind, *(below for each in subclasses for below in _tree(each))]


def fail(name: str, line: int | None, what: str) -> NoReturn:
    """Raise the error about a file."""
    raise InputError(f"{name}:{line}: {what}" if line is not None else f"{name}: {what}")


def missing_library(what: str, library: str, extra: str) -> MissingLibraryError:
    """Return the error that says which extra installs a library.

    For example: ``missing_library("figures", "altair", "plot")``.
    """
    return MissingLibraryError(f"{what} needs {library}: pip install 'concordant[{extra}]'")


def named_here(error: ConcordantError) -> ConcordantError:
    """Let an error that another process or thread found begin with the name of the function called here."""
    if not error.caller and not isinstance(error, InputError) and _caller.get():
        error.caller = _caller.get()
        error.args = (f"{error.caller}: {error.text}",)
    return error


@overload
def public(function: Function, /) -> Function: ...
@overload
def public(name: str, /) -> Callable[[Function], Function]: ...
def public(function: Any, /) -> Any:
    """Let errors raised below this function begin with its name.

    If another public function called it, they begin with the name of that one.

    For methods the name is given: ``@public("Scores")``.
    """
    if isinstance(function, str):
        return functools.partial(_public, function)
    return _public(function.__name__, function)


def _public(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        if _caller.get():
            return function(*arguments, **options)
        token = _caller.set(name)  # not `with calling(name)`: this way takes a third of the time
        try:
            return function(*arguments, **options)
        finally:
            _caller.reset(token)

    return call


@contextmanager
def calling(name: str) -> Iterator[None]:
    """Let errors begin with this name, unless they have one already."""
    token = _caller.set(_caller.get() or name)
    try:
        yield
    finally:
        _caller.reset(token)


@contextmanager
def option_names(name: OptionName) -> Iterator[None]:
    """Let messages write options by this function of the parameter and its value."""
    token = _option_name.set(name)
    try:
        yield
    finally:
        _option_name.reset(token)


def option(parameter: str, value: object = None) -> str:
    """Return an option as the user types it.

    In Python this is ``on_missing='drop'``, in a shell ``--on-missing drop``.
    """
    name = _option_name.get()
    if name is not None:
        return name(parameter, value)
    return parameter if value is None else f"{parameter}={value!r}"


for _class in (*_tree(ConcordantError), UndefinedWarning):
    _class.__module__ = "concordant"  # tracebacks show the name that users import
