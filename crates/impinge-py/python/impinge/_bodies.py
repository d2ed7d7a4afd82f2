"""Distance, penetration and overlap of two bodies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _arrays, _impinge
from ._errors import MeshError
from ._mesh import Mesh, as_mesh
from ._types import Floats, Ints

__all__ = ["Closest", "Convex", "Pair", "collide", "distance", "overlap_volume", "penetration"]


@dataclass(frozen=True)
class Closest:
    """The closest points of two bodies or, if they overlap, the shortest separating translation that was found."""

    gap: float
    """Signed distance. If negative, moving the second body by -gap along the normal separates the bodies."""
    normal: Floats
    """Unit vector from the first body to the second."""
    on_a: Floats
    """Point on the first body."""
    on_b: Floats
    """Point on the second body."""
    bounds: tuple[float, float]
    """Bounds of the true gap. They differ only for overlapping bodies that are not convex."""
    feature_a: tuple[str, tuple[int, ...]]
    """The feature that contains `on_a`: ``("vertex", (i,))``, ``("edge", (i, j))`` or ``("face", (i,))``."""
    feature_b: tuple[str, tuple[int, ...]]
    """The feature that contains `on_b`."""


class Convex:
    """The convex hull of points, in space or in the plane.

    Parameters
    ----------
    points : (n, 3) or (n, 2) array_like
        At least four points, not all in one plane; in the plane at least three, not all on one line.

    Examples
    --------
    >>> import impinge, itertools
    >>> cube = impinge.Convex(list(itertools.product([0, 1], repeat=3)))
    >>> cube.volume, len(cube.vertices), len(cube.faces)
    (1.0, 8, 12)
    >>> triangle = impinge.Convex([[0, 0], [2, 0], [0, 1], [0.5, 0.25]])
    >>> triangle.dimension, triangle.volume, triangle.faces.tolist()
    (2, 1.0, [[0, 1], [1, 2], [2, 0]])
    """

    def __init__(self, points: ArrayLike) -> None:
        array = _arrays.any_dimension(points)
        self._body: _impinge.Convex | _impinge.Polygon
        self._body = _impinge.Polygon(array) if array.shape[1] == 2 else _impinge.Convex(array)

    @property
    def dimension(self) -> int:
        """3 in space, 2 in the plane."""
        return 2 if isinstance(self._body, _impinge.Polygon) else 3

    @property
    def vertices(self) -> Floats:
        """(n, dimension) array of the corners of the hull; in the plane counter-clockwise."""
        return self._body.points()

    @property
    def faces(self) -> Ints:
        """(m, 3) array of triangles that cover its facets; in the plane (m, 2) array of its edges."""
        if isinstance(self._body, _impinge.Polygon):
            corners = np.arange(len(self.vertices))
            return np.column_stack([corners, np.roll(corners, -1)])
        return self._body.triangles()

    @property
    def volume(self) -> float:
        """The volume; in the plane the area."""
        return self._body.area() if isinstance(self._body, _impinge.Polygon) else self._body.volume()

    def __reduce__(self) -> tuple[type[Convex], tuple[Floats]]:
        return Convex, (self.vertices,)


class Pair:
    """Two moving bodies that are queried repeatedly; closest features are cached between calls.

    A pose is a position, a position with a quaternion x, y, z, w, or a 4 x 4 matrix; None is the identity. In the plane
    it is a position, a position with an angle, or a 3 x 3 matrix.

    Parameters
    ----------
    a, b : Convex, Mesh or convertible
        The bodies. A surface that is not closed has no inside and therefore no depth. In the plane both must be convex.

    Examples
    --------
    >>> import impinge
    >>> box = impinge.shapes.box((1, 1, 1))
    >>> pair = impinge.Pair(box, box)
    >>> [round(pair.distance(None, [x, 0, 0]).gap, 6) for x in (1.5, 1.25, 0.75)]
    [0.5, 0.25, -0.25]
    >>> square = impinge.Convex([[0, 0], [1, 0], [1, 1], [0, 1]])
    >>> round(impinge.Pair(square, square).distance(None, [2.5, 0.5, 3.14159265]).gap, 6)
    0.5
    """

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = _body(a), _body(b)
        first, second = _handle(self.a), _handle(self.b)
        self._pair: _impinge.Pair | _impinge.PolygonPair
        if isinstance(first, _impinge.Polygon) and isinstance(second, _impinge.Polygon):
            self._pair = _impinge.PolygonPair(first, second)
        elif isinstance(first, _impinge.Polygon) or isinstance(second, _impinge.Polygon):
            raise ValueError("one body is in the plane and the other in space")
        else:
            self._pair = _impinge.Pair(first, second)

    def _poses(self, pose_a: ArrayLike | None, pose_b: ArrayLike | None) -> tuple[Floats | None, Floats | None]:
        read = _arrays.plane_pose if isinstance(self._pair, _impinge.PolygonPair) else _arrays.pose
        return read(pose_a, "pose_a"), read(pose_b, "pose_b")

    def distance(self, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None) -> Closest:
        """Return the closest points and the signed distance."""
        found = self._pair.closest(*self._poses(pose_a, pose_b))
        gap, normal, on_a, on_b, bounds, features = found
        (kind_a, of_a), (kind_b, of_b) = features
        return Closest(gap, normal, on_a, on_b, (bounds[0], bounds[1]), (kind_a, tuple(of_a)), (kind_b, tuple(of_b)))

    def penetration(self, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None) -> Closest | None:
        """Return the separating translation, or None if the bodies do not touch."""
        if not self.collide(pose_a, pose_b):
            return None
        return self.distance(pose_a, pose_b)

    def collide(self, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None) -> bool:
        """Return whether the bodies share a point; a body inside the other counts."""
        return self._pair.touches(*self._poses(pose_a, pose_b))

    def overlap_volume(self, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None) -> float:
        """Return the overlap volume, or in the plane the overlap area.

        Raises
        ------
        MeshError
            A surface is not closed.
        """
        poses = self._poses(pose_a, pose_b)
        if isinstance(self._pair, _impinge.PolygonPair):
            return self._pair.overlap_area(*poses)
        volume = self._pair.overlap_volume(*poses)
        if volume is not None:
            return volume
        for body in (self.a, self.b):
            if isinstance(body, Mesh):
                reason = body._mesh.open_reason()
                if isinstance(reason, MeshError):
                    raise reason
        raise ValueError("the common volume is not defined")

    def touching_faces(self, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None) -> Ints:
        """Return the pairs of faces that share a point, as an (n, 2) array. Exact."""
        poses = self._poses(pose_a, pose_b)
        if isinstance(self._pair, _impinge.PolygonPair):
            raise ValueError("bodies in the plane have no faces")
        return self._pair.touching_faces(*poses)


def distance(a: Any, b: Any, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None) -> Closest:
    """Return the closest points and the signed distance of two bodies; see `Pair`.

    Examples
    --------
    >>> import impinge
    >>> ball, ring = impinge.shapes.icosphere(4), impinge.shapes.torus(2.0, 0.5)
    >>> found = impinge.distance(ring, ball)
    >>> abs(found.gap - 0.5) < 0.01
    True
    """
    return Pair(a, b).distance(pose_a, pose_b)


def penetration(a: Any, b: Any, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None) -> Closest | None:
    """Return the shortest separating translation that was found, or None if the bodies do not touch; see `Pair`.

    Examples
    --------
    >>> import impinge
    >>> box = impinge.shapes.box((1, 1, 1))
    >>> found = impinge.penetration(box, box, pose_b=[0.25, 0, 0.9])
    >>> round(found.gap, 6), found.normal.round(6)
    (-0.1, array([0., 0., 1.]))
    """
    return Pair(a, b).penetration(pose_a, pose_b)


def collide(a: Any, b: Any, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None) -> bool:
    """Return whether two bodies share a point; see `Pair`.

    Examples
    --------
    >>> import impinge
    >>> box = impinge.shapes.box((1, 1, 1))
    >>> impinge.collide(box, box, pose_b=[1, 1, 1]), impinge.collide(box, box, pose_b=[1, 1, 1.001])
    (True, False)
    """
    return Pair(a, b).collide(pose_a, pose_b)


def overlap_volume(a: Any, b: Any, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None) -> float:
    """Return the overlap volume of two bodies; see `Pair`.

    Examples
    --------
    >>> import impinge
    >>> box = impinge.shapes.box((1, 1, 1))
    >>> round(impinge.overlap_volume(box, box, pose_b=[0.5, 0.5, 0]), 6)
    0.25
    """
    return Pair(a, b).overlap_volume(pose_a, pose_b)


def in_space(convex: Convex) -> _impinge.Convex:
    """Return the body of a 3D hull."""
    if isinstance(convex._body, _impinge.Polygon):
        raise ValueError("a convex body in space is needed, but this one is in the plane")
    return convex._body


def _body(source: Any) -> Convex | Mesh:
    return source if isinstance(source, Convex) else as_mesh(source)


def _handle(body: Convex | Mesh) -> _impinge.Convex | _impinge.Polygon | _impinge.Mesh:
    return body._body if isinstance(body, Convex) else body._mesh
