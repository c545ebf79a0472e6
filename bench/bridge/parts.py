"""Which files decide which part of a bridge's numbers. Folders where possible."""

from __future__ import annotations

from bench.domain import Part

SCENE = ("bench/bridge/level/*", "bench/bridge/design/*")
CONSTANTS = "bench/bridge/physics/constants.py"

PARTS = {
    "prompt": Part(
        ("bench.bridge.prompt.observation", "bench.bridge.level.context"),
        ("bench/bridge/prompt/*", *SCENE, CONSTANTS, "bench/protocol.py", "bench/task.py"),
    ),
    "validator": Part(
        ("bench.bridge.rules", "bench.bridge.answer.parse", "bench.bridge.level.budget"),
        (
            "bench/bridge/rules/*",
            "bench/bridge/answer/*",
            "bench/answer_json.py",
            *SCENE,
            "bench/protocol.py",
            "bench/task.py",
        ),
    ),
    "simulator": Part(
        ("bench.bridge.physics.engine",),
        ("bench/bridge/physics/*", *SCENE, "bench/task.py"),
    ),
    "pictures": Part(
        ("bench.bridge.physics.draw", "bench.bridge.prompt.evidence"),
        (
            "bench/bridge/physics/draw/*",
            "bench/bridge/physics/*",
            "bench/bridge/prompt/evidence.py",
            *SCENE,
            "bench/protocol.py",
            "bench/task.py",
        ),
    ),
    "drivers": Part(("bench.bridge.drivers.registry",), ("bench/bridge/drivers/**/*",)),
    "controller": Part(
        ("bench.episode", "bench.bridge.task"),
        (
            "bench/episode.py",
            "bench/turn.py",
            "bench/task.py",
            "bench/protocol.py",
            "bench/domain.py",
            "bench/bridge/*.py",
            "bench/bridge/analysis/*",
            "bench/bridge/statics/*",
            "bench/records/*.py",
            "bench/clients/base.py",
            "bench/clients/faults.py",
            "bench/clients/filters.py",
            "bench/clients/said.py",
            "bench/clients/streak.py",
            "bench/outside.py",
            "bench/clients/hashing.py",
        ),
    ),
}
"""Part -> what it starts from, and its files; a module may decide several parts."""
