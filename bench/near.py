"""'Did you mean': one wording for every name that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def near(name: str, known: Iterable[str], most: int = 1, cutoff: float = 0.6) -> list[str]:
    """The known names closest to a name, upper and lower case taken for the same."""
    by_fold = {one.casefold(): one for one in known}
    found = difflib.get_close_matches(name.casefold(), by_fold, n=most, cutoff=cutoff)
    return [by_fold[fold] for fold in found]


def unknown(what: str, name: str, known: Iterable[str], prefix: str = "") -> str:
    """`--driver 'nativ' is unknown; use one of embedded, native; did you mean native?`.

    `prefix` stands before the suggestion where it is typed so: `baseline:truss`.
    """
    names = list(known)
    close = near(name, names)
    hint = f"; did you mean {prefix}{close[0]}?" if close else ""
    return f"{what} {name!r} is unknown; use one of {', '.join(names)}{hint}"
