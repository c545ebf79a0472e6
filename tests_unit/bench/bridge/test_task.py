"""What a model sees of an episode, and what is recorded without it seeing."""

import io
import json
import re
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from bench.bridge.design.save import decode_payload, design_of, save_of
from bench.bridge.level.files import load_all
from bench.bridge.prompt.observation import RAW_TEXT_LIMIT
from bench.bridge.task import BridgeTask, anonymous_name
from bench.errors import InputError
from bench.protocol import Settings
from bench.task import Observation, Outcome, TextPart
from tests_unit.support.bridge_fakes import (
    FAIL,
    WIN,
    ScriptedDriver,
    embedded,
    illegal_text,
    legal_text,
    level_file,
    make_task,
    picture_names,
    play,
    text_of,
)
from tests_unit.support.factories import answer, deck, flat_level, rock_level, warren

# --- the first call ---------------------------------------------------------------------------


def test_the_first_call_shows_the_scene_and_nothing_before_it():
    driver = ScriptedDriver()
    task = make_task(driver, level=rock_level(10.0))
    observation = task.observe([])
    data = observation.data
    assert [m.role for m in observation.messages] == ["system", "user"]
    assert data["call"] == 1
    assert (data["previous"], data["earlier"]) == (None, [])
    assert data["save_shows"] == "native_anchors"
    assert [(o["id"], o["isKinematic"]) for o in data["save"]["Objects"]] == [
        (1, True),
        (2, True),
        (3, True),
        (4, True),
    ]
    assert data["semantic_environment"]["terrain_affordances"] == []
    assert data["semantic_environment"]["forbidden_regions"][0]["vertices"] == [
        {"x": 5.0, "y": -1.0},
        {"x": 4.0, "y": -5.0},
        {"x": 6.0, "y": -5.0},
    ]
    assert picture_names(observation) == data["pictures"] == ["editor"]
    assert driver.editors == [(0, 20_000.0, "Flat")]
    assert driver.drawn == []


def test_the_user_message_is_text_first_then_the_pictures():
    task = make_task(ScriptedDriver(FAIL))
    steps = play(task, legal_text(task))
    parts = task.observe(steps).messages[1].parts
    kinds = [type(part).__name__ for part in parts]
    assert kinds == ["TextPart", "ImagePart", "ImagePart"]
    assert picture_names(task.observe(steps)) == ["editor", "contact_sheet"]


def test_text_holds_the_same_objects_as_the_data():
    task = make_task(level=rock_level(10.0))
    observation = task.observe([])
    context = text_of(observation).split("## Level context\n\n")[1].split("\n\n## ")[0]
    save = text_of(observation).split("nothing was executed yet\n\n")[1].split("\n\n## ")[0]
    assert json.loads(context) == {
        key: observation.data[key] for key in ("task_context", "semantic_environment")
    }
    assert json.loads(save) == observation.data["save"]


@pytest.mark.parametrize(
    ("budget", "condition", "limit"),
    [("strict", "strict", 20_000), ("loose", "loose", 50_000), ("1.5x", "1.5x", 30_000)],
)
def test_the_condition_sets_the_limit_everywhere(budget: str, condition: str, limit: int):
    driver = ScriptedDriver()
    task = make_task(driver, budget)
    assert task.observe([]).data["task_context"]["budget_limit"] == limit
    assert driver.editors[0][1] == limit
    assert (task.facts["condition"], task.facts["limit"]) == (condition, limit)
    assert task.facts["strict_limit"] == 20_000


def test_the_limit_is_what_the_validator_gets():
    level = flat_level(4.0, strict_limit_usd=700)  # two roads of 2 m cost $800
    legal = deck(level)
    assert [v.code for v in make_task(level=level).validate(legal)] == ["OVER_BUDGET"]
    assert make_task(level=level, budget="2x").validate(legal) == ()


def test_an_unknown_budget_is_an_input_error():
    with pytest.raises(InputError, match="--budget 'tight' is unknown"):
        make_task(budget="tight")


# --- repair calls -----------------------------------------------------------------------------


def test_after_a_violation_the_draft_comes_back_as_written_with_every_message():
    task = make_task()
    draft = answer(deck(task.level, panel=4.0), "für später")
    draft["extra"] = {"kept": [1, 2.50]}
    (step,) = steps = play(task, json.dumps(draft))
    observation = task.observe(steps)
    previous = observation.data["previous"]
    assert previous["candidate"] == draft
    assert previous["outcome"] == "invalid"
    assert [v["code"] for v in previous["violations"]] == ["EDGE_TOO_LONG"]
    text = text_of(observation)
    assert step.violations[0].message in text
    assert '"für später"' in text
    assert picture_names(observation) == ["editor"]
    assert observation.data["save_shows"] == "native_anchors"


def test_after_an_unreadable_answer_its_raw_text_comes_back():
    task = make_task()
    steps = play(task, "I would build an arch {nodes: ...")
    observation = task.observe(steps)
    previous = observation.data["previous"]
    assert "candidate" not in previous
    assert previous["raw_text"] == "I would build an arch {nodes: ..."
    assert [v["code"] for v in previous["violations"]] == ["PARSE_ERROR"]
    assert "I would build an arch {nodes: ..." in text_of(observation)


def test_a_huge_unreadable_answer_is_cut_and_says_so():
    task = make_task()
    observation = task.observe(play(task, "x" * (RAW_TEXT_LIMIT + 1)))
    assert observation.data["previous"]["raw_text"] == "x" * RAW_TEXT_LIMIT
    assert "(its first 100000 of 100001 characters)" in text_of(observation)


def test_a_lone_surrogate_in_an_unreadable_answer_can_be_sent():
    task = make_task()
    assert "no json ?" in text_of(task.observe(play(task, "no json \ud800")))
    text_of(task.observe(play(task, "no json \ud800"))).encode()


def test_after_a_failed_run_topology_summary_and_contact_sheet_come_back():
    driver = ScriptedDriver(FAIL)
    task = make_task(driver)
    steps = play(task, legal_text(task, "secret thought"))
    observation = task.observe(steps)
    data = observation.data
    design = steps[0].candidate.design
    assert data["save_shows"] == "executed_design"
    assert design_of(data["save"]) == design
    assert {e["id"] for e in data["previous"]["candidate"]["edges"]} == {6, 7}
    assert data["previous"]["execution"]["outcome"] == "failure_or_timeout"
    assert data["previous"]["execution"]["selected_frames"][-1] == {"index": 12, "time_s": 3.0}
    assert picture_names(observation) == ["editor", "contact_sheet"]
    assert observation.pictures[1] == steps[0].feedback.pictures[0]
    assert driver.editors[-1][0] == 2  # drawn with the executed bridge's two roads
    assert "violations" not in data["previous"]


def test_failed_run_then_violation_keeps_the_executed_topology_and_drops_the_sheet():
    driver = ScriptedDriver(FAIL)
    task = make_task(driver)
    steps = play(task, legal_text(task), illegal_text(task))
    observation = task.observe(steps)
    data = observation.data
    assert data["call"] == 3
    assert design_of(data["save"]) == steps[0].candidate.design
    assert data["previous"]["candidate"] == json.loads(illegal_text(task))
    assert [v["code"] for v in data["previous"]["violations"]] == ["EDGE_TOO_LONG"]
    assert data["earlier"] == [{"call": 1, "outcome": "failure_or_timeout", "codes": []}]
    assert picture_names(observation) == ["editor"]
    assert driver.editors[-1][0] == 2
    assert "- call 1: failure_or_timeout\n" in text_of(observation)


def test_violation_then_failed_run_has_one_line_for_the_violation():
    task = make_task(ScriptedDriver(FAIL))
    steps = play(task, illegal_text(task, "first idea"), legal_text(task))
    observation = task.observe(steps)
    assert observation.data["earlier"] == [
        {"call": 1, "outcome": "invalid", "codes": ["EDGE_TOO_LONG"]}
    ]
    text = text_of(observation)
    assert "- call 1: invalid (EDGE_TOO_LONG)\n" in text
    assert "first idea" not in text
    assert picture_names(observation) == ["editor", "contact_sheet"]


def test_an_observation_is_a_function_of_the_steps_alone():
    task = make_task(ScriptedDriver(FAIL))
    steps = play(task, legal_text(task), illegal_text(task))
    assert task.observe(steps) == make_task().observe(steps)


# --- nothing hidden leaks ---------------------------------------------------------------------

MARKER = "zqxmarker"


def everything_sent(observation: Observation) -> str:
    return json.dumps(dict(observation.data)) + "".join(
        part.text for m in observation.messages for part in m.parts if isinstance(part, TextPart)
    )


def all_observations(task: BridgeTask) -> list[Observation]:
    steps = play(task, "no json", legal_text(task), illegal_text(task))
    return [task.observe(steps[:n]) for n in range(4)]


def test_no_request_holds_hidden_metadata_other_budgets_or_measurements():
    level = flat_level(4.0, name="T1B_Basic_4m", strict_limit_usd=12_347)
    file = level_file(
        level,
        family=f"{MARKER}-family",
        group=f"{MARKER}-group",
        suite=f"{MARKER}-suite",
        tags=(f"{MARKER}-tag",),
        parameters={f"{MARKER}-key": f"{MARKER}-value"},
    )
    facts = {"peak_utilisation": 1.234567, "first_break_s": 1.777777, "ending": MARKER}
    task = make_task(ScriptedDriver(FAIL, facts=facts), "loose", file=file)
    assert MARKER in json.dumps(dict(task.facts))  # the records do have it
    for observation in all_observations(task):
        sent = everything_sent(observation)
        assert "T1B_Basic_4m" in sent
        for hidden in (MARKER, "12347", "12,347", "1.234567", "1.777777", "continuous_deck"):
            assert hidden not in sent


def test_anonymous_levels_are_named_nowhere():
    driver = ScriptedDriver(FAIL)
    task = make_task(driver, anonymous=True)
    shown = anonymous_name("T1B_Basic_4m")
    for observation in all_observations(task):
        sent = everything_sent(observation)
        assert "T1B" not in sent
        assert "Basic" not in sent
        assert observation.data["task_context"]["levelName"] == shown
        assert observation.data["save"]["DisplayName"] == shown
    assert {name for _, _, name in driver.editors} == {shown}
    assert "T1B" not in str(decode_payload(task.files(deck(task.level))["save.txt"].decode()))
    assert task.name == "T1B_Basic_4m"


def test_an_anonymous_name_is_stable_and_its_own():
    assert anonymous_name("T1B_Basic_4m") == anonymous_name("T1B_Basic_4m")
    assert anonymous_name("T1B_Basic_4m") != anonymous_name("T1B_Basic_6m")


# --- execution and records --------------------------------------------------------------------


def test_only_the_selected_frames_are_drawn_and_recorded():
    driver = ScriptedDriver((Outcome.FAILURE_OR_TIMEOUT, 0.6))  # frames 0..3
    task = make_task(driver)
    execution = task.execute(deck(task.level))
    assert driver.drawn == [0, 1, 2, 3]
    assert sorted(execution.files) == [
        "frames/frame_00.png",
        "frames/frame_01.png",
        "frames/frame_02.png",
        "frames/frame_03.png",
        "log.txt",
    ]
    assert [p.name for p in execution.pictures] == ["contact_sheet"]


def test_a_frame_that_is_shown_twice_is_drawn_once():
    driver = ScriptedDriver((Outcome.FAILURE_OR_TIMEOUT, 0.2))
    make_task(driver).execute(deck(flat_level(4.0)))
    assert driver.drawn == [0, 1]


def test_facts_for_the_record_stay_out_of_the_summary():
    driver = ScriptedDriver(FAIL, FAIL, facts={"clean": False})
    task = make_task(driver)
    whole = deck(task.level)
    execution = task.execute(whole)
    assert execution.facts == {
        "clean": False,
        "decided_s": 2.9,
        "detector": "fake",
        "continuous_deck": True,
    }
    assert set(execution.summary) == {
        "outcome",
        "duration_s",
        "detector",
        "selected_frames",
        "cutoff",
    }
    cut = replace(whole, members=whole.members[:1])
    assert task.execute(cut).facts["continuous_deck"] is False


def test_flags_have_the_same_names_whatever_the_driver_knows():
    tell = {"clean": True, "digest": "d", "peak_utilisation": 0.5}
    for facts, clean in ((tell, True), ({"final_screen": "DONE_OK"}, None)):
        task = make_task(ScriptedDriver(FAIL, FAIL, facts=facts))
        flags = task.flags(task.execute(deck(task.level)))
        assert flags == {"clean": clean, "continuous_deck": True}


def test_feedback_says_which_of_the_three_it_was():
    task = make_task(ScriptedDriver(FAIL, WIN))
    invalid, failed, won = play(task, illegal_text(task), legal_text(task), legal_text(task))
    assert (invalid.feedback.kind, invalid.executed) == ("violations", False)
    assert (failed.feedback.kind, failed.executed) == ("execution", True)
    assert (won.feedback.kind, won.executed) == ("success", True)
    assert [len(s.feedback.pictures) for s in (invalid, failed, won)] == [0, 1, 0]
    assert [v["code"] for v in invalid.feedback.data["violations"]] == ["EDGE_TOO_LONG"]


def test_measures_of_a_warren_truss():
    level = flat_level(4.0)
    measured = make_task(level=level).measure(warren(level, panel=2.0, depth=1.5))
    # 2 roads of 2 m; 4 diagonals of sqrt(1 + 2.25) = 1.8028 m and one chord of 2 m in wood
    assert measured["members"] == 7
    assert measured["nodes"] == 7
    assert measured["metres_by_material"] == {"Road": 4.0, "Wood": 9.2111}
    assert measured["cost"] == pytest.approx(800 + 180 * 9.2111, abs=0.01)


def test_a_designs_files_are_its_graph_and_the_payload_of_its_save():
    task = make_task()
    design = deck(task.level)
    files = task.files(design)
    graph = json.loads(files["design.json"])
    assert graph["nodes"] == answer(design)["nodes"]
    assert graph["edges"] == answer(design)["edges"]
    decoded = decode_payload(files["save.txt"].decode())
    assert decoded == save_of(design, "T1B_Basic_4m")


# --- variants ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "has_text", "has_sheet"),
    [
        ("both", True, True),
        ("text", True, False),
        ("frames", False, True),
        ("none", False, False),
    ],
)
def test_feedback_variants(mode: Any, has_text: bool, has_sheet: bool):
    task = make_task(ScriptedDriver(FAIL), feedback=mode)
    failed = task.observe(play(task, legal_text(task)))
    invalid = task.observe(play(task, illegal_text(task)))
    assert ("execution" in failed.data["previous"]) is has_text
    assert ("duration_s" in text_of(failed)) is has_text
    assert ("violations" in invalid.data["previous"]) is has_text
    assert ("EDGE_TOO_LONG" in text_of(invalid)) is has_text
    assert ("contact_sheet" in picture_names(failed)) is has_sheet
    assert failed.data["previous"]["outcome"] == "failure_or_timeout"


def test_without_images_there_is_no_picture_and_no_word_of_one():
    driver = ScriptedDriver(FAIL)
    task = make_task(driver, images=False)
    observation = task.observe(play(task, legal_text(task)))
    assert observation.pictures == ()
    assert "Pictures that follow" not in text_of(observation)
    assert driver.editors == []


def test_without_images_the_scene_is_told_as_geometry():
    level = rock_level(10.0)
    task = make_task(level=level, images=False)
    observation = task.observe([])
    assert observation.data["scene"] == {
        "banks": {
            "left": {"edge": {"x": 0.0, "y": 0.0}, "toe": {"x": 0.0, "y": -5.0}},
            "right": {"edge": {"x": 10.0, "y": 0.0}, "toe": {"x": 10.0, "y": -5.0}},
        },
        "water_y": -1.7,
        "vehicles": [{"weight_pg": 3.0, "start_x": -2.1}],
        "pier_anchor_ids": [],
        "flag": {"x": 12.0, "y": 0.0},
    }
    assert '"water_y": -1.7' in text_of(observation)
    assert "scene" not in make_task(level=level).observe([]).data
    assert "## Scene" not in text_of(make_task(level=level).observe([]))


def test_no_level_tells_anything_hidden_whether_it_is_seen_or_read():
    """The first prompts of all levels: no metadata, no other budget, no parameter."""
    for file in load_all():
        level, meta = file.level, file.metadata
        for images in (True, False):
            settings = Settings("loose", anonymous=True, images=images)
            task = BridgeTask(file, ScriptedDriver(), settings)
            sent = everything_sent(task.observe([]))
            limit = level.strict_limit_usd
            # Words of the context, which every model is told.
            tags = set(meta.tags) - {level.material_profile, "center_platform"}
            hidden = [meta.group, *tags, level.name, "analysis_metadata", 'parameters"']
            hidden += [
                f"{limit} ",
                f"{limit},",
                f"{limit:,}",
                f'"{meta.family}"',
                f'"{meta.suite}"',
            ]
            found = [word for word in hidden if re.search(rf"(?<!\w){re.escape(word)}", sent)]
            assert found == [], file.name
            assert ("scene" in task.observe([]).data) is not images


def test_frames_are_said_to_show_forces_only_where_they_do():
    forces = "a member's colour is its force over its strength, grey is broken"
    level = flat_level(12.0, name="T1B_Basic_12m")
    for plain in (False, True):
        task = BridgeTask(level_file(level), embedded(), Settings(plain_frames=plain))
        failed = task.observe(play(task, json.dumps(answer(warren(level)))))
        assert picture_names(failed) == ["editor", "contact_sheet"]
        assert (forces in text_of(failed)) is not plain
    filmed = make_task(ScriptedDriver(FAIL))
    assert forces not in text_of(filmed.observe(play(filmed, legal_text(filmed))))


def test_blank_images_keep_names_and_sizes_and_lose_their_content():
    task = make_task(ScriptedDriver(FAIL), image="blank")
    steps = play(task, legal_text(task))
    shown = task.observe(steps).pictures
    assert [p.name for p in shown] == ["editor", "contact_sheet"]
    for picture, real in zip(
        shown, (task.picture(None), steps[0].feedback.pictures[0]), strict=True
    ):
        image = Image.open(io.BytesIO(picture.png))
        assert image.size == Image.open(io.BytesIO(real.png)).size
        assert image.getcolors() == [(image.width * image.height, (255, 255, 255))]


def test_the_editor_of_another_level_is_shown_without_a_bridge():
    driver = ScriptedDriver(FAIL)
    other = flat_level(12.0, name="Other")
    task = make_task(driver, image="other-level", other_level=other)
    steps = play(task, legal_text(task))
    assert picture_names(task.observe(steps)) == ["editor", "contact_sheet"]
    assert driver.editors[-1] == (0, 20_000.0, "T1B_Basic_4m")
    with pytest.raises(InputError, match="needs another level"):
        make_task(image="other-level")
