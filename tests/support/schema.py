"""The schema of results in docs/schema, and the check of a result against it."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import jsonschema

PATH = Path(__file__).parent.parent.parent / "docs" / "schema" / "result.schema.json"


@functools.cache
def validator() -> Any:
    """Return what checks a result against the committed schema, which is a schema itself."""
    schema = json.loads(PATH.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def check(content: dict[str, Any]) -> None:
    """Raise unless the dictionary of a result is what the schema says."""
    validator().validate(content)


def without_provenance(content: dict[str, Any]) -> dict[str, Any]:
    """Return a result as a dictionary without the command and the files, which Python does not know."""
    return {name: value for name, value in content.items() if name not in ("command", "inputs")}
