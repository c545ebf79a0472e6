"""A level: the scene, its files, its budget conditions, the split for training."""
