"""Clients that design bridges by themselves, from an observation's data alone."""
