"""The bridge levels: families that generate them, their data, search and studies."""

COMMANDS = {
    "generate": ("levels.bridge.generate", "write the level files, or compare them with --check"),
    "add": ("levels.bridge.add", "start a new level family: one file with a small example"),
    "calibrate": ("levels.bridge.calibrate", "search reference designs, write the strict budgets"),
    "catalogue": ("levels.bridge.catalogue", "write the catalogue and the tables of its page"),
    "numbers": ("levels.bridge.search.report", "write the numbers of the page on budgets"),
    "activity": ("levels.bridge.studies.activity", "does every constraint change a good design"),
    "unseen": ("levels.bridge.studies.unseen", "levels of the same families that nobody has seen"),
    "capacities": ("levels.bridge.studies.capacities", "what references carry beside their bounds"),
    "sheet": ("levels.bridge.studies.sheet", "one picture of all levels"),
}
"""Subcommand of `python -m levels` -> module with `main(argv)`, and one line of help."""
