"""The messages word for word: a change to any of them is a change to the benchmark."""

from bench.bridge.prompt.static import instructions
from bench.task import ImagePart, Observation
from tests_unit.support.bridge_fakes import (
    FAIL,
    ScriptedDriver,
    illegal_text,
    legal_text,
    make_task,
    play,
)
from tests_unit.support.factories import platform_level, rock_level


def spelled(observation: Observation) -> str:
    """All messages as one text, with the names of the pictures where they stand."""
    lines = []
    for message in observation.messages:
        lines.append(f"=== {message.role}")
        for part in message.parts:
            if isinstance(part, ImagePart):
                lines.append(f"[picture: {part.picture.name}]")
            elif part.text == instructions():
                lines.append("[instructions]")
            else:
                lines.append(part.text)
    return "\n".join(lines)


def test_instructions(snapshot):
    assert instructions() == snapshot


def test_first_call(snapshot):
    assert spelled(make_task(level=rock_level(6.0)).observe([])) == snapshot


def test_first_call_with_a_platform(snapshot):
    assert spelled(make_task(level=platform_level(8.0)).observe([])) == snapshot


def test_after_an_unreadable_answer(snapshot):
    task = make_task()
    assert spelled(task.observe(play(task, "Sorry, I cannot."))) == snapshot


def test_after_a_violation(snapshot):
    task = make_task()
    assert spelled(task.observe(play(task, illegal_text(task)))) == snapshot


def test_after_a_failed_run(snapshot):
    task = make_task(ScriptedDriver(FAIL))
    assert spelled(task.observe(play(task, legal_text(task)))) == snapshot


def test_after_a_failed_run_and_a_violation(snapshot):
    task = make_task(ScriptedDriver(FAIL))
    assert spelled(task.observe(play(task, legal_text(task), illegal_text(task)))) == snapshot
