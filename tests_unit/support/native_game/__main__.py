"""`python -m tests_unit.support.native_game --layout FILE --log FILE`."""

from __future__ import annotations

import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--layout", required=True)
parser.add_argument("--log", required=True)
parser.add_argument("--title", default="Poly Bridge")
parser.add_argument("--size", default="1280x800")
parser.add_argument("--position", default="20,30")
parser.add_argument("--speed", default="1")
parser.add_argument("--script", help="success@S, fail@S or timeout, instead of the simulator")
parser.add_argument("--texture", action="store_true", help="a background that is hard to encode")
parser.add_argument("--fault", action="append", default=[])
args = parser.parse_args()

# Without this SDL silently draws into nothing when it finds no display.
os.environ["SDL_VIDEODRIVER"] = "x11"
os.environ["SDL_VIDEO_WINDOW_POS"] = args.position
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

from tests_unit.support.native_game.game import StandIn  # noqa: E402

if not args.script:
    from bench.bridge.physics.engine import warm_up

    warm_up()
StandIn(args).loop()
