"""The native driver's tools: check everything before a run, calibrate a profile, check layouts.

doctor         look at all that a run needs, and say how to mend each thing
calibrate      show position and colour under the pointer; with --write, make a profile
check-layouts  which of the levels have a layout that fits
restore        give your own layout back after a run that crashed

example: python -m bench native doctor --native-profile my.toml --native-layouts layouts/
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.errors import InputError

if TYPE_CHECKING:
    from bench.bridge.drivers.native.profile import Profile

TASKS = ("doctor", "calibrate", "check-layouts", "restore")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add = parser.add_argument
    add("task", choices=TASKS)
    add("--native-profile", metavar="FILE", help="the profile (TOML)")
    add("--native-layouts", metavar="DIR", help="your layout files, one a level")
    add("--display", metavar=":N", help="the X display (default: DISPLAY)")
    add("--levels-dir", metavar="DIR", help="read the levels from another folder")
    add("--write", metavar="FILE", help="calibrate: write a profile here")
    add("--title", default="Poly Bridge", help="calibrate: the window's title")
    add("--layout-file", default="", metavar="FILE", help="calibrate: the game's layout file")
    add("--seconds", type=float, default=30.0, help="calibrate: how long to show the pointer")


def run(args: argparse.Namespace) -> int:
    """Do one task; 0 when all is well, 1 when something has to be mended."""
    if args.task == "doctor":
        return _doctor(args)
    if args.task == "check-layouts":
        return _check_layouts(args)
    if args.task == "restore":
        return _restore(args)
    return _calibrate(args)


def _profile(args: argparse.Namespace) -> Profile:
    from bench.bridge.drivers.native.profile import load_profile

    if args.native_profile is None:
        raise InputError(
            f"native {args.task} needs --native-profile FILE; see docs/bridge/native.md"
        )
    return load_profile(Path(args.native_profile))


def _layouts(args: argparse.Namespace) -> Path:
    if args.native_layouts is None:
        raise InputError(f"native {args.task} needs --native-layouts DIR, your exported layouts")
    folder = Path(args.native_layouts)
    if not folder.is_dir():
        raise InputError(f"--native-layouts {folder}: is no folder")
    return folder


def _doctor(args: argparse.Namespace) -> int:
    from bench.bridge.drivers.native.doctor import examine
    from bench.bridge.level.files import load_all

    root = None if args.levels_dir is None else Path(args.levels_dir)
    levels = [file.level for file in load_all(root)]
    well = True
    for check in examine(_profile(args), _layouts(args), levels, args.display):
        print(check.line(), flush=True)
        well = well and check.ok
    print("\nready" if well else "\nnot ready: mend the lines that say FAIL")
    return 0 if well else 1


def _check_layouts(args: argparse.Namespace) -> int:
    from bench.bridge.drivers.native.layouts import check_layouts
    from bench.bridge.level.files import load_all

    root = None if args.levels_dir is None else Path(args.levels_dir)
    reports = check_layouts(_layouts(args), (file.level for file in load_all(root)))
    for report in reports:
        print(f"{report.level:<36} {report.reason or 'fits'}")
    fit = sum(report.reason is None for report in reports)
    missing = sum(report.missing for report in reports)
    print(
        f"\n{fit} of {len(reports)} fit, {missing} missing, {len(reports) - fit - missing} refused"
    )
    return 0 if fit == len(reports) else 1


def _restore(args: argparse.Namespace) -> int:
    from bench.bridge.drivers.native.saves import LayoutSlot

    slot = LayoutSlot(_profile(args).layout_path(args.display or ""))
    kept = slot.kept
    slot.restore()
    print("your layout is back" if kept else "nothing to give back: your layout is in its place")
    return 0


def _calibrate(args: argparse.Namespace) -> int:
    from bench.bridge.drivers.native.backends import open_desktop_of
    from bench.bridge.drivers.native.backends.base import Rect
    from bench.bridge.drivers.native.calibrate import Calibration, to_toml, under_pointer

    with open_desktop_of(args.display) as desktop:
        found = desktop.windows.find(args.title, prefix=False)
        if len(found) != 1:
            raise InputError(
                f"--title {args.title!r}: {len(found)} windows have it; start one game"
            )
        client: Rect = desktop.windows.client(found[0])
        print(f"client area {client.width} x {client.height} at {client.x},{client.y}")
        if args.write is None:
            last = None
            end = time.monotonic() + args.seconds
            while time.monotonic() < end:
                seen = under_pointer(desktop, client)
                if seen is not None and seen != last:
                    print(f"x = {seen[0]}, y = {seen[1]}, rgb = {list(seen[2])}", flush=True)
                    last = seen
                time.sleep(0.1)
            return 0
        if not args.layout_file:
            raise InputError("--write needs --layout-file FILE, the game's layout in the slot")
        data = Calibration(desktop, client, lambda text: input(f"{text}: ")).run(
            args.title, args.layout_file
        )
    Path(args.write).write_text(to_toml(data), encoding="utf-8")
    print(f"{args.write} written; look at it, then: python -m bench native doctor")
    return 0
