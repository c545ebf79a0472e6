"""Everything that knows bridges."""
