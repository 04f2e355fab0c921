"""Results: tables of records and notes, and their renderings."""
