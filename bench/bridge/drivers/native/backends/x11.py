"""X11: windows by python-xlib, input by pyautogui, pictures by mss."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from bench.bridge.drivers.native.backends.base import Desktop, Rect
from bench.bridge.drivers.native.backends.pointer import AutoguiInput, MssCapture, import_autogui
from bench.bridge.drivers.native.errors import (
    BackendError,
    DisplayLost,
    NativeError,
    NoDisplay,
    WindowMissing,
)

T = TypeVar("T")

MOST_DEPTH = 6
"""A window manager wraps a client window in two or three frames; the title sits on the client."""


def open_x11(display: str | None = None) -> Desktop:
    """Connect to an X display. Raises NoDisplay.

    pyautogui binds to the display that `DISPLAY` names when it is imported, so this sets it, and
    refuses a second display in one process.
    """
    name = display or os.environ.get("DISPLAY", "")
    if not name:
        raise NoDisplay(
            "a desktop", "no DISPLAY", "log in to a desktop, or start Xvfb and set DISPLAY"
        )
    _cookie_file()
    connection = _connect(name)
    os.environ["DISPLAY"] = name
    try:
        autogui = _quietly(import_autogui, "pyautogui", "")
    except NoDisplay:
        connection.close()
        raise
    bound = getattr(getattr(autogui, "platformModule", None), "_display", None)
    if bound is not None and bound.get_display_name() != connection.get_display_name():
        connection.close()
        raise NoDisplay(
            f"one X display a process, {bound.get_display_name()}",
            name,
            "use one worker process for each display",
        )
    return Desktop(name, XWindows(connection), AutoguiInput(autogui), MssCapture())


def _connect(name: str) -> Any:
    try:
        from Xlib.display import Display
    except ImportError as error:
        raise NoDisplay("python-xlib", _text(error), 'pip install ".[native]"') from None
    return _quietly(
        lambda: Display(name),
        f"X display {name}",
        "is an X server running there, and allowed to you?",
    )


def _quietly(work: Callable[[], T], expected: str, hint: str) -> T:
    """Do it without the warnings of python-xlib, which leaves files and sockets to the collector.

    What it leaves hangs on its exception: that is let go in here.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            return work()
        except NativeError:
            raise
        except (Exception, SystemExit) as error:  # its faults are of a dozen types
            fault = _text(error)
    raise NoDisplay(expected, fault, hint)


def _cookie_file() -> None:
    """Name an existing authority file: without one python-xlib prints to the standard output."""
    if "XAUTHORITY" in os.environ or os.path.exists(os.path.expanduser("~/.Xauthority")):
        return
    os.environ["XAUTHORITY"] = os.devnull


def _text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")


class XWindows:
    """Windows of an X display."""

    def __init__(self, display: Any) -> None:
        self._display = display
        self._root = display.screen().root
        # Errors of requests without a reply (a window that has just gone) are no news.
        display.set_error_handler(lambda *_: None)

    def find(self, title: str, *, prefix: bool) -> list[int]:
        """Visible windows whose title is, or begins with, `title`."""
        with self._talk():
            found: list[int] = []
            self._search(self._root, 0, title, prefix, found)
            return found

    def _search(self, window: Any, depth: int, title: str, prefix: bool, found: list[int]) -> None:
        from Xlib import X
        from Xlib.error import XError

        try:
            children = window.query_tree().children
        except XError:  # it went away meanwhile
            return
        for child in children:
            try:
                if child.get_attributes().map_state != X.IsViewable:
                    continue
                name = self._title(child)
            except XError:
                continue
            if name == title or (prefix and name.startswith(title)):
                found.append(child.id)
            elif depth < MOST_DEPTH:
                self._search(child, depth + 1, title, prefix, found)

    def _title(self, window: Any) -> str:
        utf8 = self._display.intern_atom("_NET_WM_NAME")
        prop = window.get_full_property(utf8, self._display.intern_atom("UTF8_STRING"))
        if prop is not None:
            value = prop.value
            return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
        name = window.get_wm_name()
        return name.decode("latin-1") if isinstance(name, bytes) else name or ""

    def client(self, window: int) -> Rect:
        """The client area on the screen."""
        with self._talk(window):
            one = self._resource(window)
            shape = one.get_geometry()
            place = self._root.translate_coords(one, 0, 0)
            return Rect(place.x, place.y, shape.width, shape.height)

    def screen(self) -> Rect:
        """The root window."""
        with self._talk():
            shape = self._root.get_geometry()
            return Rect(0, 0, shape.width, shape.height)

    def focused(self, window: int) -> bool:
        """Whether the keyboard's focus is this window, or a part or a frame of it."""
        with self._talk():
            focus = self._display.get_input_focus().focus
            if isinstance(focus, int):  # none, or wherever the pointer is
                return False
            return bool(self._top(focus).id == self._top(self._resource(window)).id)

    def activate(self, window: int) -> None:
        """Raise the window and give it the keyboard, through the window manager if there is one."""
        from Xlib import X
        from Xlib.protocol import event

        with self._talk(window):
            one = self._resource(window)
            atom = self._display.intern_atom("_NET_ACTIVE_WINDOW")
            message = event.ClientMessage(window=one, client_type=atom, data=(32, [2, 0, 0, 0, 0]))
            mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask
            self._root.send_event(message, event_mask=mask)
            self._top(one).configure(stack_mode=X.Above)
            one.set_input_focus(X.RevertToParent, X.CurrentTime)
            self._display.sync()

    def cover(self, window: int) -> str | None:
        """The lowest window that is stacked above this one and meets its client area."""
        from Xlib import X
        from Xlib.error import XError

        area = self.client(window)
        with self._talk(window):
            children = self._root.query_tree().children  # bottom to top
            ids = [child.id for child in children]
            top = self._top(self._resource(window)).id
            for other in children[ids.index(top) + 1 :] if top in ids else ():
                try:
                    attributes, shape = other.get_attributes(), other.get_geometry()
                    if attributes.map_state != X.IsViewable or attributes.win_class == X.InputOnly:
                        continue
                    rect = Rect(shape.x, shape.y, shape.width, shape.height)
                    if rect.meets(area):
                        return f"window {self._title(other)!r} at {rect.x},{rect.y}"
                except XError:
                    continue
        return None

    def close(self) -> None:
        """Release the connection; a lost one leaves its socket open."""
        try:
            self._display.close()
        except Exception:  # it tells the server first, and that is gone
            self._display.display.socket.close()

    def _resource(self, window: int) -> Any:
        return self._display.create_resource_object("window", window)

    def _top(self, window: Any) -> Any:
        """The ancestor whose parent is the root."""
        for _ in range(2 * MOST_DEPTH):
            parent = window.query_tree().parent
            if isinstance(parent, int) or parent.id == self._root.id:
                return window
            window = parent
        return window

    @contextmanager
    def _talk(self, window: int | None = None) -> Iterator[None]:
        """Turn Xlib's errors into ours."""
        from Xlib.error import BadDrawable, BadWindow, XError

        try:
            yield
        except NativeError:
            raise
        except (BadWindow, BadDrawable):
            raise WindowMissing(
                "the game's window", f"window {window} is gone", "has the game crashed?"
            ) from None
        except XError as error:
            raise BackendError("an answer from the X server", _text(error)) from None
        except Exception as error:  # a broken connection has many faces in python-xlib
            raise DisplayLost(
                "a living X server", _text(error), "start it again, and the game on it"
            ) from None
