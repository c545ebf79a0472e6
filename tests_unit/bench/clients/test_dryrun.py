"""Token counts and bounds of a run, before anything is sent."""

from __future__ import annotations

from pathlib import Path

from bench.clients.dryrun import bound_run, dry_run, render_bounds, write_prompt
from bench.clients.options import ClientOptions
from bench.clients.profiles import Profile, resolve_model
from bench.clients.tokens import TokenCount, count_tokens, image_tokens
from tests_unit.support.asking import observation, png

PRICES = ("price_input_usd=2", "price_output_usd=10", "price_date=2026-11-30")


def profile_of(*args: str) -> Profile:
    return resolve_model("m", ClientOptions(model_args=args)).profile


def test_picture_of_the_editor_is_reckoned_at_1366_tokens() -> None:
    # 1280 x 800 / 750 = 1365.3
    assert image_tokens(png(1280, 800)) == 1366
    assert image_tokens(b"no picture") == 1366


def test_text_is_reckoned_at_four_characters_and_bounded_by_its_bytes() -> None:
    count = count_tokens(observation("ü" * 400, png(750, 2)))
    # "Build a bridge." 15 + 400 + "Answer in JSON." 15 = 430 characters, 830 bytes
    assert count.text == 108 + 2 * 16
    assert count.images == 2
    assert count.estimate == 142
    assert count.bound == 830 + 32 + 4
    blind = count_tokens(observation("ü" * 400, png(750, 2)), vision=False)
    assert (blind.images, blind.bound) == (0, 862)


def test_bounds_of_a_run_are_those_of_a_hand_calculation() -> None:
    prompts = [TokenCount(1000, 500, 9000), TokenCount(2000, 600, 9000)]
    profile = profile_of(*PRICES, "assumed_output_tokens=8000")
    bound = bound_run("m", profile, prompts, calls=3, samples=2)
    # first prompts: (1500 + 2600) x 2 samples = 8200; a repair prompt adds 3000 of draft,
    # 2000 of feedback and 600 of picture, twice in each of 4 episodes: 44,800.
    assert bound.episodes == 4
    assert bound.calls == (4, 12)
    assert bound.input_tokens == (8200, 3 * 8200 + 44_800)
    assert bound.output_tokens == (4 * 3000, 12 * 8000)
    assert bound.usd == ((8200 * 2 + 12_000 * 10) / 1e6, (69_400 * 2 + 96_000 * 10) / 1e6)


def test_sent_output_limit_is_the_bound_of_the_output() -> None:
    bound = bound_run("m", profile_of("max_output_tokens=100"), [TokenCount(10, 0, 10)])
    assert bound.output_tokens == (100, 300)
    assert bound.usd is None


def test_table_shows_dollars_only_where_a_price_is_known() -> None:
    prompts = [count_tokens(observation())] * 3
    args = ("max_output_tokens=1000000",)
    lines = render_bounds(
        [
            bound_run("known", profile_of(*PRICES, *args), prompts),
            bound_run("unknown", profile_of(*args), prompts),
        ]
    ).splitlines()
    assert lines[0].split("  ")[0] == "model"
    assert lines[1].startswith("known    3         3 to 9")
    assert lines[1].endswith("0.09 to 90.06")
    assert lines[2].endswith("9,000 to 9,000,000  price unknown")


def test_prompt_is_written_as_a_reader_sees_it(tmp_path: Path) -> None:
    paths = write_prompt(tmp_path / "prompts", "G1_Test", observation())
    assert [p.name for p in paths] == ["G1_Test.txt", "G1_Test-editor.png"]
    assert paths[0].read_text() == (
        "== system ==\nBuild a bridge.\n\n"
        "== user ==\nlevelName: G1_Test\n\n[picture: G1_Test-editor.png]\n\nAnswer in JSON.\n"
    )
    assert paths[1].read_bytes() == png()


def test_dry_run_writes_each_prompt_and_bounds_every_known_model(tmp_path: Path) -> None:
    options = ClientOptions(model_args=PRICES)
    prompts = [(name, observation(name)) for name in ("L1", "L2")]
    lines = dry_run(iter(prompts), "mine", options, tmp_path, samples=2).splitlines()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("L1-editor.png", "L1.txt", "L2-editor.png", "L2.txt")
    ]
    assert [line.split()[0] for line in lines] == [
        *("model", "mine", "gpt-5.2", "claude-sonnet-5", "gemini-3-flash-preview"),
        *("qwen3-vl-plus", "gemma-4-31b-it", "kimi-k2.5"),
    ]
    assert lines[1].split()[1:5] == ["4", "4", "to", "12"]
    assert "price unknown" not in lines[1]
    assert all(line.endswith("price unknown") for line in lines[2:])
