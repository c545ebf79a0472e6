"""What a release holds, and what it must not."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from pathlib import Path

import pytest

from reports.cli import main
from reports.release import private, release
from reports.verify import verify_session
from tests_unit.support.bench_runs import bench, script

LEVEL = "T1B_Basic_6m"
KEY = "not-a-form-of-key-0815"
SEEDS = {
    KEY: "<secret>",
    "sk-proj-abcdefghijklmnop1234": "<secret>",
    "Bearer abcdef.123456": "<secret>",
    "carla.columna": "<user>",
    "/home/carla.columna/runs/x.json": "<path>",
    r"C:\Users\carla\poly": "<path>",
    "/opt/models/secret.toml": "<path>",
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    runs = tmp_path_factory.mktemp("release")
    model = script(runs / "script.json", **{LEVEL: "FS"})
    select = ("-k", LEVEL, "--budget", "loose", "--session", "s")
    run = bench("--model", model, *select, runs_dir=runs, fake=False)
    assert run.code == 0, run.out
    return runs / "s"


@pytest.fixture
def session(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "s"))


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_release_verifies_after_unpacking_and_its_sums_hold(
    session: Path, tmp_path: Path
) -> None:
    assert main(["release", str(session), str(tmp_path / "out.zip")]) == 0
    files = contents(tmp_path / "out.zip")
    for line in files["SHA256SUMS"].decode().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256(files[name]).hexdigest() == digest
    assert len(files["SHA256SUMS"].splitlines()) == len(files) - 1
    assert not [name for name in files if name.endswith((".png", ".lock", "report.json"))]
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
    assert verify_session(tmp_path / "unpacked") == []


def test_pictures_come_in_a_file_of_their_own(session: Path, tmp_path: Path) -> None:
    release(session, tmp_path / "out.zip", pictures=tmp_path / "pictures.zip")
    names = set(contents(tmp_path / "pictures.zip"))
    on_disk = {p.relative_to(session).as_posix() for p in session.rglob("*.png")}
    assert names == on_disk | {"RELEASE.json", "SHA256SUMS"}


def test_the_same_session_gives_the_same_bytes(session: Path, tmp_path: Path) -> None:
    release(session, tmp_path / "a.zip", environment={})
    for path in session.rglob("*"):
        path.touch()
    moved = shutil.copytree(session, tmp_path / "elsewhere" / "t")
    release(moved, tmp_path / "b.zip", environment={})
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_no_seeded_secret_user_or_path_is_in_a_release(session: Path, tmp_path: Path) -> None:
    environment = {"SOME_API_KEY": KEY, "USER": "carla.columna"}
    for number, seed in enumerate(SEEDS):
        row = json.dumps({"event": "failed", "message": f"gateway said: {seed}!"})
        with (session / LEVEL / "call-1" / "attempts.jsonl").open("a") as file:
            file.write(row + "\n")
        path = session / LEVEL / "call-2" / "response.json"
        value = json.loads(path.read_text())
        value["meta"][f"seed{number}"] = [seed]
        path.write_text(json.dumps(value))
    (session / "limits").mkdir(exist_ok=True)
    (session / "limits" / "x.json").write_text(KEY)
    replaced = release(session, tmp_path / "out.zip", environment=environment)
    assert replaced == [f"{LEVEL}/call-1/attempts.jsonl", f"{LEVEL}/call-2/response.json"]
    files = contents(tmp_path / "out.zip")
    everything = b"\n".join(files.values()).decode("latin-1")
    for seed in (*SEEDS, "carla", str(tmp_path), str(Path.home()) + "/"):
        assert seed not in everything
        assert json.dumps(seed)[1:-1] not in everything
    rows = [json.loads(r) for r in files[f"{LEVEL}/call-1/attempts.jsonl"].splitlines()]
    told = [row["message"] for row in rows if row.get("event") == "failed"]
    assert told == [f"gateway said: {instead}!" for instead in SEEDS.values()]
    assert json.loads(files["RELEASE.json"])["replaced"] == replaced


@pytest.mark.parametrize(
    "text",
    [
        "a truss and/or a beam, 3/4 of the span, km/h",
        "https://api.example.com/v1/chat/completions",
        "the root of the user's model is /not/a/path",
        "sk-short and Bearer of bad news",
    ],
)
def test_plain_text_stays_as_it_is(text: str, tmp_path: Path) -> None:
    assert private(tmp_path / "s", {"USER": "root"}).clean(text) == text


def test_an_incomplete_session_is_refused_unless_asked_for(
    session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (session / LEVEL / "result.json").unlink()
    out = tmp_path / "out.zip"
    assert main(["release", str(session), str(out)]) == 4
    assert "1 of 1 episodes are no result" in capsys.readouterr().err
    assert not out.exists()
    assert main(["release", str(session), str(out), "--incomplete"]) == 0
    assert json.loads(contents(out)["RELEASE.json"])["incomplete"] == 1


def test_a_file_that_cannot_be_written_leaves_nothing(
    session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["release", str(session), str(tmp_path / "file" / "out.zip")]) == 4
    assert "cannot be written" in capsys.readouterr().err
