"""An observation's data and its messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from bench.bridge.prompt.layout import render
from bench.bridge.prompt.static import instructions
from bench.protocol import PAPER, Settings
from bench.task import (
    ImagePart,
    Json,
    Message,
    Observation,
    Outcome,
    Picture,
    Step,
    TextPart,
    Violation,
)

D = TypeVar("D")

RAW_TEXT_LIMIT = 100_000
"""Characters of an unreadable answer that go back to the model; the record keeps all of it."""


FORCES_TEXT = "; a member's colour is its force over its strength, grey is broken"
"""What is added to the contact sheet's line where frames show forces."""

SCENE_TEXT = (
    "what pictures would show; metres; a bank is solid outwards from the face between edge and toe"
)
"""What the heading of the scene says, in runs without pictures."""


def violation_data(violation: Violation) -> dict[str, Json]:
    """A violation as JSON: code, message, ids and values."""
    return {
        "code": violation.code,
        "message": violation.message,
        "ids": list(violation.ids),
        "values": dict(violation.values),
    }


def previous_data(step: Step[D], graph: Json, settings: Settings) -> dict[str, Json]:
    """The latest call, in full: its candidate and what was found.

    `graph` is the candidate as a graph when it was executed. Otherwise the candidate is the
    draft exactly as the model wrote it, or its raw text when no JSON object could be read.
    """
    data: dict[str, Json] = {"call": step.call}
    if step.executed:
        data["candidate"] = graph
    elif step.candidate.draft is not None:
        data["candidate"] = step.candidate.draft
    else:
        data["raw_text"] = step.text[:RAW_TEXT_LIMIT]
        data["raw_text_characters"] = len(step.text)
    data["outcome"] = _outcome(step)
    if settings.shows_text:
        if step.executed:
            data["execution"] = dict(step.feedback.data)
        else:
            data["violations"] = [violation_data(v) for v in step.violations]
    return data


def earlier_data(step: Step[D]) -> dict[str, Json]:
    """One line's worth of an earlier call: outcome and codes."""
    return {"call": step.call, "outcome": _outcome(step), "codes": list(step.codes)}


def _outcome(step: Step[D]) -> str:
    if not step.executed:
        return Outcome.INVALID.value
    return str(step.feedback.data.get("outcome", step.feedback.kind))


def build_observation(
    *,
    context: Mapping[str, Json],
    save: Mapping[str, Json],
    steps: Sequence[Step[D]],
    graph: Json,
    pictures: Sequence[Picture],
    settings: Settings = PAPER,
    scene: Mapping[str, Json] | None = None,
    shows_forces: bool = False,
) -> Observation:
    """What a model sees after `steps`: instructions, then one user message.

    `context` holds the two context objects, `save` the decoded save with the last executed
    design or the anchors alone, `graph` the latest candidate as a graph if it was executed.
    Pictures come after the text in their order: the editor, then the contact sheet, which is there
    only when the latest call ran physics. `scene` is the geometry that pictures show, for a run
    without them; `shows_forces` says that members in frames have the colour of their force.
    """
    latest = steps[-1] if steps else None
    data: dict[str, Json] = {
        "call": len(steps) + 1,
        "task_context": context["task_context"],
        "semantic_environment": context["semantic_environment"],
        "save": save,
        "save_shows": "executed_design" if any(s.executed for s in steps) else "native_anchors",
        "previous": previous_data(latest, graph, settings) if latest is not None else None,
        "earlier": [earlier_data(s) for s in steps[:-1]],
    }
    data["pictures"] = [p.name for p in pictures]
    if scene is not None:
        data["scene"] = scene
    parts: list[TextPart | ImagePart] = [TextPart(user_text(data, shows_forces=shows_forces))]
    parts += [ImagePart(p) for p in pictures]
    return Observation(
        data=data,
        messages=(
            Message("system", (TextPart(instructions(settings)),)),
            Message("user", tuple(parts)),
        ),
    )


def user_text(data: Mapping[str, Json], *, shows_forces: bool = False) -> str:
    """The user message's text; all of a level or an episode that is in it comes from `data`."""
    call, previous = data["call"], data["previous"]
    task = "Design the bridge." if previous is None else "Return the repaired, complete bridge."
    sections = [f"# Call {call}\n\n{task}"]
    context = {k: data[k] for k in ("task_context", "semantic_environment")}
    sections.append("## Level context\n\n" + render(context))
    if "scene" in data:
        sections.append(f"## Scene ({SCENE_TEXT})\n\n" + render(data["scene"]))
    shows = {
        "executed_design": "with the design that was executed last",
        "native_anchors": "with the native anchors alone; nothing was executed yet",
    }[data["save_shows"]]
    sections.append(f"## Current save (decoded), {shows}\n\n" + render(data["save"]))
    if previous is not None:
        sections += _previous_sections(previous)
    if data["earlier"]:
        lines = "\n".join(_earlier_line(e) for e in data["earlier"])
        sections.append(f"## History: calls before that\n\n{lines}")
    if data["pictures"]:
        lines = "\n".join(
            f"{i}. {_picture_line(name, call, shows_forces)}"
            for i, name in enumerate(data["pictures"], 1)
        )
        sections.append(f"## Pictures that follow, in this order\n\n{lines}")
    return "\n\n".join(sections) + "\n"


def _previous_sections(previous: Mapping[str, Any]) -> list[str]:
    call = previous["call"]
    if "raw_text" in previous:
        whole = previous["raw_text_characters"]
        shown = len(previous["raw_text"])
        cut = "" if shown == whole else f" (its first {shown} of {whole} characters)"
        text = previous["raw_text"].encode("utf-8", "replace").decode()
        body = f"No JSON object could be read from this answer{cut}:\n\n{text}"
    else:
        body = render(previous["candidate"])
    sections = [f"## Previous candidate (call {call})\n\n{body}"]
    if "violations" in previous:
        lines = "\n".join(f"- {v['code']}: {v['message']}" for v in previous["violations"])
        sections.append(f"## Validation feedback on call {call}: not legal, not run\n\n{lines}")
    elif "execution" in previous:
        sections.append(
            f"## Execution feedback on call {call}: legal, was run\n\n"
            + render(previous["execution"])
        )
    else:
        sections.append(f"## Outcome of call {call}\n\n{previous['outcome']}")
    return sections


def _earlier_line(earlier: Mapping[str, Any]) -> str:
    codes = f" ({', '.join(earlier['codes'])})" if earlier["codes"] else ""
    return f"- call {earlier['call']}: {earlier['outcome']}{codes}"


def _picture_line(name: str, call: int, shows_forces: bool) -> str:
    if name == "editor":
        return "the editor: the level and the bridge of the current save"
    line = f"a contact sheet: frames of the execution of call {call - 1}, each with index and time"
    return line + (FORCES_TEXT if shows_forces else "")
