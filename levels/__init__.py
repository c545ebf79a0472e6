"""The levels, and what generates them."""
