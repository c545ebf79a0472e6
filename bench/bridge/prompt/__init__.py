"""The prompt: observation to messages."""
