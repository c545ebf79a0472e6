"""`python -m bench.records docs/schemas`: write the JSON Schema of every record kind."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.records.files import json_bytes
from bench.records.schema import RECORDS, json_schema


def main(arguments: list[str]) -> int:
    """Write one file a kind into the folder that is named."""
    if len(arguments) != 1:
        print("usage: python -m bench.records FOLDER", file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for kind in RECORDS:
        (folder / f"{kind.kind}.json").write_bytes(json_bytes(json_schema(kind)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
