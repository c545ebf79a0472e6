"""Where things are in the stand-in's window, and the profile that fits it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

TITLE = "Poly Bridge"
SIZE = (1280, 800)
BAR_PX = 40

MENU_BUTTON = (4, 4, 36, 36)
LOAD_BUTTON = (540, 300, 740, 360)
SLOT_BUTTON = (300, 200, 900, 260)
PARK = (500, 500)
CHIPS = ((200, 12), (240, 28))
PANEL = (1045, 587, 1245, 687)
FAILURE_PIXEL = (1145, 637)
OTHER_FAILURE_PIXEL = (1060, 600)
SUCCESS_BOX = (640, 4, 780, 36)
SUCCESS_PIXEL = (700, 20)
OTHER_SUCCESS_PIXEL = (650, 30)

BAR = (38, 38, 42)
GREY = (143, 143, 143)
SKY = (177, 214, 220)
HILL = (47, 52, 58)
RED = (205, 50, 45)
GREEN = (45, 190, 70)
CHIP = {
    "EDITOR": ((230, 160, 40), (90, 90, 200)),
    "MENU": ((60, 90, 230), (220, 220, 60)),
    "LOAD_PANEL": ((200, 60, 220), (60, 220, 220)),
    "SIM": ((40, 110, 110), (120, 70, 30)),
}


def marker(place: tuple[int, int], rgb: tuple[int, int, int], **more: Any) -> dict[str, Any]:
    return {"x": place[0], "y": place[1], "rgb": list(rgb), "tolerance": 30, **more}


def markers() -> dict[str, list[dict[str, Any]]]:
    found = {
        name: [marker(place, rgb) for place, rgb in zip(CHIPS, colours, strict=True)]
        for name, colours in CHIP.items()
    }
    red = [marker(p, RED) for p in (FAILURE_PIXEL, OTHER_FAILURE_PIXEL)]
    green = [marker(p, GREEN) for p in (SUCCESS_PIXEL, OTHER_SUCCESS_PIXEL)]
    no_red, no_green = ([m | {"absent": True} for m in some] for some in (red, green))
    running = found["SIM"]
    found["SIM"] = running + no_red + no_green
    found["DONE_FAIL"] = running + red + no_green
    found["DONE_OK"] = running + green + no_red
    return found


def middle(box: tuple[int, int, int, int]) -> dict[str, int]:
    return {"x": (box[0] + box[2]) // 2, "y": (box[1] + box[3]) // 2}


def profile_data(layout_file: Path, *, scale: float = 1.0, **changes: Any) -> dict[str, Any]:
    """The profile as decoded TOML; `changes` replace whole sections."""
    size = changes.pop("size", SIZE)
    data: dict[str, Any] = {
        "name": "stand-in",
        "verified": True,
        "game_version": "stand-in",
        "language": "en",
        "layout_file": str(layout_file),
        "window": {"title": TITLE, "width": size[0], "height": size[1]},
        "clicks": {
            "menu": middle(MENU_BUTTON),
            "load": middle(LOAD_BUTTON),
            "slot": middle(SLOT_BUTTON),
            "park": {"x": PARK[0], "y": PARK[1]},
        },
        "markers": markers(),
        "thresholds": {
            "success_pixel": {"x": SUCCESS_PIXEL[0], "y": SUCCESS_PIXEL[1]},
            "success_green": 150,
        },
        "play": {"area": {"x": 0, "y": 50, "width": 1280, "height": 700}, "changed_px": 30},
        "waits": {"settle": 0.1, "hold": 0.04, "poll": 0.01, "start": 3.0, "screen": 4.0},
        # A loaded machine may be late; the lateness has a test of its own.
        "limits": {"late": 2.0},
    }
    if scale != 1.0:
        data["test"] = {"time_scale": scale}
    return data | changes
