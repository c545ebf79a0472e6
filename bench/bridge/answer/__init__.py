"""An answer of a model, read as a design."""
