"""The stand-in's pictures."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pygame

from tests_unit.support.native_game import look

if TYPE_CHECKING:
    from tests_unit.support.native_game.game import StandIn

PX_PER_M = 34
ORIGIN = (260, 420)
INK = {1: (30, 30, 30), 2: (150, 100, 40), 3: (140, 40, 60)}
FLASH_S = 0.3


def at(x: float, y: float) -> tuple[int, int]:
    return round(ORIGIN[0] + x * PX_PER_M), round(ORIGIN[1] - y * PX_PER_M)


def box(rect: tuple[int, int, int, int]) -> pygame.Rect:
    return pygame.Rect(rect[0], rect[1], rect[2] - rect[0], rect[3] - rect[1])


def draw(surface: pygame.Surface, game: StandIn) -> None:
    screen = game.screen
    running = screen in ("SIM", "DONE_OK", "DONE_FAIL")
    if running and "black" in game.run_faults and game.time_s > 3.0:
        surface.fill((0, 0, 0))
        return
    if running and flashes(game):
        surface.fill((255, 255, 255))
        return
    (run if running else build)(surface, game)
    width = surface.get_width()
    pygame.draw.rect(surface, look.BAR, (0, 0, width, look.BAR_PX))
    pygame.draw.rect(surface, (200, 200, 200), box(look.MENU_BUTTON), 3)
    for (x, y), colour in zip(look.CHIPS, look.CHIP["SIM" if running else screen], strict=True):
        pygame.draw.rect(surface, colour, (x - 6, y - 6, 13, 13))
    if screen == "MENU":
        pygame.draw.rect(surface, (80, 80, 120), box(look.LOAD_BUTTON))
    if screen == "LOAD_PANEL":
        pygame.draw.rect(surface, (80, 120, 80), box(look.SLOT_BUTTON))
    both = running and "both" in game.run_faults and game.time_s > 3.0
    if screen == "DONE_FAIL" or both:
        pygame.draw.rect(surface, look.RED, box(look.PANEL))
    if screen == "DONE_OK" or both:
        pygame.draw.rect(surface, look.GREEN, box(look.SUCCESS_BOX))
    if game.dialog:
        pygame.draw.rect(surface, (240, 240, 240), (100, 0, 900, 500))


def flashes(game: StandIn) -> bool:
    if "flash-end" in game.run_faults and game.time_s > 11.4:
        return True
    return "flash" in game.run_faults and 5.0 < game.time_s < 5.0 + FLASH_S


def build(surface: pygame.Surface, game: StandIn) -> None:
    surface.fill(look.GREY)
    nodes = game.design.node_by_id
    for member in game.design.members:
        a, b = nodes[member.a], nodes[member.b]
        line(surface, (a.x, a.y), (b.x, b.y), member.type)
    for node in game.design.nodes:
        colour = (170, 40, 40) if node.is_anchor else (230, 210, 60)
        pygame.draw.circle(surface, colour, at(node.x, node.y), 5)


def run(surface: pygame.Surface, game: StandIn) -> None:
    grey = "grey" in game.run_faults
    if game.args.texture:
        surface.blit(texture(surface.get_size()), (0, 0))
    else:
        surface.fill((155, 155, 155) if grey else look.SKY)
    if not grey:
        hill = box(look.PANEL).inflate(80, 60)
        pygame.draw.rect(surface, look.HILL, hill)
    assert game.played is not None
    for a, b, material in game.played.segments(game.time_s):
        line(surface, a, b, material)
    for x, y in game.played.vehicles(game.time_s):
        pygame.draw.rect(surface, (190, 30, 40), (*at(x - 0.8, y + 0.4), 54, 22))
    # Water that never stands still, as in the game.
    wave = int(game.time_s * 400) % surface.get_width()
    bottom = surface.get_height() - 30
    pygame.draw.rect(surface, (60, 120, 190), (0, bottom, surface.get_width(), 30))
    pygame.draw.rect(surface, (240, 250, 255), (wave, bottom, 40, 30))


@lru_cache(maxsize=1)
def texture(size: tuple[int, int]) -> pygame.Surface:
    """A picture that is as hard to compress as the game's own."""
    surface, chance = pygame.Surface(size), random.Random(1)
    for _ in range(24_000):
        x, y, shade = chance.randrange(size[0]), chance.randrange(size[1]), chance.randrange(60)
        corners = [(x + chance.randrange(-30, 30), y + chance.randrange(-30, 30)) for _ in "abc"]
        pygame.draw.polygon(surface, (60 + shade, 80 + shade, 100 + shade), corners)
    return surface


def line(surface: pygame.Surface, a: Any, b: Any, material: int) -> None:
    pygame.draw.line(surface, INK.get(material, (0, 0, 0)), at(a[0], a[1]), at(b[0], b[1]), 5)
