"""Print the oldest versions that pyproject.toml allows of what the package uses, for `make minima`."""

import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
allowed = [
    *project["dependencies"],
    *(
        each
        for name, extra in project["optional-dependencies"].items()
        for each in extra
        if name != "all"  # which names the others
    ),
]
print(*(each.replace(">=", "==") for each in allowed))
