"""Limit loads: linear programmes over axle positions, and the load capacity of a design."""
