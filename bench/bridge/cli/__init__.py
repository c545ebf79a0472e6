"""The subcommands of `python -m bench` that know bridges."""

_HELP = {
    "validate": "check a design against a level's rules and limit",
    "simulate": "run a design; print what happened, write an animation",
    "draw": "draw a level, with a design in it, as the editor shows it",
    "capacity": "how much heavier the vehicles may be on a design, and a static bound",
    "speed": "measure rollouts a second beside other engines",
    "redteam": "search for designs that win by a trick",
    "native": "the native driver: doctor, calibrate, check-layouts, restore",
}

COMMANDS = {name: (f"{__name__}.{name}", text) for name, text in _HELP.items()}
"""Subcommand -> (module, one line of help)."""
