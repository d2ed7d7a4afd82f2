"""Meshes, files and objects of other libraries."""

from __future__ import annotations

import pickle
from types import SimpleNamespace

import numpy as np
import pytest

import impinge


@pytest.mark.parametrize("extension", ["stl", "obj", "ply", "off", "vtu", "vtp", "msh"])
def test_a_mesh_survives_its_file(tmp_path, ball, extension):
    path = tmp_path / f"ball.{extension}"
    impinge.write(path, ball)
    again = impinge.read(path)
    assert again.report().volume == pytest.approx(ball.report().volume, rel=1e-6)
    assert len(again.faces) == len(ball.faces)


def test_fields_survive_a_vtu_file(tmp_path):
    brick = impinge.shapes.brick((2, 1, 1), (2, 1, 1), "hex20")
    brick.point_data["up"] = brick.vertices * 2
    brick.cell_data["heat"] = np.arange(2.0)
    impinge.write(tmp_path / "brick.vtu", brick)
    again = impinge.read(tmp_path / "brick.vtu")
    assert again.cells[0][0] == "hex20" and (again.cells[0][1] == brick.cells[0][1]).all()
    np.testing.assert_array_equal(again.point_data["up"], brick.point_data["up"])
    np.testing.assert_array_equal(again.cell_data["heat"], [0, 1])


def test_files_that_cannot_be_read_or_written_are_named(tmp_path, ball):
    with pytest.raises(FileNotFoundError) as missing:
        impinge.read(tmp_path / "none.stl")
    assert missing.value.filename.endswith("none.stl")
    (tmp_path / "bad.obj").write_text("v 0 0 nan\n")
    with pytest.raises(impinge.FileError, match="bad.obj:1"):
        impinge.read(tmp_path / "bad.obj")
    with pytest.raises(impinge.FileError, match="xyzzy.*stl"):
        impinge.write(tmp_path / "ball.xyzzy", ball)
    with pytest.raises(OSError):
        impinge.write(tmp_path / "no" / "such" / "folder.stl", ball)


def test_what_a_file_contains_beyond_its_mesh_is_said(tmp_path):
    (tmp_path / "n.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1 2 3\n")
    with pytest.warns(impinge.MeshWarning, match="vertex normals"):
        impinge.read(tmp_path / "n.obj")


def test_a_report_names_the_problems(ball):
    report = impinge.Mesh(ball.vertices, ball.faces[1:]).report()
    assert not report.is_closed and report.volume is None
    assert [(p.kind, p.count) for p in report.problems] == [("open-edge", 3)]
    assert ball.report().genus == 0


def test_meshes_of_other_libraries_are_taken_as_they_are(ball):
    vertices, faces = ball.vertices, ball.faces
    block = SimpleNamespace(type="triangle", data=faces)
    padded = np.column_stack([np.full(len(faces), 3), faces]).ravel()
    surface = SimpleNamespace(points=vertices, faces=padded)
    surface.triangulate = lambda: surface
    tensor = lambda array: SimpleNamespace(numpy=lambda: array)
    others = [
        (vertices, faces),
        SimpleNamespace(vertices=vertices, faces=faces),
        SimpleNamespace(vertices=vertices, triangles=faces),
        SimpleNamespace(vertex={"positions": tensor(vertices)}, triangle={"indices": tensor(faces)}),
        SimpleNamespace(points=vertices, cells=[block]),
        SimpleNamespace(points=vertices, celltypes=np.full(len(faces), 5), cells_dict={5: faces}),
        surface,
    ]
    for other in others:
        mesh = impinge.as_mesh(other)
        assert (mesh.faces == faces).all() and (mesh.vertices == vertices).all()
    with pytest.raises(TypeError, match="int"):
        impinge.as_mesh(7)
    with pytest.raises(ValueError, match="polygon"):
        impinge.as_mesh(SimpleNamespace(points=vertices, cells=[SimpleNamespace(type="polygon", data=faces)]))


def test_meshes_and_errors_survive_pickling(ball):
    again = pickle.loads(pickle.dumps(ball))
    assert (again.faces == ball.faces).all()
    try:
        impinge.Inside(impinge.Mesh(ball.vertices, ball.faces[1:]))
    except impinge.MeshError as error:
        same = pickle.loads(pickle.dumps(error))
        assert (same.kind, same.first, same.count, str(same)) == (error.kind, error.first, error.count, str(error))


def test_arrays_of_a_mesh_cannot_be_changed(ball):
    with pytest.raises(ValueError, match="read-only"):
        ball.vertices[0] = 0


def test_the_boundary_of_solid_elements_is_their_surface():
    brick = impinge.shapes.brick((2, 2, 2), (1, 1, 1), "tet10")
    assert len(brick.faces) == 48 and brick.is_closed
    assert impinge.Inside(brick).locate([[0.5, 0.5, 0.5], [1, 0.5, 0.5]]).tolist() == [1, 0]
