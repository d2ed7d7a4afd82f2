"""Points in surfaces."""

from __future__ import annotations

import numpy as np
import pytest

import impinge


def solid_angles(mesh: impinge.Mesh, points: np.ndarray) -> np.ndarray:
    """The winding number by a direct sum over all triangles: the oracle."""
    total = np.zeros(len(points))
    for corners in mesh.vertices[mesh.faces]:
        a, b, c = (corners[i] - points for i in range(3))
        la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
        top = np.einsum("ij,ij->i", a, np.cross(b, c))
        bottom = la * lb * lc + (a * b).sum(1) * lc + (a * c).sum(1) * lb + (b * c).sum(1) * la
        total += 2 * np.arctan2(top, bottom)
    return total / (4 * np.pi)


def test_positions_are_those_of_the_solid_angles(foam, random):
    points = random.uniform(-1.2, 1.2, (500, 3))
    inside = impinge.Inside(foam)
    oracle = solid_angles(foam, points)
    assert ((inside.locate(points) > 0) == (oracle > 0.5)).all()
    np.testing.assert_allclose(inside.winding_number(points), oracle, atol=1e-9)


def test_points_on_the_surface_are_found_exactly(foam):
    inside = impinge.Inside(foam)
    assert (inside.locate(foam.vertices[np.unique(foam.faces)]) == 0).all()
    cube = impinge.Inside(impinge.shapes.box((1, 1, 1)))
    above = np.nextafter(0.5, 1.0)
    assert cube.locate([[0.1, 0.2, 0.5], [0.1, 0.2, above], [0.1, 0.2, 0.49]]).tolist() == [0, -1, 1]
    assert cube.contains([0.1, 0.2, 0.5])


def test_one_point_few_points_and_many_points_agree(foam, random):
    inside = impinge.Inside(foam)
    points = random.uniform(-1.2, 1.2, (1000, 3))
    many = inside.locate(points)
    assert many.dtype == np.int8
    assert (inside.locate(points[:10]) == many[:10]).all()
    assert [int(inside.locate(p)) for p in points[:10]] == many[:10].tolist()
    assert inside.contains(np.zeros((0, 3))).shape == (0,)


def test_an_open_surface_is_refused_with_the_edge_or_taken_by_winding_number(ball):
    torn = impinge.Mesh(ball.vertices, ball.faces[1:])
    with pytest.raises(impinge.MeshError, match="edge .* breaks the surface") as caught:
        impinge.Inside(torn)
    assert (caught.value.kind, caught.value.item, caught.value.count) == ("open-edge", "edge", 3)
    assert isinstance(caught.value, ValueError)
    taken = impinge.Inside(torn, open=True)
    assert taken.contains([[0, 0, 0], [0, 0, 2]]).tolist() == [True, False]


def test_a_surface_that_faces_inward_is_turned_with_a_warning(ball):
    with pytest.warns(impinge.MeshWarning, match="faces inward"):
        assert impinge.Inside(ball.flip()).contains([0, 0, 0])


def test_results_do_not_depend_on_the_number_of_threads(foam, random):
    points = random.uniform(-1.2, 1.2, (20_000, 3))
    inside, nearest = impinge.Inside(foam), impinge.Nearest(foam)
    results = []
    for count in (1, 2, 7):
        impinge.set_threads(count)
        results.append((inside.locate(points).tobytes(), nearest.distance(points).tobytes()))
    impinge.set_threads(0)
    assert len(set(results)) == 1
