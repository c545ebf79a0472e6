"""Compiled Cholesky inside an envelope, for trusses numbered from left to right."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

import numpy as np
from numba import njit

WEAKEST_PIVOT = 1e-7
"""A pivot below this share of its diagonal makes a structure a mechanism."""


@njit(cache=True, nogil=True)
def factorise(stiff, first, size):
    """Cholesky factor of `stiff` (N, N) in place, row i from column `first[i]` on.

    False when a pivot all but vanishes: the structure is a mechanism.
    """
    for i in range(size):
        whole = stiff[i, i]
        for j in range(first[i], i):
            total = stiff[i, j]
            for k in range(max(first[i], first[j]), j):
                total -= stiff[i, k] * stiff[j, k]
            stiff[i, j] = total / stiff[j, j]
        pivot = whole
        for k in range(first[i], i):
            pivot -= stiff[i, k] * stiff[i, k]
        if pivot <= WEAKEST_PIVOT * whole or whole <= 0.0:
            return False
        stiff[i, i] = np.sqrt(pivot)
    return True


@njit(cache=True, nogil=True)
def solve(stiff, first, size, load, start):
    """Displacements in place of the load (N,), which is zero before row `start`."""
    for i in range(start, size):
        total = load[i]
        for k in range(max(first[i], start), i):
            total -= stiff[i, k] * load[k]
        load[i] = total / stiff[i, i]
    for i in range(size - 1, -1, -1):
        load[i] /= stiff[i, i]
        for k in range(first[i], i):
            load[k] -= stiff[i, k] * load[i]
