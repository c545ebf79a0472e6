"""The rule registry: rules in a stated order, each with a code of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from bench.bridge.rules.case import Case
from bench.bridge.rules.wording import capped
from bench.task import Violation


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: a generator of violations that all carry `code`.

    When a rule that `stops` is broken, no later rule is looked at: it could not speak of ids
    without ambiguity.
    """

    code: str
    find: Callable[[Case], Iterator[Violation]]
    stops: bool = False


class RuleBook:
    """Rules in the order in which they are checked and reported."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        """Raise ValueError when two rules share a code."""
        self._rules = tuple(rules)
        codes = [rule.code for rule in self._rules]
        for code in codes:
            if codes.count(code) > 1:
                raise ValueError(f"two rules are registered as {code}; a code names one rule")

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes in order."""
        return tuple(rule.code for rule in self._rules)

    def violations(self, case: Case) -> Iterator[Violation]:
        """All violations of a case, rule by rule; many of one code are cut to a count."""
        for rule in self._rules:
            found = tuple(capped(rule.find(case)))
            yield from found
            if found and rule.stops:
                return
