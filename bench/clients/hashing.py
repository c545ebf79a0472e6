"""The hash of a request: what must be the same for a recorded reply to stand for a new one."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping

from bench.clients.base import Request
from bench.task import ImagePart, Json, Observation, TextPart


def request_sha256(description: Mapping[str, Json], request: Request) -> str:
    """SHA-256 of one request, in hex.

    Over canonical JSON of: the client's `description["request"]` (model, host, all parameters;
    the whole description for a client without that key), the hash of the messages' roles and
    text, the hashes of the pictures in their order, sample and call. A run of another day, folder,
    machine or key has the same hash; anything that could change the answer gives another.
    """
    return _digest(
        {
            "client": description.get("request", description),
            "prompt": prompt_sha256(request.observation),
            "images": [picture_sha256(p.png) for p in request.observation.pictures],
            "sample": request.sample,
            "call": request.call,
        }
    )


def picture_sha256(png: bytes) -> str:
    """SHA-256 of a picture's size and pixels, so that another PNG encoder changes nothing.

    Bytes that are no picture are hashed as they are.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(png)) as image:
            rgba = image.convert("RGBA")
    except (UnidentifiedImageError, OSError, SyntaxError):  # SyntaxError: a broken PNG
        return hashlib.sha256(png).hexdigest()
    return hashlib.sha256(f"{rgba.width}x{rgba.height} ".encode() + rgba.tobytes()).hexdigest()


def prompt_sha256(observation: Observation) -> str:
    """SHA-256 of the messages: roles, texts, and where a picture stands, without the pictures."""
    return _digest([[m.role, [_part(part) for part in m.parts]] for m in observation.messages])


def _part(part: TextPart | ImagePart) -> Json:
    if isinstance(part, TextPart):
        return {"text": part.text}
    return {"image": part.picture.name}


def _digest(value: Json) -> str:
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )
    return hashlib.sha256(text.encode("ascii")).hexdigest()
