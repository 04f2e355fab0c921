"""Everything that turns files, frames and runs into scores."""
