"""The page in real Chromium, from disk."""

from __future__ import annotations

import json
import resource
import shutil

import pytest

from reports.html.build import write_html
from reports.html.scripts import script
from reports.report import report_of
from reports.sources import load
from tests_unit.support.report_pages import page_session
from tests_unit.support.report_sessions import Episode

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip
EPISODES = [
    Episode("T1B_Basic_4m", "VFS", tags=("basic",)),
    Episode("T1B_Basic_6m", "FFF", tags=("basic",)),
    Episode("T2A_Slope_4m", "VVV", tags=("slope",)),
    Episode("G1_Rock_4m", None),
]
HOSTILE = (
    "</script><script>window.pwned=1</script><img src=x onerror=window.pwned=1>"
    "<svg onload=window.pwned=1></svg> [x](javascript:window.pwned=1) \u202eevil\u202c {{7*7}}"
)
SHOWN = HOSTILE.replace("\u202e", "[U+202E]").replace("\u202c", "[U+202C]")


@pytest.fixture(scope="module")
def chromium():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium):
    """A page that fails the test on any console error, script error or request off the disk."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda m: faults.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    # A picture that was still loading when the test went on to another view is no fault.
    page.on("requestfailed", lambda r: "ABORTED" in r.failure or faults.append(r.url))
    page.on("request", lambda r: None if r.url.startswith("file://") else faults.append(r.url))
    page.set_default_timeout(15_000)
    yield page
    context.close()
    assert faults == []


def built(tmp_path, episodes=EPISODES, **more):
    first = page_session(tmp_path / "one", episodes, **more)
    second = page_session(tmp_path / "two", episodes, budget="loose")
    return write(tmp_path / "out", first, second).as_uri()


def write(out, *sessions):
    return write_html(report_of([load(path) for path in sessions]), out)


@pytest.mark.browser
@needs_chromium
def test_the_map_filters_by_outcome_tag_group_and_text(page, tmp_path):
    page.goto(built(tmp_path) + "#/levels")
    tiles = page.locator(".tile")
    page.get_by_text("4 of 4 levels").wait_for()
    assert tiles.count() == 4
    page.locator("select[name=outcome]").select_option("success")
    assert tiles.count() == 1
    assert "T1B_Basic_4m" in tiles.first.text_content()  # not yet painted is fine
    page.locator("select[name=outcome]").select_option("")
    page.locator("select[name=tag]").select_option("basic")
    assert tiles.count() == 2
    page.locator("input[name=text]").fill("6m")
    assert page.get_by_text("1 of 4 levels").is_visible()
    page.locator("select[name=tag]").select_option("")
    page.locator("input[name=text]").fill("")
    page.locator("select[name=group]").select_option("Compositional Constraints")
    assert page.get_by_text("1 of 4 levels").is_visible()


@pytest.mark.browser
@needs_chromium
def test_from_the_map_to_an_episode_and_its_replay_to_the_end(page, tmp_path):
    page.goto(built(tmp_path) + "#/levels")
    page.locator(".tile", has_text="T1B_Basic_4m").click()
    page.get_by_role("link", name="Open episode").first.click()
    page.get_by_text("Call 1: refused by the checks").wait_for()
    first = page.locator("article.call").first
    assert first.locator(".member.named").count() == 1  # the member that the message names
    first.locator(".violations li").hover()
    assert first.locator(".member.marked").count() == 1
    assert (
        "Wood member 5 · nodes 3\u20132 · 2.00 m · $360" in first.locator(".readout").inner_text()
    )
    second = page.locator("article.call").nth(1)
    second.get_by_role("button", name="Load the replay").click()
    player = second.locator(".player")
    assert "First break at 0.25 s: Wood member 5" in player.inner_text()
    player.get_by_role("button", name="Play").click()
    page.locator(".player[data-ended=true]").wait_for()
    assert player.get_attribute("data-time") == "0.500"
    player.locator("canvas").press("Home")
    assert player.get_attribute("data-time") == "0.000"
    player.locator("canvas").press("ArrowRight")
    assert player.get_attribute("data-time") == "0.025"


@pytest.mark.browser
@needs_chromium
def test_two_attempts_replay_side_by_side(page, tmp_path):
    page.goto(built(tmp_path) + "#/level/l0")
    page.get_by_role("button", name="Replay side by side").click()
    page.locator(".stage.n2 canvas").nth(1).wait_for()
    page.locator("canvas").first.press("End")
    assert page.locator(".player").get_attribute("data-ended") == "true"


@pytest.mark.browser
@needs_chromium
def test_texts_of_models_and_names_are_text(page, tmp_path):
    name = "T1B_<img src=x onerror=window.pwned=1>&amp;'\""
    hostile = [Episode(name, "VF", tags=("<b onclick=alert(1)>",))]
    address = built(tmp_path, hostile, text=HOSTILE, model=HOSTILE)
    assert not list((tmp_path / "out").rglob("*img*"))  # no file is named by a level
    for place in ("", "#/tables", "#/levels", "#/level/l0", "#/episode/s0-l0-1"):
        page.goto(address + place)
        page.reload()
        page.locator("body[data-ready]").wait_for()
        page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        page.wait_for_timeout(200)
        assert page.evaluate("window.pwned") is None
        assert page.locator("img[src=x], [onerror], [onload], [onclick], svg[onload]").count() == 0
    assert page.locator("blockquote").first.text_content() == SHOWN
    assert page.locator("h1").last.text_content() == name
    assert page.locator(".violations li").first.text_content().endswith(SHOWN)
    assert page.locator("pre", has_text="window.pwned").count() >= 3


@pytest.mark.browser
@needs_chromium
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_view_is_wider_than_the_window(page, tmp_path, theme, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=theme)
    address = built(tmp_path)
    for place in ("", "#/tables", "#/levels", "#/level/l0", "#/episode/s0-l0-1"):
        page.goto(address + place)
        page.reload()
        page.locator("body[data-ready]").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_label("Switch between light and dark").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != background


def test_data_scripts_cannot_end_their_element():
    text = script("k", HOSTILE)
    assert "<" not in text
    assert text.isascii()
    assert text.startswith('PBB.receive(["k","\\u003c/script\\u003e')


def test_a_second_build_leaves_no_old_data(tmp_path):
    built(tmp_path)
    data = tmp_path / "out" / "data"
    (data / "e" / "s9-l9-1.js").write_text("old")
    write(tmp_path / "out", tmp_path / "one")
    assert sorted(p.name for p in (data / "e").iterdir()) == [f"s0-l{i}-1.js" for i in range(4)]


def test_an_episode_keeps_the_scene_of_its_own_session(tmp_path):
    built(tmp_path)
    scene = tmp_path / "two" / "scene" / "levels.json"
    scene.write_text(scene.read_text().replace('"water_y": -1.7', '"water_y": -1.2'))
    write(tmp_path / "out", tmp_path / "one", tmp_path / "two")
    text = (tmp_path / "out" / "data" / "l" / "l0.js").read_text()
    level = json.loads(text.removeprefix("PBB.receive(").removesuffix(");\n"))[1]
    assert [s["water_y"] for s in level["scenes"]] == [-1.7, -1.2]
    assert level["sceneOf"] == {"s0": 0, "s1": 1}


@pytest.mark.browser
@needs_chromium
def test_the_page_of_another_domain_has_its_unit_its_words_and_its_script(page, tmp_path):
    episodes = [Episode("T1B_Tower_4", "FS"), Episode("T1B_Tower_5", None)]
    session = page_session(tmp_path / "pegs", episodes, domain="toy", design={"pegs": ["red"]})
    address = write(tmp_path / "out", session).as_uri()
    page.goto(address)
    assert page.locator("h1").first.inner_text() == "Does the tower stand?"
    page.goto(address + "#/level/l0")
    page.get_by_text("an empty board").wait_for()
    facts = page.locator("dl.facts").inner_text().split("\n")
    assert facts[facts.index("Strict limit") + 1] == "2,000 pegs"
    page.goto(address + "#/episode/s0-l0-1")
    page.get_by_text("Call 2: a tower that stands").wait_for()
    assert page.locator(".tower").all_inner_texts() == ["red", "red"]
    assert page.get_by_text("1,000 pegs of 2,000 pegs").count() == 2
    assert page.get_by_role("button", name="Load the replay").count() == 0
    assert not (tmp_path / "out" / "assets" / "bridge.js").exists()
    assert "$" not in page.locator("#view").inner_text()


@pytest.mark.slow
@pytest.mark.browser
@needs_chromium
def test_ten_sessions_of_189_levels_are_small(page, tmp_path):
    families = ("T1B", "T2A", "T4B", "G1", "G2")
    episodes = [Episode(f"{families[i % 5]}_{i}", ("S", "FS", "VFF")[i % 3]) for i in range(189)]
    paths = [page_session(tmp_path / f"s{i}", episodes, model=f"m{i}") for i in range(10)]
    index = write(tmp_path / "out", *paths)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 1_000_000  # kB
    out = index.parent
    first = [index, out / "data" / "report.js", *(out / "assets").iterdir()]
    assert sum(path.stat().st_size for path in first) < 2_000_000
    page.goto(index.as_uri())
    page.locator("body[data-ready]").wait_for()
    timing = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
    print(f"usable after {page.evaluate(timing):.0f} ms")
