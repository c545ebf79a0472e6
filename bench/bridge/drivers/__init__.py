"""Drivers: what executes a valid design."""
