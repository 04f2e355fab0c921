"""The compiled core, imported in one place."""

__all__ = ["core"]

try:
    import concordant._core as core
except ImportError as error:  # pragma: no cover - needs a broken installation
    raise ImportError(
        f"concordant's compiled core cannot be loaded ({error}); install the package, or build it with "
        "'pip install .'"
    ) from None
