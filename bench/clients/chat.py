"""Observation -> the messages of an OpenAI-compatible chat request."""

from __future__ import annotations

import base64

from bench.clients.profiles import Profile
from bench.task import ImagePart, Json, Message, Observation, TextPart


def chat_messages(observation: Observation, profile: Profile) -> list[dict[str, Json]]:
    """The messages as the profile wants them: order and detail of images, or no images."""
    return [
        {"role": message.role, "content": _content(message, profile)}
        for message in observation.messages
    ]


def _content(message: Message, profile: Profile) -> Json:
    """Plain text where there is no image: some local servers take nothing else."""
    texts = [part for part in message.parts if isinstance(part, TextPart)]
    images = [part for part in message.parts if isinstance(part, ImagePart)]
    if not images or not profile.vision:
        return "\n\n".join(part.text for part in texts)
    ordered: list[TextPart | ImagePart] = list(message.parts)
    if profile.image_order == "images_first":
        ordered = [*images, *texts]
    elif profile.image_order == "images_last":
        ordered = [*texts, *images]
    return [_part(part, profile.image_detail) for part in ordered]


def _part(part: TextPart | ImagePart, detail: str | None) -> dict[str, Json]:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    data = base64.b64encode(part.picture.png).decode("ascii")
    image = {"url": f"data:image/png;base64,{data}"}
    if detail is not None:
        image["detail"] = detail
    return {"type": "image_url", "image_url": image}
