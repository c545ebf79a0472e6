"""Checking a session: its files, its configuration, every candidate, and the physics."""

from reports.verify.findings import NAMES, Finding
from reports.verify.session import verify_session

__all__ = ["NAMES", "Finding", "verify_session"]
