"""A driver, its stand-in and its X server in a process of their own; the server dies in mid-run.

Prints the outcome, or the error's name.
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from subprocess import Popen

from bench.bridge.level.files import load_level
from bench.errors import DriverError
from tests_unit.support.factories import deck
from tests_unit.support.native_game.desk import Desk, x_server

NAME = "T1B_Basic_10m"


def kill_in_run(desk: Desk, server: Popen[bytes]) -> None:
    while not desk.events("run"):
        time.sleep(0.02)
    time.sleep(0.3)
    server.kill()


def main(folder: Path) -> None:
    with x_server(folder) as (display, server):
        desk = Desk(display, folder / "desk")
        mine = desk.slot.read_bytes()
        desk.add_layout(NAME)
        desk.start("--speed", "8", "--script", "success@9")
        driver = desk.driver(desk.profile(scale=8.0))
        driver.open()
        level = load_level(NAME).level
        threading.Thread(target=kill_in_run, args=(desk, server), daemon=True).start()
        try:
            print(driver.execute(level, deck(level)).outcome.value)
        except DriverError as error:
            print(type(error).__name__)
        driver.close()
        desk.close()
        assert desk.slot.read_bytes() == mine


main(Path(sys.argv[1]))
