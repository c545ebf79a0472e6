"""Studies of the levels: activity of constraints, unseen levels, capacities, sheets."""
