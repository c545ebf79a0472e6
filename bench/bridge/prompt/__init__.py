"""The prompt: static instructions, and an observation as chat messages."""
