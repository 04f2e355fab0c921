"""The charts: each is a function from a result to an Altair chart of its tables."""

__all__: list[str] = []
