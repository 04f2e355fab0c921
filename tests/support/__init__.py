"""What several tests use: random rankings, and the program as a user runs it."""

import pytest

quiet = pytest.mark.filterwarnings("ignore::concordant.UndefinedWarning")
