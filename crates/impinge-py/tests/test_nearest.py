"""Nearest points and signed distances."""

from __future__ import annotations

import numpy as np
import pytest

import impinge


def brute_force(mesh: impinge.Mesh, points: np.ndarray) -> np.ndarray:
    """Distances by projection onto every triangle, its sides and its corners: the oracle."""
    best = np.full(len(points), np.inf)
    for a, b, c in mesh.vertices[mesh.faces]:
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal)
        height = (points - a) @ normal
        foot = points - height[:, None] * normal
        sides = [np.cross(q - p, foot - p) @ normal for p, q in ((a, b), (b, c), (c, a))]
        best = np.where(np.min(sides, axis=0) >= 0, np.minimum(best, np.abs(height)), best)
        for p, q in ((a, b), (b, c), (c, a)):
            along = np.clip(((points - p) @ (q - p)) / ((q - p) @ (q - p)), 0, 1)
            best = np.minimum(best, np.linalg.norm(points - p - along[:, None] * (q - p), axis=1))
    return best


def test_distances_are_those_of_all_triangles(foam, random):
    points = random.uniform(-1.3, 1.3, (300, 3))
    found = impinge.Nearest(foam).query(points)
    np.testing.assert_allclose(found.distances, brute_force(foam, points), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(found.points - points, axis=1), found.distances, rtol=1e-12)
    assert found.faces.dtype == np.int64 and (found.faces < len(foam.faces)).all()


def test_the_sign_is_negative_inside_and_zero_on_the_surface(foam, random):
    points = random.uniform(-1.2, 1.2, (500, 3))
    nearest, inside = impinge.Nearest(foam), impinge.Inside(foam)
    assert (np.sign(nearest.signed_distance(points)) == -inside.locate(points)).all()
    corners = foam.vertices[np.unique(foam.faces)]
    assert (nearest.signed_distance(corners) == 0).all()


def test_signed_distances_of_an_open_surface_are_refused(ball):
    bowl = impinge.Nearest(impinge.Mesh(ball.vertices, ball.faces[2:]))
    assert bowl.distance([0, 0, 3]) == pytest.approx(2, abs=0.01)
    with pytest.raises(impinge.MeshError) as caught:
        bowl.signed_distance([0, 0, 3])
    assert caught.value.kind == "open-edge"


def test_segments_hit_the_first_face_on_their_way(ball):
    nearest = impinge.Nearest(ball)
    hits = nearest.first_hits([[0.1, 0.1, 5], [0, 0, 5]], [[0.1, 0.1, -5], [0, 5, 5]])
    assert hits.faces[1] == -1 and np.isnan(hits.points[1]).all()
    corners = ball.vertices[ball.faces[hits.faces[0]]]
    assert hits.points[0][2] > 0.9 and corners[:, 2].min() > 0.5
