"""The stand-in's states and inputs; it never reads its layout file unless told to load it."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame

from bench.bridge.design.design import Design
from bench.bridge.design.save import (
    decode_payload,
    design_of,
    encode_payload,
    read_layout,
    replace_first_save,
)
from bench.errors import SaveError
from tests_unit.support.native_game import look, paint
from tests_unit.support.native_game.rollouts import Played, scripted, simulated

TICK_HZ = 30


class Faults:
    """`name`, `name=value` and `name*times`: how the stand-in misbehaves."""

    def __init__(self, texts: list[str]) -> None:
        self.values: dict[str, float] = {}
        self.left: dict[str, float] = {}
        for text in texts:
            text, _, times = text.partition("*")
            name, _, value = text.partition("=")
            self.values[name] = float(value or 0)
            self.left[name] = float(times or "inf")

    def take(self, name: str) -> bool:
        """Whether to misbehave now; counts."""
        if self.left.get(name, 0) <= 0:
            return False
        self.left[name] -= 1
        return True


class StandIn:
    def __init__(self, args: Any) -> None:
        self.args = args
        self.faults = Faults(args.fault)
        self.layout = Path(args.layout)
        self.log = Path(args.log)
        self.screen = "EDITOR"
        self.design = Design((), ())
        self.level = ""
        self.played: Played | None = None
        self.run_faults: set[str] = set()
        self.started_s = 0.0
        self.due: list[tuple[float, Callable[[], None]]] = []
        self.dialog: str | None = None

    def event(self, name: str, **more: Any) -> None:
        with self.log.open("a") as file:
            file.write(json.dumps({"event": name, "at": time.monotonic(), **more}) + "\n")

    def loop(self) -> None:
        width, height = (int(v) for v in self.args.size.split("x"))
        pygame.display.init()
        pygame.font.init()
        surface = pygame.display.set_mode((width, height), pygame.NOFRAME)
        pygame.display.set_caption(self.args.title)
        clock = pygame.time.Clock()
        self.event("up", driver=pygame.display.get_driver(), pid=os.getpid())
        while True:
            for event in pygame.event.get():
                if event.type == pygame.QUIT:
                    return
                if event.type == pygame.KEYDOWN:
                    self.key(event.key)
                if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
                    self.click(event.pos)
            now = time.monotonic()
            ready = [work for at, work in self.due if at <= now]
            self.due = [pair for pair in self.due if pair[0] > now]
            for work in ready:
                work()
            self.misbehave()
            paint.draw(surface, self)
            pygame.display.flip()
            clock.tick(TICK_HZ)

    @property
    def time_s(self) -> float:
        """Game time since the run began."""
        return (time.monotonic() - self.started_s) * float(self.args.speed)

    def later(self, seconds: float, work: Callable[[], None]) -> None:
        self.due.append((time.monotonic() + seconds, work))

    def key(self, key: int) -> None:
        self.event("key", key=pygame.key.name(key), screen=self.screen)
        if key == pygame.K_ESCAPE:
            self.dialog = None
            if self.screen in ("MENU", "LOAD_PANEL"):
                self.screen = "EDITOR"
        if key != pygame.K_SPACE or self.dialog:
            return
        if self.faults.take("swallow"):
            return
        if self.faults.take("late"):
            self.later(self.faults.values["late"], self.toggle)
        elif self.screen == "EDITOR" and self.faults.take("start-delay"):
            self.later(self.faults.values["start-delay"], self.toggle)
        else:
            self.toggle()
            if self.faults.take("double"):
                self.later(0.25, self.toggle)

    def toggle(self) -> None:
        if self.screen == "EDITOR":
            script = self.args.script
            self.played = scripted(script) if script else simulated(self.level, self.design)
            names = ("dialog", "black", "crash", "freeze", "grey", "flash", "flash-end", "both")
            self.run_faults = {name for name in names if self.faults.take(name)}
            self.screen = "SIM"
            self.started_s = time.monotonic()
            self.event("run", outcome=self.played.outcome, members=len(self.design.members))
        elif self.screen in ("SIM", "DONE_OK", "DONE_FAIL"):
            self.screen = "EDITOR"
            self.run_faults = set()
            self.event("stop")

    def click(self, place: tuple[int, int]) -> None:
        self.event("click", place=list(place), screen=self.screen)
        if self.dialog:
            return
        if self.screen == "EDITOR" and inside(place, look.MENU_BUTTON):
            self.screen = "MENU"
        elif self.screen == "MENU" and inside(place, look.LOAD_BUTTON):
            self.screen = "LOAD_PANEL"
        elif self.screen == "LOAD_PANEL" and inside(place, look.SLOT_BUTTON):
            self.screen = "EDITOR"
            if not self.faults.take("ignore-reload"):
                self.load()

    def load(self) -> None:
        try:
            if self.faults.take("corrupt"):
                raise SaveError("as told")
            data = self.layout.read_bytes()
            layout = read_layout(data)
            save = decode_payload(layout.payloads[0])
            self.design = design_of(save)
            self.level = str(json.loads(layout.text)["name"])
        except (OSError, SaveError) as error:
            self.dialog = "corrupt"
            self.event("corrupt", error=str(error))
            return
        self.event("load", members=len(self.design.members), payload=encode_payload(save))
        if self.faults.take("rewrite"):
            changed = {**save, "Objects": save["Objects"][:-1]}
            self.layout.write_bytes(replace_first_save(data, changed))

    def misbehave(self) -> None:
        """What happens in the middle of a run; the screen follows the rollout."""
        if self.screen not in ("SIM", "DONE_OK", "DONE_FAIL") or self.played is None:
            return
        self.screen = self.played.screen(self.time_s)
        if self.time_s < 3.0:
            return
        if "dialog" in self.run_faults:
            self.dialog = "dialog"
            self.run_faults.discard("dialog")
        if "crash" in self.run_faults:
            self.event("crash")
            os._exit(3)
        if "freeze" in self.run_faults:
            self.event("freeze")
            time.sleep(600)
            sys.exit(4)


def inside(place: tuple[int, int], box: tuple[int, int, int, int]) -> bool:
    return box[0] <= place[0] < box[2] and box[1] <= place[1] < box[3]
