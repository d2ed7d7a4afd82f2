"""Generated bodies, for tests and examples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from . import _impinge
from ._mesh import Mesh

__all__ = ["box", "brick", "foam", "icosphere", "sphere", "torus", "vee"]

_ELEMENTS = "vertex line2 line3 tri3 tri6 quad4 quad8 quad9 tet4 tet10 hex8 hex20 hex27 wedge6".split()


def _made(kind: str, counts: Sequence[int], sizes: Sequence[float]) -> Mesh:
    if any(count < 0 for count in counts):
        raise ValueError("a count is not negative")
    return Mesh._of(_impinge.generate(kind, [int(n) for n in counts], [float(x) for x in sizes]))


def icosphere(level: int = 3) -> Mesh:
    """Return a sphere of radius 1: an icosahedron whose triangles are split in four `level` times.

    Examples
    --------
    >>> import impinge
    >>> impinge.shapes.icosphere(2)
    <impinge.Mesh: 162 vertices, 320 tri3>
    """
    return _made("icosphere", [level], [])


def sphere(level: int = 4) -> Mesh:
    """Return a sphere of radius 1: an octahedron whose triangles are split in four `level` times.

    Examples
    --------
    >>> import impinge
    >>> len(impinge.shapes.sphere(3).faces)
    512
    """
    return _made("sphere", [level], [])


def torus(radius: float, tube: float, cells: tuple[int, int] = (64, 24)) -> Mesh:
    """Return a torus about the z axis, with its major radius, the radius of its tube, and the number of cells along both.

    Examples
    --------
    >>> import impinge
    >>> impinge.shapes.torus(2.0, 0.5).report().genus
    1
    """
    return _made("torus", cells, [radius, tube])


def box(size: tuple[float, float, float], cells: tuple[int, int, int] = (1, 1, 1)) -> Mesh:
    """Return the surface of a box around the origin.

    Examples
    --------
    >>> import impinge
    >>> round(impinge.shapes.box((1, 2, 3)).report().volume, 12)
    6.0
    """
    corner = _made("box", cells, size)
    return Mesh(corner.vertices - 0.5 * np.array(size), corner.faces)


def foam(faces: int, seed: int = 0) -> Mesh:
    """Return a closed surface of about this number of triangles with many bubbles and handles.

    Examples
    --------
    >>> import impinge
    >>> impinge.shapes.foam(5000).is_closed
    True
    """
    return _made("foam", [faces, seed], [])


def brick(cells: tuple[int, int, int], size: tuple[float, float, float], kind: str = "hex8") -> Mesh:
    """Return a solid brick from the origin: tet4, tet10, hex8, hex20 or hex27 elements.

    Examples
    --------
    >>> import impinge
    >>> impinge.shapes.brick((2, 2, 2), (1, 1, 1), "tet4")
    <impinge.Mesh: 27 vertices, 48 tet4>
    """
    if kind not in _ELEMENTS:
        raise ValueError(f"unknown element kind '{kind}'")
    return _made("brick", [*cells, _ELEMENTS.index(kind)], size)


def vee(tets: int, angle: float) -> Mesh:
    """Return a V of about this number of tetrahedra with an `angle` (radians) between its legs, which cross if it is negative.

    Examples
    --------
    >>> import impinge
    >>> impinge.shapes.vee(600, 0.5).cells[0][0]
    'tet4'
    """
    return _made("vee", [tets], [angle])
