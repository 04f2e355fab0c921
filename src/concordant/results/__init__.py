"""The classes of results and their records: what functions return, and what the rows of tables are.

The names are listed in ``__init__.pyi``, and loaded when they are first used.
"""

from concordant._lazy import attach as _attach

_stub = __loader__.get_data(__file__ + "i").decode()  # type: ignore[union-attr]
__getattr__, _names = _attach("concordant.results", _stub)


def __dir__() -> list[str]:
    return _names()
