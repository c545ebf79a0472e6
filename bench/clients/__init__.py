"""Clients: what turns an observation into a reply."""
