"""Drivers: what executes a valid design. `registry` makes one by its name."""
