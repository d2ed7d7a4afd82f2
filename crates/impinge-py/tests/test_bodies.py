"""Distance, depth and common volume of two bodies."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import impinge

CUBE = np.array(list(itertools.product([-0.5, 0.5], repeat=3)))


def bodies():
    return [impinge.Convex(CUBE), impinge.shapes.box((1, 1, 1)), impinge.shapes.box((1, 1, 1), (3, 3, 3))]


@pytest.mark.parametrize(("a", "b"), list(itertools.product(range(3), repeat=2)))
def test_two_cubes_of_any_kind_have_the_gap_and_the_depth_of_boxes(a, b):
    pair = impinge.Pair(bodies()[a], bodies()[b])
    for x in (2.0, 1.3, 1.1, 0.9, 0.6):
        found = pair.distance(None, [x, 0.1, 0.05])
        assert found.gap == pytest.approx(x - 1, abs=1e-12)
        np.testing.assert_allclose(found.normal, [1, 0, 0], atol=1e-9)
        assert found.bounds[0] <= found.gap + 1e-12 and found.gap <= found.bounds[1] + 1e-12
        assert pair.collide(None, [x, 0.1, 0.05]) == (x <= 1)
        assert pair.overlap_volume(None, [x, 0.1, 0.05]) == pytest.approx(max(0, 1 - x) * 0.9 * 0.95, abs=1e-9)
        assert (pair.penetration(None, [x, 0.1, 0.05]) is None) == (x > 1)


def test_poses_may_be_positions_quaternions_or_matrices():
    pair = impinge.Pair(impinge.Convex(CUBE), impinge.Convex(CUBE))
    half = np.sqrt(0.5)
    turned = np.array([[half, -half, 0, 2], [half, half, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    eighth = [2, 0, 0, 0, 0, np.sin(np.pi / 8), np.cos(np.pi / 8)]
    assert pair.distance(None, turned).gap == pytest.approx(1.5 - half)
    assert pair.distance(None, eighth).gap == pytest.approx(1.5 - half)


@pytest.mark.parametrize(
    "pose",
    [np.diag([2, 2, 2, 1]), np.diag([1, 1, -1, 1]), [np.nan, 0, 0], [0, 0, 0, 0, 0, 0, 0], [1, 2], np.zeros((4, 4))],
)
def test_a_pose_that_is_not_rigid_is_refused(pose):
    with pytest.raises(ValueError, match="pose|quaternion|rotation|row"):
        impinge.distance(impinge.Convex(CUBE), impinge.Convex(CUBE), pose_b=pose)


def test_a_body_inside_another_collides_with_it():
    ball = impinge.shapes.icosphere(3)
    tiny = impinge.Mesh(0.1 * ball.vertices, ball.faces)
    assert impinge.collide(ball, tiny) and impinge.collide(tiny, ball)
    assert impinge.distance(ball, tiny).gap < -1
    two = impinge.Mesh(np.vstack([tiny.vertices + 5, tiny.vertices]), np.vstack([tiny.faces, tiny.faces + 642]))
    assert len(tiny.vertices) == 642 and impinge.collide(ball, two)
    hollow = impinge.Mesh(np.vstack([3 * ball.vertices, ball.vertices]), np.vstack([ball.faces, ball.faces[:, ::-1] + 642]))
    assert not impinge.collide(hollow, tiny)


def test_open_surfaces_have_no_common_volume():
    ball = impinge.shapes.icosphere(2)
    bowl = impinge.Mesh(ball.vertices, ball.faces[3:])
    with pytest.raises(impinge.MeshError):
        impinge.overlap_volume(ball, bowl)
    assert impinge.distance(bowl, ball, pose_b=[3, 0, 0]).gap == pytest.approx(1, abs=0.01)


def test_a_hull_needs_four_points_that_are_not_in_a_plane():
    for points in ([[0, 0, 0]], CUBE[CUBE[:, 2] > 0], np.zeros((0, 3))):
        with pytest.raises(impinge.MeshError):
            impinge.Convex(points)


SQUARE = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])


def test_two_squares_in_the_plane_have_the_gap_the_depth_and_the_common_area_of_squares():
    pair = impinge.Pair(impinge.Convex(SQUARE - 0.5), impinge.Convex(SQUARE - 0.5))
    for x in (2.0, 1.3, 1.0, 0.9, 0.6):
        found = pair.distance(None, [x, 0.1])
        assert found.gap == pytest.approx(x - 1, abs=1e-12) and found.normal.shape == found.on_a.shape == (2,)
        np.testing.assert_allclose(found.normal, [1, 0], atol=1e-9)
        assert pair.collide(None, [x, 0.1]) == (x <= 1)
        assert pair.overlap_volume(None, [x, 0.1]) == pytest.approx(max(0, 1 - x) * 0.9, abs=1e-12)
        assert (pair.penetration(None, [x, 0.1]) is None) == (x > 1)
    turned = [[0, -1, 2], [1, 0, 0], [0, 0, 1]]
    assert pair.distance(None, [2, 0, np.pi / 4]).gap == pytest.approx(1.5 - np.sqrt(0.5))
    assert pair.distance(None, turned).gap == pytest.approx(1)


def test_hulls_in_the_plane_are_as_far_apart_as_their_samples(random):
    for _ in range(20):
        a, b = (impinge.Convex(random.normal(size=(12, 2)) + shift) for shift in ([0, 0], [4, 1]))
        shares = np.linspace(0, 1, 400)[:, None, None]
        outline = lambda hull: (hull.vertices * (1 - shares) + np.roll(hull.vertices, -1, 0) * shares).reshape(-1, 2)
        gap = np.linalg.norm(outline(a)[:, None] - outline(b)[None], axis=2).min()
        found = impinge.distance(a, b)
        assert found.gap <= gap + 1e-12
        assert found.gap < 0 or gap - found.gap < 0.05
        assert (impinge.overlap_volume(a, b) > 0) == (found.gap < 0)


def test_bodies_of_the_plane_and_of_space_are_not_mixed():
    square, cube = impinge.Convex(SQUARE), impinge.Convex(CUBE)
    for call in (lambda: impinge.Pair(square, cube), lambda: impinge.Scene().add(square)):
        with pytest.raises(ValueError, match="plane"):
            call()
    for pose in ([1, 2, 3, 4], np.diag([2, 2, 1]), [np.nan, 0], [0, 0, np.inf], np.zeros((3, 3))):
        with pytest.raises(ValueError, match="pose|angle|rotation|row|finite"):
            impinge.distance(square, square, pose_b=pose)
    for points in ([[0, 0], [1, 1]], [[0, 0], [1, 1], [2, 2]], np.zeros((0, 2))):
        with pytest.raises(impinge.MeshError):
            impinge.Convex(points)


def test_touching_faces_are_exact():
    box = impinge.shapes.box((1, 1, 1))
    pair = impinge.Pair(box, box)
    assert len(pair.touching_faces(None, [1, 0, 0])) > 0
    assert len(pair.touching_faces(None, [np.nextafter(1.0, 2.0), 0, 0])) == 0
