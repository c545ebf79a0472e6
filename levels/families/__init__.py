"""Level families, one a file."""
