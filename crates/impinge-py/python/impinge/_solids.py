"""Contact and self-contact of deforming tetrahedral solids."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _impinge
from ._mesh import Mesh, as_mesh
from ._types import Floats, Ints

__all__ = ["Hits", "Solids", "self_hits"]


@dataclass(frozen=True)
class Hits:
    """Boundary faces that meet tetrahedra, sorted."""

    face_bodies: Ints
    """(n,) array: the body of the face."""
    faces: Ints
    """(n,) array: the face, a row of `Solids.boundary` of its body."""
    tet_bodies: Ints
    """(n,) array: the body of the tetrahedron."""
    tets: Ints
    """(n,) array: the tetrahedron."""
    crossing: NDArray[np.bool_]
    """(n,) array: whether the face enters the tetrahedron, not only touches it."""
    points: Floats | None = None
    """(n, 3) array: the deepest common point, on request."""
    depths: Floats | None = None
    """(n,) array: its distance from the surface of the body that it is in."""
    directions: Floats | None = None
    """(n, 3) array: the unit vector from it to that surface."""

    def __len__(self) -> int:
        return len(self.faces)


class Solids:
    """Deforming tetrahedral solids; their trees are cached and refitted.

    The answers are exact, for inverted and flat tetrahedra too.

    Parameters
    ----------
    solids : iterable of (points, tets) or Mesh
    neighbours : {"exact", "node", "face"}, optional
        Which pairs of one solid with shared nodes to report: those that share more than these nodes (default), none, or all but those across a face.

    Examples
    --------
    >>> import impinge
    >>> folded = impinge.shapes.vee(600, 0.5)
    >>> solids = impinge.Solids([folded])
    >>> len(solids.hits())
    0
    >>> solids.update(0, impinge.shapes.vee(600, -0.3).vertices)
    >>> len(solids.hits()) > 100
    True
    """

    def __init__(self, solids: Iterable[Any], *, neighbours: str = "exact") -> None:
        self._solids = _impinge.Solids([_tets(solid) for solid in solids], neighbours)

    def __len__(self) -> int:
        return len(self._solids)

    def boundary(self, body: int = 0) -> Ints:
        """Return the boundary triangles of a solid as an (n, 3) array of its nodes."""
        return self._solids.boundary(_index(body, len(self)))

    def update(self, body: int, points: ArrayLike) -> None:
        """Move the points of a solid."""
        self._solids.update(_index(body, len(self)), _arrays.points(points))

    def hits(self, *, depths: bool = False) -> Hits:
        """Find all boundary faces that meet tetrahedra, within solids and between them.

        Parameters
        ----------
        depths : bool, optional
            Also compute the deepest point of each hit.
        """
        hits, deep = self._solids.hits(bool(depths))
        return Hits(*hits, *(deep or ()))


def self_hits(points: ArrayLike, tets: ArrayLike, *, depths: bool = False) -> Hits:
    """Find the boundary faces of a tetrahedral solid that meet its own tetrahedra; see `Solids`.

    Examples
    --------
    >>> import impinge
    >>> crossed = impinge.shapes.vee(600, -0.3)
    >>> hits = impinge.self_hits(crossed.vertices, crossed.cells[0][1], depths=True)
    >>> bool(hits.depths.max() > 0.01)
    True
    """
    return Solids([(points, tets)]).hits(depths=depths)


def _tets(solid: Any) -> tuple[Floats, Ints]:
    if isinstance(solid, tuple) and len(solid) == 2:
        return _arrays.points(solid[0]), _arrays.indices(solid[1], "tets", 4)
    mesh: Mesh = as_mesh(solid)
    tets = [nodes[:, :4] for kind, nodes in mesh.cells if kind in ("tet4", "tet10")]
    if not tets:
        raise ValueError("the mesh has no tetrahedra")
    return _arrays.points(mesh.vertices), np.ascontiguousarray(np.concatenate(tets))


def _index(body: int, count: int) -> int:
    if not 0 <= body < count:
        raise IndexError(f"no body {body}: there are {count}")
    return body
