"""Distance, penetration and overlap of two bodies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from . import _arrays, _impinge
from ._errors import MeshError
from ._mesh import Mesh, as_mesh
from ._types import Floats, Ints

__all__ = ["Closest", "Convex", "Pair", "collide", "distance", "overlap_volume", "penetration"]


@dataclass(frozen=True)
class Closest:
    """The closest points of two bodies or, where they overlap, the shortest way apart that was found."""

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
    """What contains `on_a`: ``("vertex", (i,))``, ``("edge", (i, j))`` or ``("face", (i,))``."""
    feature_b: tuple[str, tuple[int, ...]]
    """What contains `on_b`."""


class Convex:
    """The convex hull of points.

    Parameters
    ----------
    points : (n, 3) array_like
        At least four points, not all in one plane.

    Examples
    --------
    >>> import impinge, itertools
    >>> cube = impinge.Convex(list(itertools.product([0, 1], repeat=3)))
    >>> cube.volume, len(cube.vertices), len(cube.faces)
    (1.0, 8, 12)
    """

    def __init__(self, points: ArrayLike) -> None:
        self._body = _impinge.Convex(_arrays.points(points))

    @property
    def vertices(self) -> Floats:
        """(n, 3) array of the corners of the hull."""
        return self._body.points()

    @property
    def faces(self) -> Ints:
        """(m, 3) array of triangles that cover its facets."""
        return self._body.triangles()

    @property
    def volume(self) -> float:
        """The volume."""
        return self._body.volume()

    def __reduce__(self) -> tuple[type[Convex], tuple[Floats]]:
        return Convex, (self.vertices,)


class Pair:
    """Two bodies that are asked again and again as they move; closest features are kept from call to call.

    A pose is a position, a position with a quaternion x, y, z, w, or a 4 x 4 matrix; None is the identity.

    Parameters
    ----------
    a, b : Convex, Mesh or convertible
        The bodies. A surface that is not closed has no inside, hence no depth.

    Examples
    --------
    >>> import impinge
    >>> box = impinge.shapes.box((1, 1, 1))
    >>> pair = impinge.Pair(box, box)
    >>> [round(pair.distance(None, [x, 0, 0]).gap, 6) for x in (1.5, 1.25, 0.75)]
    [0.5, 0.25, -0.25]
    """

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = _body(a), _body(b)
        self._pair = _impinge.Pair(_handle(self.a), _handle(self.b))

    def distance(self, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None) -> Closest:
        """Return the closest points and the signed distance."""
        found = self._pair.closest(_arrays.pose(pose_a, "pose_a"), _arrays.pose(pose_b, "pose_b"))
        gap, normal, on_a, on_b, bounds, features = found
        (kind_a, of_a), (kind_b, of_b) = features
        return Closest(gap, normal, on_a, on_b, (bounds[0], bounds[1]), (kind_a, tuple(of_a)), (kind_b, tuple(of_b)))

    def penetration(self, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None) -> Closest | None:
        """Return the way apart, or None if the bodies do not touch."""
        if not self.collide(pose_a, pose_b):
            return None
        return self.distance(pose_a, pose_b)

    def collide(self, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None) -> bool:
        """Return whether the bodies share a point. One inside the other does."""
        return self._pair.touches(_arrays.pose(pose_a, "pose_a"), _arrays.pose(pose_b, "pose_b"))

    def overlap_volume(self, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None) -> float:
        """Return the volume that the bodies share.

        Raises
        ------
        MeshError
            A surface is not closed.
        """
        volume = self._pair.overlap_volume(_arrays.pose(pose_a, "pose_a"), _arrays.pose(pose_b, "pose_b"))
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
        return self._pair.touching_faces(_arrays.pose(pose_a, "pose_a"), _arrays.pose(pose_b, "pose_b"))


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
    """Return the shortest way apart that was found, or None if the bodies do not touch; see `Pair`.

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
    """Return the volume that two bodies share; see `Pair`.

    Examples
    --------
    >>> import impinge
    >>> box = impinge.shapes.box((1, 1, 1))
    >>> round(impinge.overlap_volume(box, box, pose_b=[0.5, 0.5, 0]), 6)
    0.25
    """
    return Pair(a, b).overlap_volume(pose_a, pose_b)


def _body(source: Any) -> Convex | Mesh:
    return source if isinstance(source, Convex) else as_mesh(source)


def _handle(body: Convex | Mesh) -> _impinge.Convex | _impinge.Mesh:
    return body._body if isinstance(body, Convex) else body._mesh
