"""Charts of judges against the reference."""

__all__: list[str] = []
