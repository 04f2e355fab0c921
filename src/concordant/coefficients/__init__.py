"""Coefficients: each is declared once, in the file of its family."""
