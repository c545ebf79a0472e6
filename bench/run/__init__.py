"""What a run is, free of pytest: options, selection, preparation, and one executor a file."""
