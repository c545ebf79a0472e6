"""What verify can find, by name."""

from __future__ import annotations

from dataclasses import dataclass

NAMES = {
    "incomplete": "expected episodes are no result yet, or the last run did not come to its end",
    "duplicate-key": "an episode is expected, or summed up, twice",
    "unexpected-episode": "a folder holds an episode that the manifest does not expect",
    "missing-file": "a file that the records name is gone",
    "missing-trajectory": "an episode has a result and no trajectory",
    "changed-file": "a file is not the one whose hash was recorded",
    "unlisted-file": "a record whose hash the manifest should hold and does not",
    "unreadable": "a record is broken or written by another schema",
    "wrong-key": "an episode's records name another level, sample, model or version",
    "budget-mismatch": "a limit is not the one of the level under the session's condition",
    "protocol-mismatch": "the settings are not the declared protocol's, or were not kept to",
    "candidate-mismatch": "parsing and validating the recorded answer again gives another verdict",
    "design-mismatch": "a recorded design is not the one of the recorded answer",
    "prompt-mismatch": "a recorded request is not the one that the records before it lead to",
    "outcome-mismatch": "result, counters and calls do not agree",
    "summary-mismatch": "summary.json does not agree with the results",
    "other-version": "the session was run on another version of what decides its numbers",
    "physics-mismatch": "simulating an attempt again gives another result",
}
"""Every finding and its meaning, in the order in which they are reported."""


@dataclass(frozen=True)
class Finding:
    """One fault: its name in NAMES, the record or level it is about, and what is wrong."""

    name: str
    where: str
    detail: str

    def __post_init__(self) -> None:
        """A name that is not documented is a mistake of ours."""
        if self.name not in NAMES:
            raise ValueError(f"{self.name!r} is no finding; add it to NAMES")

    def __str__(self) -> str:
        """`changed-file: G1_.../result.json: ...`."""
        return f"{self.name}: {self.where}: {self.detail}"
