"""The list of plugins, nothing else."""

pytest_plugins: list[str] = []
