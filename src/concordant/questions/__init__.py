"""One file for each question: the function, its result, and its verdict."""
