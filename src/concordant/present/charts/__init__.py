"""The charts: a function each, from a result to an Altair chart over the tables of the result."""

__all__: list[str] = []
