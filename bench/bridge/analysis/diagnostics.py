"""Diagnostics of structure and rollout for people: never for a model, never for the validator."""

from __future__ import annotations

import numpy as np

from bench.bridge.design.design import Design
from bench.bridge.design.materials import ROAD
from bench.bridge.physics.result import SimResult
from bench.task import Json

RANK_TOLERANCE = 1e-9


def equilibrium_matrix(design: Design) -> np.ndarray:
    """The matrix (2F, M) from member forces to the forces on the F free nodes' x and y.

    Column m holds the unit vectors of member m at its ends (Pellegrino and Calladine, 1986).
    """
    free = [n.id for n in design.nodes if not n.is_anchor]
    row = {key: 2 * i for i, key in enumerate(free)}
    matrix = np.zeros((2 * len(free), len(design.members)))
    for column, member in enumerate(design.members):
        a, b = design.node_by_id[member.a], design.node_by_id[member.b]
        length = design.length_m(member) or 1.0
        ux, uy = (b.x - a.x) / length, (b.y - a.y) / length
        for key, sign in ((member.a, 1.0), (member.b, -1.0)):
            if key in row:
                matrix[row[key], column] += sign * ux
                matrix[row[key] + 1, column] += sign * uy
    return matrix


def mechanism_count(design: Design) -> int:
    """How many independent ways the bridge can move without stretching any member.

    0 for a rigid truss. A hanging chain has some and may stand all the same.
    """
    matrix = equilibrium_matrix(design)
    if matrix.size == 0:
        return int(matrix.shape[0])
    rank = int(np.linalg.matrix_rank(matrix, tol=RANK_TOLERANCE * max(matrix.shape)))
    return int(matrix.shape[0]) - rank


def largest_sag(design: Design, result: SimResult) -> tuple[int, float] | None:
    """The deck node that sank most below its drawn place while all its roads were whole.

    (node id, metres); None without a free deck node.
    """
    roads = [i for i, m in enumerate(design.members) if m.type == ROAD.type]
    index = {n.id: i for i, n in enumerate(design.nodes)}
    best: tuple[int, float] | None = None
    for node in design.nodes:
        own = [i for i in roads if node.id in (design.members[i].a, design.members[i].b)]
        if node.is_anchor or not own:
            continue
        whole = result.alive[:, own].all(axis=1)
        if not whole.any():
            continue
        sag = float((node.y - result.positions[whole, index[node.id], 1]).max())
        if best is None or sag > best[1]:
            best = (node.id, sag)
    return best


def weakest_member(design: Design, result: SimResult) -> dict[str, Json] | None:
    """The member with the highest peak utilisation, and when the record shows it highest."""
    if not design.members:
        return None
    m = int(np.argmax(result.peak_utilisation))
    history = result.utilisation[:, m]
    row = int(np.argmax(np.abs(history)))
    return {
        "id": design.members[m].id,
        "peak_utilisation": round(float(result.peak_utilisation[m]), 4),
        "sense": "tension" if history[row] > 0 else "compression",
        "at_s": round(row / 40, 3),
    }


def rollout_diagnostics(design: Design, result: SimResult) -> dict[str, Json]:
    """All of the above for the record. Not shown to the model."""
    sag = largest_sag(design, result)
    return {
        "shown_to_model": False,
        "mechanisms": mechanism_count(design),
        "weakest_member": weakest_member(design, result),
        "largest_sag": None if sag is None else {"node": sag[0], "m": round(sag[1], 4)},
    }
