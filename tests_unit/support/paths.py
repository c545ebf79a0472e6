"""Where the checkout is, and what lies beside it on the authors' machines only."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "golden"
SHARED = ROOT.parent / "shared"
"""Oracles that a checkout elsewhere does not have: tests that read them skip there."""
