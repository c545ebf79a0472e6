"""The layout file: nothing of the user's is lost, and nothing half written is ever seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.bridge.design.save import Save, decode_payload, design_of, encode_payload, save_of
from bench.bridge.drivers.native import saves
from bench.bridge.drivers.native.errors import LayoutRefused, SaveChanged, SaveLocked
from bench.bridge.drivers.native.layouts import check_layouts, load_layout
from bench.bridge.drivers.native.probe import probe_of
from bench.bridge.drivers.native.saves import LayoutSlot
from tests_unit.support.factories import deck, flat_level

LEVEL = flat_level(10.0)
SAVE: Save = save_of(deck(LEVEL), "ten")


def layout(save: Save, **more: object) -> bytes:
    entries = [encode_payload(save), "second", "third"]
    return json.dumps(
        {"description": "d", "saveFiles": entries, "terrain": [1.50], **more}
    ).encode()


@pytest.fixture
def slot(tmp_path: Path) -> LayoutSlot:
    path = tmp_path / "slot.json"
    path.write_bytes(b"mine")
    return LayoutSlot(path)


def test_the_users_file_comes_back(slot: LayoutSlot) -> None:
    slot.open()
    slot.put(layout(SAVE), SAVE)
    assert slot.kept
    slot.restore()
    assert slot.path.read_bytes() == b"mine"
    assert list(slot.path.parent.iterdir()) == [slot.path]


def test_it_comes_back_after_a_crash_and_a_second_run(slot: LayoutSlot) -> None:
    slot.open()
    slot.put(layout(SAVE), SAVE)
    again = LayoutSlot(slot.path)
    again.open()
    again.put(layout(SAVE), SAVE)
    again.restore()
    again.restore()
    assert slot.path.read_bytes() == b"mine"
    assert list(slot.path.parent.iterdir()) == [slot.path]


def test_a_slot_that_was_empty_is_empty_again(tmp_path: Path) -> None:
    slot = LayoutSlot(tmp_path / "new" / "slot.json")
    slot.open()
    slot.put(layout(SAVE), SAVE)
    slot.restore()
    assert list(slot.path.parent.iterdir()) == []


def test_only_the_first_entry_changes(slot: LayoutSlot) -> None:
    slot.open()
    before = layout(save_of(deck(flat_level(8.0)), "eight"), other={"a": None})
    slot.put(before, SAVE)
    found, old = json.loads(slot.path.read_bytes()), json.loads(before)
    assert decode_payload(found["saveFiles"][0]) == SAVE
    assert found["saveFiles"][1:] == ["second", "third"]
    assert {k: v for k, v in found.items() if k != "saveFiles"} == {
        k: v for k, v in old.items() if k != "saveFiles"
    }


def test_a_lock_that_passes_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saves, "REPLACE_PAUSE_S", 0.0)
    left = [5]

    def replace(source: Path, target: Path) -> None:
        if left[0]:
            left[0] -= 1
            raise PermissionError(13, "used by another process")
        source.replace(target)

    slot = LayoutSlot(tmp_path / "slot.json", replace)
    slot.put(layout(SAVE), SAVE)
    slot.check(SAVE)
    left[0] = saves.REPLACE_TRIES
    with pytest.raises(SaveLocked, match="used by another process"):
        slot.put(layout(SAVE), SAVE)
    assert [p.name for p in tmp_path.iterdir()] == ["slot.json"]


def test_a_save_that_was_written_again_is_noticed(slot: LayoutSlot) -> None:
    slot.put(layout(SAVE), SAVE)
    slot.check(SAVE)
    fewer = {**SAVE, "Objects": SAVE["Objects"][:-1]}
    slot.path.write_bytes(layout(fewer))
    with pytest.raises(SaveChanged, match=f"of {len(SAVE['Objects']) - 1} objects"):
        slot.check(SAVE)
    slot.path.write_bytes(b"{")
    with pytest.raises(SaveChanged):
        slot.check(SAVE)


def test_the_probe_looks_different_from_whatever_there_is() -> None:
    bare = {**SAVE, "Objects": [o for o in SAVE["Objects"] if o.get("isKinematic")]}
    for save in (SAVE, bare, probe_of(bare)):
        probe = design_of(probe_of(save))
        assert len(probe.members) == 1
        assert {n.id for n in probe.nodes if n.is_anchor} == {1, 2, 3, 4}
        assert design_of(save).members != probe.members


def test_layouts_are_compared_with_the_level(tmp_path: Path) -> None:
    fits, moved, fewer = (flat_level(10.0, name=n) for n in ("fits", "moved", "fewer"))
    broken, missing = flat_level(10.0, name="broken"), flat_level(10.0, name="missing")
    (tmp_path / "fits.json").write_bytes(layout(shifted(0.0009)))
    (tmp_path / "moved.layout").write_bytes(layout(shifted(0.0011)))
    (tmp_path / "fewer.json").write_bytes(layout({**SAVE, "Objects": SAVE["Objects"][1:]}))
    (tmp_path / "broken.json").write_text('{"saveFiles": ["eJxxxx"]}')
    reports = check_layouts(tmp_path, (fits, moved, fewer, broken, missing))
    reasons = {r.level: r.reason for r in reports}
    assert reasons["fits"] is None
    assert "1.1 mm away" in str(reasons["moved"])
    assert reasons["fewer"] == "3 anchors instead of 4"
    assert "broken.json: saveFiles[0]" in str(reasons["broken"])
    assert [r.level for r in reports if r.missing] == ["missing"]
    with pytest.raises(LayoutRefused, match=r"export it from the game as missing\.json"):
        load_layout(tmp_path, missing)


def shifted(dx: float) -> Save:
    """Another order and other ids than ours, which do not matter, and one anchor moved."""
    objects = [dict(o) for o in SAVE["Objects"] if o.get("isKinematic")][::-1]
    for i, entry in enumerate(objects):
        entry["id"] = 70 + i
    objects[0]["x"] += dx
    return {"DisplayName": "x", "Objects": objects}
