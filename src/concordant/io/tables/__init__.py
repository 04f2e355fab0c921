"""Tables of scores: one file for each format, one that recognises them."""
