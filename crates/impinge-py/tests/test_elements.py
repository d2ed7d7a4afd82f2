"""Finite-element faces, deforming solids, times of impact."""

from __future__ import annotations

import numpy as np
import pytest

import impinge


def test_projection_onto_curved_faces_finds_the_sphere(random):
    coarse = impinge.shapes.icosphere(1)
    sides = coarse.faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    middles = coarse.vertices[sides].mean(axis=1)
    middles /= np.linalg.norm(middles, axis=1, keepdims=True)
    numbers = len(coarse.vertices) + np.arange(len(middles)).reshape(-1, 3)
    points = np.vstack([coarse.vertices, middles])
    ball = impinge.Projection(impinge.Mesh(points, cells=[("tri6", np.hstack([coarse.faces, numbers]))]))
    away = random.normal(size=(200, 3))
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    found = ball.project(1.5 * away)
    np.testing.assert_allclose(found.gaps, 0.5, atol=0.02)
    np.testing.assert_allclose(found.points + found.gaps[:, None] * found.normals, 1.5 * away, atol=1e-12)
    assert (ball.project(0.9 * away).gaps < 0).all()
    ball.update(2 * points)
    np.testing.assert_allclose(ball.project(1.5 * away).gaps, -0.5, atol=0.04)


def test_contacts_are_signed_gaps_of_nodes_in_both_directions():
    brick = impinge.shapes.brick((2, 2, 2), (1, 1, 1), "hex20")
    up = np.eye(4)
    up[2, 3] = 1.05
    of_a, of_b = impinge.contacts(brick, brick.transform(up))
    assert len(of_a.nodes) == len(of_b.nodes) == 0
    of_a, of_b = impinge.contacts(brick, brick.transform(up), within=0.1)
    np.testing.assert_allclose(of_a.gaps, 0.05, atol=1e-12)
    assert len(of_a.nodes) == len(of_b.nodes) == 21
    with pytest.raises(ValueError, match="lengths"):
        impinge.contacts(brick, brick, within=-1)


def test_a_flat_mesh_is_a_body_of_the_plane():
    quad = impinge.Projection(impinge.Mesh([[0, 0], [1, 0], [1, 1], [0, 1]], [[0, 1, 2, 3]]))
    assert quad.dimension == 2
    assert quad.project([[0.5, 1.5], [0.5, 0.9]]).gaps == pytest.approx([0.5, -0.1])
    with pytest.raises(ValueError, match=r"\(n, 2\)"):
        quad.project([[0, 0, 0]])


def test_two_bricks_that_overlap_hit_each_other_and_not_themselves():
    brick = impinge.shapes.brick((2, 2, 2), (1, 1, 1), "tet4")
    tets = brick.cells[0][1]
    solids = impinge.Solids([brick, (brick.vertices + [0.9, 0.01, 0.02], tets)])
    hits = solids.hits(depths=True)
    assert len(hits) > 0 and set(hits.face_bodies.tolist()) == {0, 1}
    assert (hits.face_bodies != hits.tet_bodies).all()
    assert hits.depths is not None and hits.depths.max() == pytest.approx(0.1, abs=1e-9)
    solids.update(1, brick.vertices + [1.5, 0, 0])
    assert len(solids.hits()) == 0
    with pytest.raises(IndexError):
        solids.update(2, brick.vertices)
    with pytest.raises(impinge.MeshError, match="number of items"):
        solids.update(0, brick.vertices[1:])


def test_a_deforming_tissue_is_asked_again():
    open_, crossed = impinge.shapes.vee(600, 0.5), impinge.shapes.vee(600, -0.3)
    assert len(impinge.self_hits(open_.vertices, open_.cells[0][1])) == 0
    again = impinge.Solids([open_])
    again.update(0, crossed.vertices)
    fresh = impinge.self_hits(crossed.vertices, crossed.cells[0][1])
    hits = again.hits()
    assert len(fresh) > 0
    assert (hits.faces == fresh.faces).all() and (hits.tets == fresh.tets).all()
    assert hits.crossing.any()


def test_bodies_in_flight_touch_at_the_time_of_the_formula():
    box = impinge.shapes.box((1, 1, 1))
    thrown = impinge.Motion([5, 0, 0], velocity=[-2, 0, 0])
    event = impinge.first_touch(box, box, motion_b=thrown, until=10)
    assert event is not None and event.certain
    assert event.time == pytest.approx(2.0, abs=1e-8) and event.time <= 2.0
    assert impinge.first_touch(box, box, motion_b=thrown, until=1.9) is None
    with pytest.raises(ValueError, match="finite"):
        impinge.first_touch(box, box, motion_b=impinge.Motion(velocity=[np.nan, 0, 0]), until=1)


def test_a_forecast_sleeps_and_plans_again():
    ball = impinge.shapes.icosphere(2)
    forecast = impinge.Forecast()
    forecast.add(ball)
    thrown = forecast.add(ball, impinge.Motion([10, 0, 0], velocity=[-2, 0, 0]))
    assert forecast.next_due is not None and forecast.next_due > 3.9
    forecast.advance(1.0)
    assert not forecast.set_motion(thrown, impinge.Motion([8, 0, 0], velocity=[-2, 0, 0]))
    assert forecast.set_motion(thrown, impinge.Motion([8, 0, 0], velocity=[-6, 0, 0]))
    kinds = [event.kind for event in forecast.advance(2.1)]
    assert "contact" in kinds and forecast.touching.tolist() == [[0, 1]]
    forecast.remove(thrown)
    with pytest.raises(ValueError, match="no such body"):
        forecast.remove(thrown)


def test_deforming_meshes_meet_at_the_time_of_the_formula():
    ball = impinge.shapes.icosphere(2)
    still = impinge.MovingMesh(ball.faces, ball.vertices, ball.vertices)
    flying = impinge.MovingMesh(ball.faces, ball.vertices + [4, 0, 0], ball.vertices + [1, 0, 0])
    impact = still.first_impact(flying)
    assert impact is not None and impact.time == pytest.approx(2 / 3, abs=1e-6) and impact.time <= 2 / 3
    assert still.impacts(flying)[0] == impact
    assert still.first_impact() is None
    flying.set_step(ball.vertices + [4, 0, 0], ball.vertices + [3, 0, 0])
    assert still.first_impact(flying) is None
    near = still.first_impact(flying, separation=1.5)
    assert near is not None and near.time == pytest.approx(0.5, abs=1e-6)
