"""`python -m reports`, and the folder that it writes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from bench.errors import InputError
from reports.build import write
from reports.cli import COMMANDS, main
from reports.protocols import by_protocol
from reports.report import report_of
from tests_unit.support.report_sessions import (
    EDGE_CASES,
    Episode,
    edge_cases,
    many,
    write_session,
)


@pytest.fixture
def edge(tmp_path):
    return write_session(tmp_path / "runs" / "edge", EDGE_CASES)


@pytest.fixture
def better(tmp_path):
    won = [Episode(e.level, "S", limit=e.limit) for e in EDGE_CASES]
    return write_session(tmp_path / "runs" / "better", won)


def test_a_report_is_written_in_every_format(edge, better, tmp_path, capsys):
    out = tmp_path / "out"
    assert main([str(edge), str(better), "--out", str(out)]) == 0
    found = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert {"index.html", "index.md", "tables.json", "csv/main.csv", "latex/main.tex"} <= found
    assert "csv/leaderboard.csv" in found
    printed = capsys.readouterr().out
    assert "8 of 10 episodes have a result" in printed
    assert printed.splitlines()[-5:] == [
        str(out / name) for name in ("index.html", "index.md", "csv", "latex", "tables.json")
    ]


def test_only_the_formats_asked_for(edge, tmp_path, capsys):
    out = tmp_path / "out"
    assert main([str(edge), "--out", str(out), "--format", "json", "-q"]) == 0
    assert [path.name for path in out.iterdir()] == ["tables.json"]
    assert capsys.readouterr().out == f"{out / 'tables.json'}\n"
    content = json.loads((out / "tables.json").read_text())
    assert content["sessions"][0] == {
        "session": "edge",
        "model": "test",
        "budget": "strict",
        "variants": [],
        "episodes": 10,
        "results": 8,
    }


def test_the_same_sessions_give_the_same_bytes(edge, tmp_path):
    for name in ("one", "two"):
        assert main([str(edge), "--out", str(tmp_path / name), "-q"]) == 0
    first, second = (
        {p.relative_to(tmp_path / n): p.read_bytes() for p in (tmp_path / n).rglob("*.*")}
        for n in ("one", "two")
    )
    assert first == second


def test_variants_never_share_a_table_with_the_paper_protocol(tmp_path):
    report = report_of([many("v", variants=("--frames 1",)), many("loose", budget="loose"), many()])
    assert [s.title for s in report.sections] == [
        "Paper protocol",
        "Protocol variant: --frames 1",
    ]
    main_tables = [section.tables[0] for section in report.sections]
    assert [[row[1] for row in table.rows] for table in main_tables] == [["many", "loose"], ["v"]]
    write(report, tmp_path, ["csv"])
    assert (tmp_path / "csv" / "variant-1" / "main.csv").exists()


def test_sessions_of_two_versions_are_told_apart_in_words():
    sessions = [many("a", hashes={"simulator": "1"}), many("b", hashes={"simulator": "2"})]
    (section,) = report_of(sessions).sections
    assert section.notes == ("These sessions did not run the same benchmark: simulator differ.",)
    assert len(by_protocol(sessions)) == 1


def test_a_session_given_twice_is_refused():
    with pytest.raises(InputError, match="session 'edge' was given twice"):
        report_of([edge_cases(), edge_cases()])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{runs}/none", "--out", "{runs}/o"], "no such session folder or JSON report"),
        (["{runs}/edge"], "the following arguments are required: --out"),
        (["{runs}/edge", "--out", "{runs}/o", "--format", "pdf"], "--format 'pdf' is unknown"),
        (["{runs}/edge", "--out", "{runs}/edge/manifest.json"], "cannot be written"),
        (["compare", "{runs}/edge"], "compare needs two sessions or more"),
        (["compare", "{runs}/edge", "{runs}/edge", "--alpha", "2"], "--alpha 2 must be"),
        (["leaderboard", "{runs}/edge"], "holds no session"),
        ([], "arguments are required"),
    ],
)
def test_a_mistake_is_one_line_and_exit_4(edge, arguments, message, capsys):
    assert main([a.format(runs=edge.parent) for a in arguments]) == 4
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert message in error
    assert error.count("\n") == 1


def test_compare_prints_gains_and_losses(edge, better, capsys):
    assert main(["compare", str(edge), str(better)]) == 0
    printed = capsys.readouterr().out
    assert "B = better against A = edge" in printed
    assert "gained  T2A_2" in printed


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        ([], 0),
        (["--fail-on-regression"], 0),
        (["--fail-on-regression", "--alpha", "1"], 1),
    ],
)
def test_a_regression_can_fail_a_pipeline(edge, better, flags, code, capsys):
    # 4 of 8 lost: p = 2 / 16.
    assert main(["compare", str(better), str(edge), *flags]) == code
    assert ("regression" in capsys.readouterr().err) == bool(code)


def test_the_leaderboard_of_a_folder(edge, better, capsys):
    assert main(["leaderboard", str(edge.parent)]) == 0
    printed = capsys.readouterr().out
    assert "strict  1     1          test   better" in printed
    assert "incomplete: 8 of 10" in printed


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_wins_over_a_folder_of_its_name(name, tmp_path, monkeypatch, capsys):
    write_session(tmp_path / name, EDGE_CASES)
    monkeypatch.chdir(tmp_path)
    assert main([name, "--help-me"]) == 4
    error = capsys.readouterr().err
    assert "--out" not in error, "this is the command's mistake, not that of a report"
    assert main([f"./{name}", "--out", "out", "--format", "csv", "-q"]) == 0


def reading(name, toy):
    """The arguments under which a command reads one session, that of the toy domain."""
    return {
        "report": [str(toy), "--out", str(toy.parent / "out")],
        "compare": ["compare", str(toy), str(toy)],
        "leaderboard": ["leaderboard", str(toy.parent)],
        "verify": ["verify", str(toy)],
        "release": ["release", str(toy), str(toy.parent / "out.zip"), "--incomplete"],
    }[name]


@pytest.mark.parametrize("name", ["report", *COMMANDS])
def test_every_command_refuses_a_session_of_another_domain_than_asked_for(name, tmp_path, capsys):
    toy = write_session(tmp_path / "toys" / "pegs", EDGE_CASES, domain="toy")
    arguments = reading(name, toy)
    assert main([*arguments, "--domain", "bridge"]) == 4
    error = capsys.readouterr().err
    assert error == "error: session pegs is of --domain toy, not bridge\n"
    assert main([*arguments, "--domain", "brige"]) == 4
    assert "did you mean bridge?" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["report", "compare", "leaderboard"])
def test_two_domains_never_share_a_table(name, edge, capsys):
    toy = write_session(edge.parent / "pegs", EDGE_CASES, domain="toy")
    arguments = {
        "report": [str(edge), str(toy), "--out", str(edge.parent / "out")],
        "compare": ["compare", str(edge), str(toy)],
        "leaderboard": ["leaderboard", str(edge.parent)],
    }[name]
    assert main(arguments) == 4
    assert capsys.readouterr().err == (
        "error: session edge is of the domain bridge, session pegs of toy; "
        "two domains share no table\n"
    )


def test_the_command_starts_fast_and_without_heavy_imports(edge, tmp_path):
    code = (
        "import sys; from reports.cli import main; "
        f"code = main([{str(edge)!r}, '--out', {str(tmp_path / 'o')!r}, '-q', "
        "'--format', 'md,csv,latex,json']); "
        "heavy = {'pandas', 'numba', 'matplotlib', 'openai', 'PIL', 'shapely', 'pytest'}; "
        "print(code, heavy & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == "0 set()"
