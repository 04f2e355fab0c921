"""Doctests print numbers as 0.5, not as np.float64(0.5). The cores are for the workers of the tests."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read by NumPy when it is imported

import numpy as np

np.set_printoptions(legacy="1.25")
