"""Calibration: what is under the pointer, and a profile made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bench.bridge.drivers.native.backends.base import Desktop, Rect, Rgb
from bench.bridge.drivers.native.profile import SCREENS, Screen

TOLERANCE = 30
GREEN_BELOW = 40
"""The success threshold is this far below the green that was seen, and at most 150."""

CLICKS = {
    "menu": "the button in the editor that opens the menu",
    "load": "the button in the menu that opens the load panel",
    "slot": "the slot in the load panel that holds the layout file",
    "park": "a place in the editor where the pointer changes nothing",
}
FAILURE_PIXEL = (1145, 637)

Place = tuple[int, int]
Ask = Callable[[str], str]


class Calibration:
    """A dialogue with a person, who points at things and brings the game to its screens.

    `ask` prints a request and waits for Enter; `done` ends a list of points.
    """

    def __init__(self, desktop: Desktop, client: Rect, ask: Ask) -> None:
        self._desktop, self._client, self._ask = desktop, client, ask

    def run(self, title: str, layout_file: str) -> dict[str, Any]:
        """The profile as decoded TOML, not verified."""
        steady = self._places(
            "a steady point of the interface, coloured otherwise on each screen", 2
        )
        clicks = {name: self._one(text) for name, text in CLICKS.items()}
        corners = [
            self._one(f"the {c} of the part that shows the bridge")
            for c in ("top left corner", "bottom right corner")
        ]
        success = self._places("with a won run on the screen, a point of its success marker", 1)
        failure = self._places("with a failed run on the screen, a point of its failure marker", 0)
        colours: dict[Screen, dict[Place, Rgb]] = {}
        for screen in SCREENS:
            self._ask(f"bring the game to {screen}, take the pointer off the points, then Enter")
            shot = self._desktop.capture.grab(self._client)
            points = (*steady, *success, *failure, FAILURE_PIXEL)
            colours[screen] = {place: shot.rgb(*place) for place in points}
        return assemble(
            title=title,
            layout_file=layout_file,
            size=(self._client.width, self._client.height),
            clicks=clicks,
            corners=(corners[0], corners[1]),
            points=(steady, success, [*failure, FAILURE_PIXEL]),
            colours=colours,
        )

    def _one(self, what: str) -> Place:
        while True:
            self._ask(f"point at {what}, then Enter")
            seen = under_pointer(self._desktop, self._client)
            if seen is not None:
                return seen[:2]
            self._ask("that is outside the game's window; Enter to try again")

    def _places(self, what: str, least: int) -> list[Place]:
        found: list[Place] = []
        while True:
            more = " (or `done`)" if len(found) >= least else ""
            if self._ask(f"point at {what}, then Enter{more}").strip() == "done" and more:
                return found
            seen = under_pointer(self._desktop, self._client)
            if seen is not None:
                found.append(seen[:2])


def assemble(
    *,
    title: str,
    layout_file: str,
    size: tuple[int, int],
    clicks: Mapping[str, Place],
    corners: tuple[Place, Place],
    points: tuple[Sequence[Place], Sequence[Place], Sequence[Place]],
    colours: Mapping[Screen, Mapping[Place, Rgb]],
) -> dict[str, Any]:
    """The profile from what was pointed at; `points` are steady, success and failure ones.

    A running game shows anything behind its outcome markers, so SIM only says what is absent.
    """
    steady, success, failure = points

    def at(screen: Screen, places: Sequence[Place], absent: bool = False) -> list[dict[str, Any]]:
        rows = [
            {"x": x, "y": y, "rgb": list(colours[screen][x, y]), "tolerance": TOLERANCE}
            for x, y in places
        ]
        return [row | {"absent": True} for row in rows] if absent else rows

    won, lost = Screen.DONE_OK, Screen.DONE_FAIL
    no_success, no_failure = at(won, success, True), at(lost, failure, True)
    markers = {s.value: at(s, steady) for s in (Screen.EDITOR, Screen.MENU, Screen.LOAD_PANEL)}
    markers["SIM"] = at(Screen.SIM, steady) + no_success + no_failure
    markers["DONE_OK"] = at(won, steady) + at(won, success) + no_failure
    markers["DONE_FAIL"] = at(lost, steady) + at(lost, failure) + no_success
    (left, top), (right, bottom) = corners
    green = colours[won][success[0]][1]
    return {
        "name": "calibrated",
        "verified": False,
        "game_version": "unknown",
        "language": "unknown",
        "layout_file": layout_file,
        "window": {"title": title, "width": size[0], "height": size[1]},
        "clicks": {name: {"x": x, "y": y} for name, (x, y) in clicks.items()},
        "thresholds": {
            "success_pixel": {"x": success[0][0], "y": success[0][1]},
            "success_green": max(0, min(150, green - GREEN_BELOW)),
        },
        "play": {
            "area": {"x": left, "y": top, "width": right - left, "height": bottom - top},
        },
        "markers": markers,
    }


def under_pointer(desktop: Desktop, client: Rect) -> tuple[int, int, Rgb] | None:
    """Client position and colour under the pointer; None outside the client area."""
    x, y = desktop.input.pointer()
    if not Rect(x, y, 1, 1).within(client):
        return None
    rgb = desktop.capture.grab(Rect(x, y, 1, 1)).rgb(0, 0)
    return x - client.x, y - client.y, rgb


def to_toml(data: Mapping[str, Any]) -> str:
    """A profile as TOML: plain values first, then a section each, markers as arrays of tables."""
    lines = [f"{key} = {_value(v)}" for key, v in data.items() if not isinstance(v, Mapping)]
    for key, section in data.items():
        if not isinstance(section, Mapping):
            continue
        plain = {k: v for k, v in section.items() if not _tables(v)}
        if plain:
            lines += ["", f"[{key}]", *(f"{k} = {_value(v)}" for k, v in plain.items())]
        for name, rows in section.items():
            if _tables(rows):
                for row in rows:
                    lines += ["", f"[[{key}.{name}]]"]
                    lines += [f"{k} = {_value(v)}" for k, v in row.items()]
    return "\n".join(lines) + "\n"


def _tables(value: Any) -> bool:
    return isinstance(value, Sequence) and bool(value) and isinstance(value[0], Mapping)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{k} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(value, Sequence):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    return repr(value)
