"""Turns and rewards without pictures and records."""
