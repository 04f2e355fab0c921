"""Studies: a reference and its estimates, aligned once."""
