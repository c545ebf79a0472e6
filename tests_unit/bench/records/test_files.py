"""Single record files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.errors import RecordError
from bench.records.files import inside, read_lines, scrub, write_bytes, write_json
from bench.records.folder import cut_text
from bench.records.schema import RECORDS, json_schema
from tests_unit.support.paths import ROOT


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    write_bytes(path, b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_bytes(path, b"new")
    assert path.read_bytes() == b"old"


def test_a_value_that_is_no_json_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"a\.json: cannot be recorded"):
        write_json(tmp_path / "a.json", {"peak": float("nan")})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["/etc/passwd", "../result.json", "frames/../../x", ""])
def test_a_file_name_cannot_lead_out_of_the_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no file name within a call folder"):
        inside(tmp_path, name)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("open /home/erika/runs/a.json failed", "open <path> failed"),
        ("'/tmp/x/y': gone", "'<path>': gone"),
        (r"C:\Users\erika\save.layout is locked", "<path> is locked"),
        ("~/games/bridge/save is locked", "<path> is locked"),
        ("see https://host.example/v1/chat", "see https://host.example/v1/chat"),
        ("the ratio a/b is 3/4", "the ratio a/b is 3/4"),
    ],
)
def test_paths_of_the_machine_are_scrubbed(text: str, clean: str) -> None:
    assert scrub(text) == clean


def test_lines_that_are_no_objects_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1}\n[2]\n\n{"a": 3}\n{"a"')
    assert read_lines(path) == [{"a": 1}, {"a": 3}]
    assert read_lines(tmp_path / "none.jsonl") == []


def test_text_at_the_limit_is_kept_whole() -> None:
    assert cut_text("x" * 2_000_000) == ("x" * 2_000_000, False)
    assert cut_text("x" * 2_000_002) == ("x" * 2_000_001, True)


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.kind)
def test_the_exported_schemas_are_those_of_the_code(kind: type) -> None:
    path = ROOT / "docs" / "schemas" / f"{kind.kind}.json"  # type: ignore[attr-defined]
    again = "write them with `python -m bench.records docs/schemas`"
    assert json.loads(path.read_text()) == json_schema(kind), again
