"""Overlapping pairs."""

from __future__ import annotations

import numpy as np
import pytest

import impinge


def brute_force(points, radii, box=None):
    difference = points[:, None] - points[None]
    if box is not None:
        difference -= box * np.round(difference / box)
    near = (difference**2).sum(axis=2) <= (radii[:, None] + radii[None]) ** 2
    return np.argwhere(np.triu(near, 1))


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("box", [None, 1.0])
def test_pairs_are_those_of_brute_force(dimension, box, random):
    points, radii = random.uniform(0, 1, (400, dimension)), random.uniform(0.005, 0.06, 400)
    expected = brute_force(points, radii, box)
    assert len(expected) > 50
    assert (impinge.query_pairs(points, radii, box) == expected).all()


def test_a_kept_list_gives_the_pairs_of_a_new_one_and_what_changed(random):
    points, radii = random.uniform(0, 1, (300, 3)), 0.04
    kept, before = impinge.Pairs(box=(1.0, None, 1.0)), set()
    for _ in range(20):
        points = points + random.normal(0, 0.003, points.shape)
        pairs = kept.update(points, radii)
        assert (pairs == impinge.query_pairs(points, radii, (1.0, None, 1.0))).all()
        now = set(map(tuple, pairs.tolist()))
        assert set(map(tuple, kept.changes.began.tolist())) == now - before
        assert set(map(tuple, kept.changes.ended.tolist())) == before - now
        before = now


def test_boxes_overlap_where_they_touch(random):
    low = random.uniform(0, 1, (200, 2))
    up = low + random.uniform(0, 0.1, (200, 2))
    near = ((low[:, None] <= up[None]) & (low[None] <= up[:, None])).all(axis=2)
    assert (impinge.query_box_pairs(low, up) == np.argwhere(np.triu(near, 1))).all()
    assert (impinge.Pairs(2).update_boxes(low, up) == impinge.query_box_pairs(low, up)).all()


@pytest.mark.parametrize(
    ("points", "radii", "box", "message"),
    [
        ([[0, 0, np.nan]], 1.0, None, "body 0"),
        ([[0, 0, 0], [1, 1, 1]], [1.0, -1.0], None, "body 1"),
        ([[0, 0, 0]], 1.0, 0.0, "axis 0"),
        ([[0, 0, 0]], [1.0, 2.0], None, "radii"),
        ([[0, 0, 0]], 1.0, (1.0, 1.0), "3 lengths"),
        ([[0, 0, 0, 0]], 1.0, None, r"\(n, 3\)"),
    ],
)
def test_bad_bodies_are_named(points, radii, box, message):
    with pytest.raises(ValueError, match=message):
        impinge.query_pairs(points, radii, box)


def test_no_bodies_have_no_pairs():
    assert impinge.query_pairs(np.zeros((0, 3)), 1.0).shape == (0, 2)
    assert impinge.query_pairs([], []).shape == (0, 2)
