"""Random designs from a seed: junk that no validator saw, and trusses that are legal."""

from __future__ import annotations

import numpy as np

from bench.bridge.design.design import Design, Member, Node


def junk(seed: int, members: int = 40) -> Design:
    """Nodes anywhere over a 10 m gap, members of 1 mm to 4 m between random ones."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(4, 24))
    points = rng.uniform((0.0, -3.0), (10.0, 3.0), size=(count, 2))
    points[0], points[1] = (0.0, 0.0), (10.0, 0.0)
    for i in range(2, count):
        if rng.random() < 0.2:
            points[i] = points[rng.integers(0, i)] + rng.uniform(-0.01, 0.01, 2)
    nodes = tuple(Node(i + 1, float(x), float(y), i < 2) for i, (x, y) in enumerate(points))
    seen: set[tuple[int, int]] = set()
    out: list[Member] = []
    for _ in range(members * 4):
        i, j = (int(v) for v in sorted(rng.choice(count, 2, replace=False)))
        length = float(np.linalg.norm(points[i] - points[j]))
        if (i, j) not in seen and 1e-3 <= length <= 4.0 and len(out) < members:
            seen.add((i, j))
            out.append(Member(1000 + len(out), int(rng.integers(1, 4)), i + 1, j + 1))
    return Design(nodes, tuple(out))


def warren(seed: int, span_m: float, type_choices: tuple[int, ...] = (2, 3)) -> Design:
    """A legal Warren truss with random panels, depth, side and materials."""
    rng = np.random.default_rng(seed)
    panels = int(np.ceil(span_m / rng.uniform(1.2, 2.0)))
    panel = span_m / panels
    depth = float(rng.uniform(0.6, np.sqrt(4.0 - (panel / 2) ** 2) - 0.05))
    side = 1.0 if rng.random() < 0.5 else -1.0
    deck = [Node(i + 1, round(i * panel, 4), 0.0, i in (0, panels)) for i in range(panels + 1)]
    chord = [
        Node(100 + i, round((i + 0.5) * panel, 4), round(side * depth, 4)) for i in range(panels)
    ]
    edges = [(1, i + 1, i + 2) for i in range(panels)]
    for i in range(panels):
        edges += [(int(rng.choice(type_choices)), 100 + i, i + 1 + k) for k in (0, 1)]
    edges += [(int(rng.choice(type_choices)), 100 + i, 101 + i) for i in range(panels - 1)]
    members = tuple(Member(1000 + k, t, a, b) for k, (t, a, b) in enumerate(edges))
    return Design(tuple(deck + chord), members)


def with_stubs(design: Design, count: int) -> Design:
    """Hang dangling road stubs of 0.25 m on every free deck node: inertia without stiffness."""
    nodes, members = list(design.nodes), list(design.members)
    key = 5000
    for node in design.nodes:
        if node.is_anchor:
            continue
        for k in range(count):
            key += 1
            x = round(node.x + 0.25 * (k - (count - 1) / 2) / max(count, 1), 4)
            y = round(node.y - float(np.sqrt(0.0626 - (x - node.x) ** 2)), 4)
            nodes.append(Node(key, x, y))
            members.append(Member(key + 5000, 1, node.id, key))
    return Design(tuple(nodes), tuple(members))
