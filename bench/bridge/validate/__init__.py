"""The rules of a legal design, by theme."""
