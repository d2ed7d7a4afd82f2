"""Nearest points of a surface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _arrays, _impinge
from ._mesh import as_mesh
from ._types import Floats, Ints

__all__ = ["Nearest", "NearestPoints", "SegmentHits"]


@dataclass(frozen=True)
class NearestPoints:
    """Points of a surface nearest to query points; see `Nearest.query`."""

    points: Floats
    """(n, 3) array of the nearest points."""
    distances: Floats
    """(n,) array of their distances."""
    faces: Ints
    """(n,) array of the faces that contain them: rows of `Mesh.faces`. Of several, the first."""


@dataclass(frozen=True)
class SegmentHits:
    """First intersections of segments with a surface; see `Nearest.first_hits`."""

    faces: Ints
    """(n,) array of the faces that were hit; -1 for a segment that hits none."""
    points: Floats
    """(n, 3) array of the points; NaN for a segment that hits none."""


class Nearest:
    """A surface prepared for nearest-point queries.

    Parameters
    ----------
    mesh : Mesh or convertible
        See `as_mesh`. It need not be closed.

    Examples
    --------
    >>> import impinge
    >>> ball = impinge.Nearest(impinge.shapes.icosphere(4))
    >>> ball.query([[0, 0, 3]]).distances
    array([2.])
    >>> ball.signed_distance([[0, 0, 3], [0, 0, 0.5]]).round(3)
    array([ 2.   , -0.499])
    """

    def __init__(self, mesh: Any) -> None:
        self.mesh = as_mesh(mesh)
        self._nearest = _impinge.Nearest(self.mesh._mesh)
        self._inside: _impinge.Inside | None = None

    def query(self, points: ArrayLike) -> NearestPoints:
        """Find the nearest points of the surface.

        Parameters
        ----------
        points : (n, 3) array_like

        Returns
        -------
        NearestPoints

        Examples
        --------
        >>> import impinge
        >>> found = impinge.Nearest(impinge.shapes.box((1, 1, 1))).query([[2, 0, 0]])
        >>> found.points, found.distances
        (array([[0.5, 0. , 0. ]]), array([1.5]))
        """
        return NearestPoints(*self._nearest.nearest(_arrays.queries(points)[0], False))

    def distance(self, points: ArrayLike) -> Floats:
        """Return the distances of points from the surface.

        Examples
        --------
        >>> import impinge
        >>> impinge.Nearest(impinge.shapes.box((1, 1, 1))).distance([0, 0, 0.4]).round(12)
        np.float64(0.1)
        """
        array, single = _arrays.queries(points)
        found = self._nearest.distances(array)
        return found[0] if single else found

    def signed_distance(self, points: ArrayLike) -> Floats:
        """Return the distances of points from the surface, negative inside.

        The sign is exact. It needs a closed surface.

        Raises
        ------
        MeshError
            The surface is not closed.

        Examples
        --------
        >>> import impinge
        >>> impinge.Nearest(impinge.shapes.box((2, 2, 2))).signed_distance([[0, 0, 0], [1, 0, 0], [3, 0, 0]])
        array([-1.,  0.,  2.])
        """
        if self._inside is None:
            self._inside = _impinge.Inside(self.mesh._mesh, False)
        array, single = _arrays.queries(points)
        distances = self._nearest.distances(array)
        np.multiply(distances, self._inside.locate(array), out=distances)
        np.negative(distances, out=distances)
        # Without this, points on the surface would be at a distance of -0.
        distances += 0.0
        return distances[0] if single else distances

    def first_hits(self, start: ArrayLike, end: ArrayLike) -> SegmentHits:
        """Find the first intersections of segments with the surface. Whether a segment hits is decided exactly.

        Parameters
        ----------
        start, end : (n, 3) array_like
            The ends of the segments.

        Examples
        --------
        >>> import impinge
        >>> impinge.Nearest(impinge.shapes.box((1, 1, 1))).first_hits([[-2, 0.1, 0.2]], [[2, 0.1, 0.2]]).points
        array([[-0.5,  0.1,  0.2]])
        """
        from_, to = _arrays.points(start, "start"), _arrays.points(end, "end")
        return SegmentHits(*self._nearest.first_hits(from_, to))

    def __repr__(self) -> str:
        return f"<impinge.Nearest of {self.mesh!r}>"
