"""What stands in for a driver where records are checked: it draws one pixel, executes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from io import BytesIO
from typing import Any

from bench.domain import Capabilities
from bench.errors import DriverError


class NoDriver:
    """Implements `bench.domain.Driver` where only a picture's name counts.

    Pictures of a session are checked by their hashes, executions come from its records.
    """

    name = "none"
    capabilities = Capabilities(parallel=True, deterministic=True, states=False)
    broken = None

    def describe(self) -> Mapping[str, Any]:
        """Nothing."""
        return {}

    def open(self) -> None:
        """Nothing to open."""

    def refuses(self, level: Any) -> str | None:
        """Nothing."""
        return None

    def close(self) -> None:
        """Nothing to close."""

    def editor_picture(self, *what: Any, **how: Any) -> Any:
        """One pixel."""
        from PIL import Image

        return Image.new("RGB", (1, 1))

    def execute(self, *what: Any) -> Any:
        """Raise DriverError."""
        raise DriverError("the records are checked without physics")


@cache
def pixel_png() -> bytes:
    """A picture as PNG, for an execution whose pictures are known by name and hash."""
    buffer = BytesIO()
    NoDriver().editor_picture().save(buffer, format="PNG")
    return buffer.getvalue()
