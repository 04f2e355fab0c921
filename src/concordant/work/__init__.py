"""Long work in pieces, on any executor."""
