"""Exceptions and warnings, and how their messages name functions and options.

.. code-block:: text

    ConcordantError
    ├── ArgumentError (ValueError)           an argument has a wrong value
    │   └── TiesError                        tied items, for a coefficient that is not defined for ties
    ├── ArgumentTypeError (TypeError)        an argument has a wrong type
    ├── InputError (ValueError)              a file cannot be used
    └── MissingLibraryError (ImportError)    an optional library is not installed

    UndefinedWarning (RuntimeWarning)        a coefficient is nan because its definition gives no value

A message begins with the name of the function that the user called, even if another function finds the fault:
`public` stores the name, and `option` writes an option as the user typed it. The command line replaces both
by its own names.
"""

from __future__ import annotations

import copyreg
import functools
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, NoReturn, TypeVar, overload

Function = TypeVar("Function", bound=Callable[..., Any])
OptionName = Callable[[str, object], str]

_caller: ContextVar[str] = ContextVar("caller", default="")
_option_name: ContextVar[OptionName | None] = ContextVar("option_name", default=None)


def visible(text: str, escape: Callable[[str], str] = ascii) -> str:
    """Return a text with control characters and invisible characters as escapes."""
    if text.isprintable():
        return text
    from unicodedata import category

    return "".join(c if c.isprintable() or category(c) == "Zs" else escape(c)[1:-1] for c in text)


# Controls, ends of lines, and what turns the direction of writing; not what letters are joined with.
_OBEYED = "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"


def harmless(text: str) -> str:
    """Return a name with escapes for the characters that a terminal or an editor obeys, and no others."""
    return text if text.isprintable() else re.sub(_OBEYED, lambda found: ascii(found[0])[1:-1], text)


def _readable(text: str) -> str:
    """Escape invisible characters, and leave out the middle of a message that quotes very long names."""
    text = visible(text)
    return text if len(text) <= 1000 else f"{text[:700]} ... {text[-250:]}"


class ConcordantError(Exception):
    """The base class of all errors that concordant raises on purpose.

    Attributes
    ----------
    text : str
        The message without the name of the caller.
    caller : str
        The name of the function that the user called.

    Examples
    --------
    >>> import concordant as cd
    >>> try:
    ...     cd.tau_b([1, 2], [1, 2, 3])
    ... except cd.ConcordantError as error:
    ...     print(error.caller, "|", error.text)
    tau_b | x has 2 items and y has 3; both must rank the same items
    """

    def __init__(self, text: str) -> None:
        self.text = _readable(text)
        self.caller = "" if isinstance(self, InputError) else _caller.get()
        super().__init__(f"{self.caller}: {self.text}" if self.caller else self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message unchanged."""
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]


class ArgumentError(ConcordantError, ValueError):
    """An argument has a wrong value.

    Examples
    --------
    >>> import concordant as cd
    >>> try:
    ...     cd.tau_b([1, 2], [1, 2], threshold=-1)
    ... except cd.ArgumentError as error:
    ...     print(error)
    tau_b: threshold must be a number >= 0, a percentage such as '5%', or a pair (w_x, w_y) of them, got -1
    """


class TiesError(ArgumentError):
    """There are tied items, and the coefficient is not defined for ties.

    Examples
    --------
    >>> import concordant as cd
    >>> c = next(c for c in cd.REGISTRY.values() if c.ties == "error")
    >>> try:
    ...     c([1, 1, 2], [1, 2, 3])
    ... except cd.TiesError as error:
    ...     print(str(error).partition(": ")[2].partition(";")[0])
    x has tied items (position 0, position 1 at 1)
    """


class ArgumentTypeError(ConcordantError, TypeError):
    """An argument has a wrong type.

    Examples
    --------
    >>> import concordant as cd
    >>> try:
    ...     cd.tau_b("abc", [1, 2, 3])
    ... except cd.ArgumentTypeError as error:
    ...     print(str(error).partition(",")[0])
    tau_b: x must be an array
    """


class InputError(ConcordantError, ValueError):
    """A file cannot be used: the message names the file, the line and the next step.

    Examples
    --------
    >>> import concordant as cd
    >>> try:
    ...     cd.read_scores("no such file.csv")
    ... except cd.InputError as error:
    ...     print(error)
    no such file.csv: no such file; check its name and folder
    """


class MissingLibraryError(ConcordantError, ImportError):
    """An optional library is not installed; the message says how to install it.

    Examples
    --------
    >>> import concordant as cd
    >>> issubclass(cd.MissingLibraryError, ImportError)
    True
    """


class UndefinedWarning(RuntimeWarning):
    """A coefficient is nan because its definition gives no value, not because the input has NaN.

    Examples
    --------
    >>> import warnings
    >>> import concordant as cd
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     value = cd.tau_b([1, 1], [1, 2])
    >>> print(caught[0].message)
    tau_b is undefined: all items are tied in x or in y
    """


for _class in list(globals().values()):
    if isinstance(_class, type) and issubclass(_class, Exception):
        _class.__module__ = "concordant"  # tracebacks show the name that users import


def fail(name: str, line: int | None, what: str) -> NoReturn:
    """Raise the error about a file."""
    raise InputError(f"{name}:{line}: {what}" if line is not None else f"{name}: {what}")


def missing_library(what: str, library: str, extra: str) -> MissingLibraryError:
    """Return the error that says which extra installs a library.

    For example: ``missing_library("figures", "altair", "plot")``.
    """
    return MissingLibraryError(f"{what} needs {library}: pip install 'concordant[{extra}]'")


def named_here(error: ConcordantError) -> ConcordantError:
    """Let an error from another process or thread begin with the name of the function called here."""
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
    def call(*arguments: object, **options: Any) -> Any:
        if _caller.get():
            return function(*arguments, **options)
        token = _caller.set(name)  # faster than `with calling(name)`, by a factor of three
        try:
            return function(*arguments, **options)
        finally:
            _caller.reset(token)

    return call


@contextmanager
def _set(variable: ContextVar[Any], value: object) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def calling(name: str) -> AbstractContextManager[None]:
    """Let errors begin with this name, unless they already have one."""
    return _set(_caller, _caller.get() or name)


def option_names(name: OptionName) -> AbstractContextManager[None]:
    """Let messages write options with this function of the parameter and its value."""
    return _set(_option_name, name)


def option(parameter: str, value: object = None) -> str:
    """Return an option as the user types it.

    In Python this is ``on_missing='drop'``, in a shell ``--on-missing drop``.
    """
    name = _option_name.get()
    if name is not None:
        return name(parameter, value)
    return parameter if value is None else f"{parameter}={value!r}"


def shown(text: str, most: int = 60) -> str:
    """Return text from a file as a message shows it."""
    return repr(text if len(text) <= most else text[:most] + "...")
