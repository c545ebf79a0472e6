"""Compilation of the kernel: numba's cache, keyed by all of the kernel's sources.

numba alone looks at the file of the compiled function: after a change of a constant, or of a
function in another file that was compiled into the loop, it would go on with the old code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba import njit
from numba.core.caching import FunctionCache

SOURCES = ("constants.py", "contacts.py", "kernel.py")


@cache
def sources_hash() -> str:
    """SHA-256 over the files whose code and constants end up in the compiled loop."""
    sha = hashlib.sha256()
    for name in SOURCES:
        sha.update(Path(__file__).with_name(name).read_bytes())
    return sha.hexdigest()


class _KernelCache(FunctionCache):
    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return (*super()._index_key(sig, codegen), sources_hash())


def compiled(function: Callable[..., Any]) -> Any:
    """Compile on first use, without the interpreter's lock, cached on disk per sources."""
    dispatcher: Any = njit(nogil=True)(function)
    dispatcher._cache = _KernelCache(function)
    return dispatcher
