"""Names of a package that are loaded when they are first used (Scientific Python SPEC 1).

They are listed in the stub of the package, for type checkers and for Python.
"""

import importlib
import itertools
from collections.abc import Callable


def attach(
    package: str, stub: str, families: str = ""
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package for the names in its stub.

    All names of the module `families` are names of the package too. The stub has only lines such as ``from
    module import name as name``.
    """
    modules: dict[str, str] = {}
    module = ""
    for word, name in itertools.pairwise(stub.replace(",", " ").split()):
        if word == "from":
            module = name
        elif word == "as":
            modules[name] = module

    def names() -> list[str]:
        more = vars(importlib.import_module(families)) if families else ()
        return sorted({*modules, *(name for name in more if not name.startswith("_"))})

    def load(name: str) -> object:
        if name == "__all__":
            return names()
        module = modules.get(name, families)
        if name.startswith("_") or not module or (name not in modules and name not in names()):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if module == package:  # the name is a module itself
            return importlib.import_module(f"{package}.{name}")
        return getattr(importlib.import_module(module), name)

    return load, names
