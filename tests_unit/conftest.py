"""In CI a skipped test is a failed one, but for those that read ../shared."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Generator

import pytest

# A shell's background job starts with SIGINT ignored, and so would every process that a test
# interrupts: a handler here is the default again in each of them.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if "../shared" not in reason:
            report.outcome = "failed"
            report.longrepr = f"skipped in CI: {reason}"
    return report
