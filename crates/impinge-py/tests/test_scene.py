"""Scenes and their contacts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import impinge

CUBE = np.array(list(itertools.product([-0.5, 0.5], repeat=3)))


def shapes():
    brick = impinge.shapes.brick((1, 1, 1), (1, 1, 1), "tet4")
    return {
        "sphere": impinge.Sphere(0.5),
        "convex": impinge.Convex(CUBE),
        "mesh": impinge.shapes.box((1, 1, 1), (2, 2, 2)),
        "solid": impinge.Tetrahedra(brick.vertices - 0.5, brick.cells[0][1]),
    }


@pytest.mark.parametrize("name", ["sphere", "convex", "mesh"])
def test_bodies_of_every_shape_touch_the_floor_at_their_gap(name):
    scene, detector = impinge.Scene(), impinge.Detector(margin=1.0)
    scene.add(impinge.HalfSpace([0, 0, 0], [0, 0, 1]))
    body = scene.add(shapes()[name], [0, 0, 1])
    for height in (1.0, 0.6, 0.4):
        scene.set_pose(body, [0, 0, height])
        detector.step(scene)
        contacts = detector.contacts
        assert contacts["gap"].min() == pytest.approx(height - 0.5, abs=1e-9)
        assert (contacts["a"] == 0).all() and (contacts["b"] == body).all()
        np.testing.assert_allclose(contacts["normal"], [[0, 0, 1]] * len(contacts), atol=1e-9)


@pytest.mark.parametrize(("a", "b"), list(itertools.combinations_with_replacement(["sphere", "convex", "mesh"], 2)))
def test_pairs_of_shapes_have_the_depth_of_their_overlap_along_x(a, b):
    scene, detector = impinge.Scene(), impinge.Detector()
    scene.add(shapes()[a])
    scene.add(shapes()[b], [0.9, 0, 0])
    detector.step(scene)
    assert detector.contacts["gap"].min() == pytest.approx(-0.1, abs=1e-6)
    assert detector.events.tolist() == [(0, 1, True)]
    detector.step(scene)
    assert len(detector.events) == 0


def test_bodies_on_motions_meet_when_they_must():
    scene, detector = impinge.Scene(), impinge.Detector()
    scene.add(impinge.Sphere(0.5), fixed=True)
    ball = scene.add(impinge.Sphere(0.5), motion=impinge.Motion([3, 0, 0], velocity=[-1, 0, 0]))
    began = []
    for time in np.linspace(0, 4, 81):
        detector.step(scene, time)
        began += [time for event in detector.events if event["began"]]
    assert began == pytest.approx([2.0], abs=0.051)
    np.testing.assert_allclose(scene.pose(ball, 2.0)[:3, 3], [1, 0, 0])


def test_solids_deform_and_touch_themselves_and_others():
    scene, detector = impinge.Scene(), impinge.Detector()
    open_, crossed = impinge.shapes.vee(600, 0.5), impinge.shapes.vee(600, -0.3)
    flap = scene.add(impinge.Tetrahedra(open_.vertices, open_.cells[0][1]))
    detector.step(scene)
    assert len(detector.contacts) == 0
    scene.set_points(flap, crossed.vertices)
    detector.step(scene)
    assert len(detector.contacts) > 0 and (detector.contacts["a"] == detector.contacts["b"]).all()


def test_bodies_are_removed_and_pairs_ignored():
    scene, detector = impinge.Scene(), impinge.Detector()
    bodies = [scene.add(impinge.Sphere(0.5), [0.4 * i, 0, 0]) for i in range(3)]
    scene.ignore(bodies[0], bodies[1])
    detector.step(scene)
    assert detector.contacts[["a", "b"]].tolist() == [(0, 2), (1, 2)]
    scene.remove(bodies[2])
    detector.step(scene)
    assert len(detector.contacts) == 0 and scene.ids.tolist() == bodies[:2]
    with pytest.raises(ValueError, match="body 2"):
        scene.set_pose(bodies[2], [0, 0, 0])


@pytest.mark.parametrize(
    ("shape", "arguments"),
    [
        (impinge.Sphere(-1.0), {}),
        (impinge.Sphere(np.nan), {}),
        (impinge.HalfSpace([0, 0, 0], [0, 0, 0]), {}),
        (impinge.Sphere(1.0), {"pose": [np.inf, 0, 0]}),
        (impinge.Sphere(1.0), {"motion": impinge.Motion(), "pose": [0, 0, 0]}),
        (impinge.Sphere(1.0), {"motion": impinge.Motion(), "fixed": True}),
    ],
)
def test_bodies_that_are_none_are_refused(shape, arguments):
    with pytest.raises(ValueError):
        impinge.Scene().add(shape, **arguments)


def test_a_time_that_is_none_is_refused():
    with pytest.raises(ValueError, match="finite"):
        impinge.Detector().step(impinge.Scene(), np.nan)
    with pytest.raises(ValueError, match="margin"):
        impinge.Detector(margin=-1.0)


def lowest(shape, pose):
    """The gap to a floor far below, which is the height of the lowest point."""
    scene, detector = impinge.Scene(), impinge.Detector(margin=100.0)
    scene.add(impinge.HalfSpace([0, 0, 0], [0, 0, 1]))
    scene.add(shape, pose)
    detector.step(scene)
    return detector.contacts["gap"].min()


def test_capsules_cylinders_cones_and_compounds_have_the_lowest_point_of_their_formula():
    turn = [0, 0, 5, 0, np.sin(0.3), 0, np.cos(0.3)]  # 0.6 rad about y
    along = 1.5 * np.cos(0.6)
    start, end = [0, 0, -1.5], [0, 0, 1.5]
    assert lowest(impinge.Capsule(start, end, 0.4), turn) == pytest.approx(5 - along - 0.4, abs=1e-9)
    assert lowest(impinge.Cylinder(start, end, 0.4), turn) == pytest.approx(5 - along - 0.4 * np.sin(0.6), abs=1e-9)
    assert lowest(impinge.Cone(start, end, 0.4), turn) == pytest.approx(5 - along - 0.4 * np.sin(0.6), abs=1e-9)
    assert lowest(impinge.Cone(end, start, 0.1), turn) == pytest.approx(5 - along, abs=1e-9)
    pair = impinge.Compound([impinge.Sphere(0.2), (impinge.Sphere(0.1), [0, 0, -2])])
    assert lowest(pair, [0, 0, 5]) == pytest.approx(5 - 2.1, abs=1e-9)


@pytest.mark.parametrize(
    "shape",
    [
        lambda: impinge.Capsule([0, 0, 0], [0, 0, 0], 1.0),
        lambda: impinge.Cylinder([0, 0, 0], [0, 0, 1], -1.0),
        lambda: impinge.Cone([0, 0, 0], [0, 0, np.nan], 1.0),
        lambda: impinge.Compound([]),
        lambda: impinge.Compound([impinge.Compound([impinge.Sphere(1.0)])]),
        lambda: impinge.Compound([(impinge.Sphere(1.0), np.diag([2, 1, 1, 1]))]),
    ],
)
def test_round_shapes_that_are_none_are_refused(shape):
    with pytest.raises(ValueError):
        impinge.Scene().add(shape())
