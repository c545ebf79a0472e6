"""Clients that design bridges themselves."""
