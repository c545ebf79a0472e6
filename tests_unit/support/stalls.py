"""Makes a run stand still at one point, loaded into it with `-p tests_unit.support.stalls`.

`STALL_AT=<point>` names where, `STALL_LEVEL` at which level; the process id goes into the file
`STALL_SIGNAL`. Points: `before send` (the request is on disk), `after reply` (the reply is),
`in physics`, and `in writing` (half of execution.json is). The server stalls `in flight`.
`STALL_AT=full` runs out of disk instead: the kernel refuses bytes past `STALL_BYTES` in a file.
"""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bench.bridge.task
import bench.records.files
import bench.records.folder
from bench.records.folder import CallFolder

AT = os.environ.get("STALL_AT", "")
LEVEL = os.environ.get("STALL_LEVEL", "")


def stall() -> None:
    """Tell where we are and wait to be killed."""
    signal_file = Path(os.environ["STALL_SIGNAL"])
    if not signal_file.exists():
        signal_file.write_text(str(os.getpid()))
        time.sleep(60)


def after(function: Callable[..., Any]) -> Callable[..., Any]:
    """The method of a call folder, and then a stall."""

    def wrapped(folder: CallFolder, *arguments: Any) -> Any:
        value = function(folder, *arguments)
        if folder.path.parent.name == LEVEL:
            stall()
        return value

    return wrapped


def half_written(path: Path, data: bytes) -> None:
    if path.name == "execution.json" and LEVEL in path.parts:
        path.with_name(path.name + ".tmp").write_bytes(data[: len(data) // 2])
        stall()
    WRITE_BYTES(path, data)


def slow_physics(task: Any, design: Any) -> Any:
    if task.name == LEVEL:
        stall()
    return EXECUTE(task, design)


WRITE_BYTES = bench.records.files.write_bytes
EXECUTE = bench.bridge.task.BridgeTask.execute

if AT == "before send":
    CallFolder.write_request = after(CallFolder.write_request)  # type: ignore[method-assign]
elif AT == "after reply":
    CallFolder.write_response = after(CallFolder.write_response)  # type: ignore[method-assign]
elif AT == "in physics":
    bench.bridge.task.BridgeTask.execute = slow_physics  # type: ignore[method-assign]
elif AT == "in writing":
    bench.records.files.write_bytes = half_written
elif AT == "full":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limit = int(os.environ["STALL_BYTES"])
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
