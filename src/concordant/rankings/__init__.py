"""Rankings: every kind of input becomes aligned pairs of float64 arrays."""
