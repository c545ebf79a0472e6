"""A stand-in for the game: a real window that behaves like it at its interface."""
