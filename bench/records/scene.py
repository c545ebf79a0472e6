"""`scene/`: what a reader of a session needs of its levels, so that reports need no level files."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from bench.records.files import inside, normal, write_bytes, write_json
from bench.records.folder import EpisodeFolder
from bench.records.layout import scene_levels, thumbnail
from bench.records.schema import Scene

THUMBNAIL_PX = (320, 200)


def write_scene(session: Path, domain: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
    """Write scene/levels.json: facts, generator parameters and geometry of each level."""
    scene = Scene(domain=domain, levels={name: normal(dict(row)) for name, row in rows.items()})
    write_json(scene_levels(session), scene.dump())


def write_thumbnail(session: Path, level: str, episode: EpisodeFolder) -> None:
    """Write scene/<level>.png, a small copy of the first picture that was sent, if one was."""
    target = thumbnail(session, level)
    request = None if target.exists() else episode.call(1).request()
    if request is None or not request.pictures:
        return
    source = inside(episode.path, request.pictures[0].file)
    if not source.exists():
        return
    from PIL import Image

    with Image.open(source) as image:
        small = image.convert("RGB")
        small.thumbnail(THUMBNAIL_PX)
    buffer = BytesIO()
    small.save(buffer, format="PNG")
    write_bytes(target, buffer.getvalue())
