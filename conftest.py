"""Doctests print numbers as 0.5, not as np.float64(0.5)."""

import numpy as np

np.set_printoptions(legacy="1.25")
