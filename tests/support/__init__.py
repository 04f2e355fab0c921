"""What several tests use: random rankings, and the program as a user runs it."""

import pytest
from hypothesis import settings

quiet = pytest.mark.filterwarnings("ignore::concordant.UndefinedWarning")


def examples(n):
    """Give a test n random examples by `make slow`, and a fifth of them by `make test`; see conftest.py."""
    asked = settings(max_examples=max(10, n * settings.default.max_examples // 100), deadline=None)
    return lambda test: pytest.mark.random(asked(test))
