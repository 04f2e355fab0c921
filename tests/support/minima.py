"""Print the oldest versions that pyproject.toml allows of what the package uses, for `make minima`."""

import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
allowed = [
    *project["dependencies"],
    *(each for extra in project["optional-dependencies"].values() for each in extra),
]
print(*(each.replace(">=", "==") for each in allowed))
