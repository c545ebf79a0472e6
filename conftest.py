"""The list of plugins, nothing else."""

from importlib.util import find_spec

pytest_plugins = [
    "fixtures.options",
    "fixtures.levels",
    "fixtures.session",
    "fixtures.budget",
    "fixtures.driver",
    "fixtures.client",
    "fixtures.episode",
    "fixtures.crash",
    "fixtures.dry_run",
    # What comes with the extra `test` only, or reads what the others wrote.
    *(["fixtures.snapshots"] if find_spec("syrupy") and find_spec("fixtures.snapshots") else []),
    *(["reports.plugin"] if find_spec("reports.plugin") else []),
]
