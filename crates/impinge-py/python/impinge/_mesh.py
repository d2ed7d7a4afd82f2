"""Meshes: from arrays, files and objects of other libraries."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _impinge
from ._errors import MeshError, MeshWarning
from ._types import Floats, Ints

__all__ = ["Mesh", "Report", "as_mesh", "read", "read_points", "write"]

_KINDS = {"triangle": "tri3", "quad": "quad4", "tetra": "tet4", "hexahedron": "hex8", "line": "line2"}
_KINDS |= {"triangle6": "tri6", "quad8": "quad8", "quad9": "quad9", "tetra10": "tet10", "line3": "line3"}
_KINDS |= {"hexahedron20": "hex20", "hexahedron27": "hex27", "wedge": "wedge6", "pyramid": "pyramid5"}
_KINDS |= {"wedge15": "wedge15", "wedge18": "wedge18", "pyramid13": "pyramid13", "vertex": "vertex"}
_VTK = {1: "vertex", 3: "line2", 5: "tri3", 9: "quad4", 10: "tet4", 12: "hex8", 13: "wedge6", 14: "pyramid5"}
_VTK |= {21: "line3", 22: "tri6", 23: "quad8", 24: "tet10", 25: "hex20", 26: "wedge15", 27: "pyramid13"}
_VTK |= {28: "quad9", 29: "hex27", 32: "wedge18"}


@dataclass(frozen=True)
class Report:
    """Properties and problems of a mesh; see `Mesh.report`."""

    is_solid: bool
    """Whether there are solid elements. The other properties are then those of their boundary."""
    is_closed: bool
    """Whether every edge belongs to at least two triangles."""
    is_oriented: bool
    """Whether neighbouring faces are consistently oriented, and the surface faces outward."""
    is_manifold: bool
    """Whether every edge has at most two triangles and every vertex a single fan of triangles."""
    components: int
    """Number of parts connected over edges."""
    genus: int | None
    """Number of handles, if the surface is closed."""
    area: float
    """Total area."""
    volume: float | None
    """Enclosed volume, if the surface is closed and oriented."""
    shortest_edge: float
    """Length of the shortest edge."""
    longest_edge: float
    """Length of the longest edge."""
    closing_weld: float | None
    """The smallest tolerance at which `Mesh.weld` closes the surface, if it is open and there is one."""
    problems: tuple[MeshError, ...]
    """All problems, each with kind, first item and count."""


class Mesh:
    """An immutable mesh of triangles or of finite elements of any kind.

    Structures that queries need, such as trees of its triangles, are built on first use and kept with the mesh.

    Parameters
    ----------
    vertices : (n, 3) array_like
        Coordinates. Two columns are taken as x and y with z = 0.
    faces : (m, 3) or (m, 4) array_like of int, optional
        Triangles or quadrilaterals, counter-clockwise seen from outside.
    cells : sequence of (str, array_like), optional
        Elements by kind, with their nodes in VTK's order: ``("tet10", nodes)``.

    Examples
    --------
    >>> import impinge
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> mesh = impinge.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> round(mesh.report().volume, 3)
    0.167
    """

    point_data: dict[str, NDArray[Any]]
    """Fields with one row for each vertex."""
    cell_data: dict[str, NDArray[Any]]
    """Fields with one row for each element."""
    sets: dict[str, tuple[str, Ints]]
    """Named sets: what they contain (``"points"``, ``"elements"`` or ``"sides"``) and its indices."""

    def __init__(
        self,
        vertices: ArrayLike,
        faces: ArrayLike | None = None,
        *,
        cells: Sequence[tuple[str, ArrayLike]] = (),
    ) -> None:
        blocks: list[tuple[str, Ints]] = []
        if faces is not None:
            nodes = _arrays.indices(faces, "faces", None)
            if nodes.shape[1] not in (3, 4):
                if nodes.shape[0] == 0:
                    nodes = nodes.reshape(0, 3)
                else:
                    raise ValueError(f"faces: 3 or 4 nodes are needed, not {nodes.shape[1]}")
            blocks.append(("quad4" if nodes.shape[1] == 4 else "tri3", nodes))
        blocks += [(kind, _arrays.indices(nodes, f"cells of kind {kind}", None)) for kind, nodes in cells]
        self._mesh = _impinge.Mesh(_space(vertices, "vertices"), blocks)
        self._set_data()

    def _set_data(self) -> None:
        self.point_data = {}
        self.cell_data = {}
        self.sets = {}

    @classmethod
    def _of(cls, mesh: _impinge.Mesh) -> Mesh:
        made = cls.__new__(cls)
        made._mesh = mesh
        made._set_data()
        return made

    @cached_property
    def vertices(self) -> Floats:
        """(n, 3) array of coordinates; read-only."""
        return _arrays.lazily(self._mesh.points)

    @cached_property
    def faces(self) -> Ints:
        """(m, 3) array of triangles: the surface, or the boundary of solid elements; read-only.

        Quadrilaterals are split in two, and curved sides are treated as straight. Faces that queries return are rows of
        this array.
        """
        return _arrays.lazily(self._mesh.triangles)

    @cached_property
    def cells(self) -> tuple[tuple[str, Ints], ...]:
        """The elements as given: their kinds and their nodes in VTK's order."""
        return tuple(self._mesh.blocks())

    @property
    def bounds(self) -> Floats:
        """(2, 3) array: the lower and the upper corner of the bounding box of all vertices."""
        if len(self.vertices) == 0:
            raise ValueError("a mesh without vertices has no bounds")
        return np.stack([self.vertices.min(axis=0), self.vertices.max(axis=0)])

    @property
    def is_closed(self) -> bool:
        """Whether the surface encloses a volume, so that inside and outside are defined."""
        return self._mesh.open_reason() is None

    def report(self) -> Report:
        """Inspect the mesh.

        Examples
        --------
        >>> import impinge
        >>> report = impinge.shapes.torus(2.0, 0.5).report()
        >>> report.is_closed, report.genus, report.problems
        (True, 1, ())
        """
        facts = self._mesh.report()
        facts["problems"] = tuple(facts["problems"])
        return Report(**facts)

    def weld(self, tolerance: float = 0.0) -> Mesh:
        """Return the mesh with vertices up to `tolerance` apart merged, and unused vertices removed.

        Surface elements that lose a corner are dropped. Data and sets are not carried over.

        Examples
        --------
        >>> import impinge
        >>> ball = impinge.shapes.icosphere(1)
        >>> soup = impinge.Mesh(ball.vertices[ball.faces].reshape(-1, 3), [[3 * i, 3 * i + 1, 3 * i + 2] for i in range(80)])
        >>> soup.is_closed, soup.weld().is_closed, len(soup.weld().vertices)
        (True, True, 42)
        """
        return Mesh._of(self._mesh.welded(float(tolerance))[0])

    def flip(self) -> Mesh:
        """Return the mesh with its surface elements flipped."""
        return Mesh._of(self._mesh.flipped())

    def transform(self, matrix: ArrayLike) -> Mesh:
        """Return the mesh with its vertices transformed by a 4 x 4 matrix.

        Examples
        --------
        >>> import impinge, numpy as np
        >>> np.ptp(impinge.shapes.icosphere(2).transform(np.diag([1, 2, 3, 1])).bounds, axis=0).round(3)
        array([2., 4., 6.])
        """
        affine = _arrays.floats(matrix, "matrix")
        if affine.shape != (4, 4):
            raise ValueError(f"matrix: a 4 x 4 matrix is needed, not {affine.shape}")
        return Mesh(self.vertices @ affine[:3, :3].T + affine[:3, 3], cells=self.cells)

    def __repr__(self) -> str:
        kinds = ", ".join(f"{len(nodes)} {kind}" for kind, nodes in self.cells) or "no elements"
        return f"<impinge.Mesh: {len(self.vertices)} vertices, {kinds}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.vertices, self.cells, self.point_data, self.cell_data, self.sets)


def _restored(
    vertices: Floats,
    cells: Sequence[tuple[str, Ints]],
    point_data: dict[str, NDArray[Any]],
    cell_data: dict[str, NDArray[Any]],
    sets: dict[str, tuple[str, Ints]],
) -> Mesh:
    mesh = Mesh(vertices, cells=cells)
    mesh.point_data, mesh.cell_data, mesh.sets = point_data, cell_data, sets
    return mesh


def _space(values: ArrayLike, name: str) -> Floats:
    array = _arrays.floats(values, name)
    if array.ndim == 2 and array.shape[1] == 2:
        return np.column_stack([array, np.zeros(len(array))])
    return _arrays.points(array, name)


def as_mesh(source: Any) -> Mesh:
    """Return a mesh made from an object of this or another library.

    Parameters
    ----------
    source : Mesh, path, or object
        A `Mesh`, the path of a file, a pair of vertices and faces, or an object of trimesh, PyVista, meshio or
        Open3D. None of these libraries is needed otherwise.

    Examples
    --------
    >>> import impinge
    >>> ball = impinge.shapes.icosphere(1)
    >>> impinge.as_mesh((ball.vertices, ball.faces))
    <impinge.Mesh: 42 vertices, 80 tri3>
    """
    if isinstance(source, Mesh):
        return source
    if isinstance(source, (str, os.PathLike)):
        return read(source)
    if isinstance(source, tuple) and len(source) == 2:
        return Mesh(source[0], source[1])
    for convert in (_from_meshio, _from_pyvista, _from_trimesh, _from_open3d):
        mesh = convert(source)
        if mesh is not None:
            return mesh
    raise TypeError(f"cannot make a mesh of an object of type {type(source).__name__}")


def _from_trimesh(source: Any) -> Mesh | None:
    if hasattr(source, "vertices") and hasattr(source, "faces"):
        return Mesh(np.asarray(source.vertices), np.asarray(source.faces))
    return None


def _from_open3d(source: Any) -> Mesh | None:
    if hasattr(source, "vertices") and hasattr(source, "triangles"):
        return Mesh(np.asarray(source.vertices), np.asarray(source.triangles))
    if hasattr(source, "vertex") and hasattr(source, "triangle"):
        return Mesh(source.vertex["positions"].numpy(), source.triangle["indices"].numpy())
    return None


def _from_meshio(source: Any) -> Mesh | None:
    if not (hasattr(source, "points") and hasattr(source, "cells") and isinstance(source.cells, list)):
        return None
    cells = []
    for block in source.cells:
        if block.type not in _KINDS:
            raise ValueError(f"elements of kind {block.type} are not supported")
        cells.append((_KINDS[block.type], block.data))
    return Mesh(source.points, cells=cells)


def _from_pyvista(source: Any) -> Mesh | None:
    if not hasattr(source, "points"):
        return None
    if hasattr(source, "cells_dict") and hasattr(source, "celltypes"):
        unknown = sorted(set(map(int, source.celltypes)) - set(_VTK))
        if unknown:
            raise ValueError(f"cells of VTK type {unknown[0]} are not supported")
        return Mesh(source.points, cells=[(_VTK[int(kind)], nodes) for kind, nodes in source.cells_dict.items()])
    if hasattr(source, "faces") and hasattr(source, "triangulate"):
        faces = np.asarray(source.triangulate().faces)
        return Mesh(source.points, faces.reshape(-1, 4)[:, 1:])
    return None


def read(path: str | os.PathLike[str]) -> Mesh:
    """Read a mesh file.

    STL, OBJ, PLY, OFF, GLB, 3MF, Gmsh MSH, VTK, VTU, VTP and Abaqus INP are supported. Contents of a file other than its mesh and fields are reported with a `MeshWarning`.

    Examples
    --------
    >>> import impinge, tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "ball.stl")
    >>> impinge.write(path, impinge.shapes.icosphere(2))
    >>> impinge.read(path)
    <impinge.Mesh: 162 vertices, 320 tri3>
    """
    mesh, point_fields, cell_fields, sets, ignored = _impinge.read(os.fspath(path))
    made = Mesh._of(mesh)
    made.point_data = {name: _column(values) for name, values in point_fields}
    made.cell_data = {name: _column(values) for name, values in cell_fields}
    made.sets = {name: (of, members) for name, of, members in sets}
    _warn(path, "not read", ignored)
    return made


def write(path: str | os.PathLike[str], mesh: Any) -> None:
    """Write a mesh in the format of the extension: STL, OBJ, PLY, OFF, VTU, VTP or MSH.

    The file appears complete or not at all. What the format cannot represent is reported with a `MeshWarning`, except
    that STL rounds coordinates to 32 bits.

    Examples
    --------
    >>> import impinge, tempfile, os
    >>> ball = impinge.shapes.icosphere(2)
    >>> ball.point_data["height"] = ball.vertices[:, 2]
    >>> path = os.path.join(tempfile.mkdtemp(), "ball.vtu")
    >>> impinge.write(path, ball)
    >>> bool((impinge.read(path).point_data["height"] == ball.vertices[:, 2]).all())
    True
    """
    mesh = as_mesh(mesh)
    points, cells = _fields(mesh.point_data), _fields(mesh.cell_data)
    left_out = _impinge.write(os.fspath(path), mesh._mesh, points, cells)
    _warn(path, "not written", [(what, count) for what, count in left_out if "32 bits" not in what])


def read_points(path: str | os.PathLike[str]) -> tuple[list[str], Floats]:
    """Read a table of points or particles: CSV, XYZ, NPY, LAMMPS files, or the nodes of any mesh.

    Returns
    -------
    names : list of str
        The names of the columns; empty if the file has none.
    values : (n, columns) array
    """
    return _impinge.read_points(os.fspath(path))


def _column(values: NDArray[Any]) -> NDArray[Any]:
    return values[:, 0] if values.shape[1] == 1 else values


def _fields(data: Mapping[str, ArrayLike]) -> list[tuple[str, Floats]]:
    fields = []
    for name, values in data.items():
        array = _arrays.floats(values, f"field {name}")
        fields.append((name, array.reshape(len(array), -1) if array.ndim else array.reshape(1, 1)))
    return fields


def _warn(path: str | os.PathLike[str], what: str, counts: Sequence[tuple[str, int]]) -> None:
    if counts:
        listed = ", ".join(f"{count} {name}" for name, count in counts)
        warnings.warn(f"{os.fspath(path)}: {what}: {listed}", MeshWarning, stacklevel=3)
