"""Scores of systems on topics, and their exact means."""
