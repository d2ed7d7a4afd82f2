"""Scenes of bodies of every shape, and their contacts step after step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _impinge
from ._bodies import Convex, in_space
from ._impact import Motion
from ._mesh import as_mesh
from ._solids import _tets
from ._types import Floats, Ints, Rates

__all__ = [
    "CONTACT",
    "Capsule",
    "Compound",
    "Cone",
    "Cylinder",
    "Detector",
    "HalfSpace",
    "Scene",
    "Sphere",
    "Tetrahedra",
]

CONTACT = np.dtype(
    [
        ("a", np.int64),
        ("b", np.int64),
        ("place", np.int64),
        ("gap", np.float64),
        ("normal", np.float64, 3),
        ("on_a", np.float64, 3),
        ("on_b", np.float64, 3),
        ("volume", np.float64),
        ("centroid", np.float64, 3),
    ]
)
"""The fields of a contact: bodies a < b (a = b for self-contact of a solid), the number of the place where they touch,
which is constant for its lifetime, signed gap, unit normal from a to b, the deepest points, and volume and centroid of the
intersection (0 and NaN if not computed)."""

EVENT = np.dtype([("a", np.int64), ("b", np.int64), ("began", np.bool_)])
"""The fields of an event: the bodies, and whether they began or ceased to touch."""


@dataclass(frozen=True)
class Sphere:
    """A ball about its origin, for a `Scene`."""

    radius: float


@dataclass(frozen=True)
class Capsule:
    """All points within a distance of a segment, for a `Scene`."""

    start: ArrayLike
    end: ArrayLike
    radius: float


@dataclass(frozen=True)
class Cylinder:
    """A cylinder between the centres of its discs, for a `Scene`."""

    start: ArrayLike
    end: ArrayLike
    radius: float


@dataclass(frozen=True)
class Cone:
    """A cone from the centre of its base to its apex, for a `Scene`."""

    base: ArrayLike
    apex: ArrayLike
    radius: float


class Compound:
    """A compound of several shapes that move as one rigid body, for a `Scene`.

    Parameters
    ----------
    parts : iterable of shape, or of (shape, pose)
        Spheres, capsules, cylinders, cones, hulls and closed meshes. They may overlap.

    Examples
    --------
    >>> import impinge
    >>> handle = impinge.Cylinder([0, 0, 0], [0, 0, 1], 0.05)
    >>> hammer = impinge.Compound([handle, (impinge.shapes.box((0.4, 0.2, 0.2)), [0, 0, 1.1])])
    >>> scene, detector = impinge.Scene(), impinge.Detector()
    >>> floor = scene.add(impinge.HalfSpace([0, 0, 0], [0, 0, 1]))
    >>> body = scene.add(hammer, [0, 0, -0.25])
    >>> detector.step(scene)
    >>> float(detector.contacts["gap"][0].round(12))
    -0.25
    """

    def __init__(self, parts: Iterable[Any]) -> None:
        self._shape = _impinge.Shape.compound([_part(part) for part in parts])


@dataclass(frozen=True)
class HalfSpace:
    """An infinite floor or wall, for a `Scene`: a point of its plane, and its outward normal."""

    point: ArrayLike
    normal: ArrayLike


@dataclass(frozen=True)
class Tetrahedra:
    """A tetrahedral solid that may deform and touch itself, for a `Scene`."""

    points: ArrayLike
    tets: ArrayLike


class Scene:
    """Bodies of every shape: fixed, moved by the user, on known motions, or deforming.

    Examples
    --------
    >>> import impinge
    >>> scene = impinge.Scene()
    >>> floor = scene.add(impinge.HalfSpace([0, 0, 0], [0, 0, 1]))
    >>> ball = scene.add(impinge.Sphere(1.0), motion=impinge.Motion([0, 0, 3], velocity=[0, 0, -1]))
    >>> ring = scene.add(impinge.shapes.torus(2.0, 0.5), pose=[0, 0, 9])
    >>> detector = impinge.Detector()
    >>> detector.step(scene, time=2.5)
    >>> detector.contacts[["a", "b", "gap"]].tolist()
    [(0, 1, -0.5)]
    """

    def __init__(self) -> None:
        self._scene = _impinge.Scene()

    def add(
        self,
        shape: Any,
        pose: ArrayLike | None = None,
        *,
        motion: Motion | None = None,
        since: float = 0.0,
        fixed: bool = False,
    ) -> int:
        """Add a body; return its number.

        Parameters
        ----------
        shape : Sphere, Capsule, Cylinder, Cone, Convex, Compound, HalfSpace, Tetrahedra, Mesh or convertible
            A mesh that is not closed is a wall without an inside.
        pose : optional
            A position, with a quaternion x, y, z, w, or a 4 x 4 matrix.
        motion : Motion, optional
            A motion instead of a pose, from the time `since` on.
        fixed : bool, optional
            The body never moves. Two fixed bodies have no contacts.
        """
        if isinstance(shape, HalfSpace):
            return self._scene.add_half_space(
                _arrays.vector(shape.point, "point"), _arrays.vector(shape.normal, "normal")
            )
        if isinstance(shape, Tetrahedra):
            return self._scene.add_solid(*_tets((shape.points, shape.tets)))
        place = _place(pose, motion, since)
        return self._scene.add_shape(_shape(shape), *place, fixed)

    def remove(self, body: int) -> None:
        """Remove a body. Its number is not used again."""
        self._scene.remove(_number(body))

    def set_pose(self, body: int, pose: ArrayLike) -> None:
        """Move a body; it stays there."""
        matrix = _arrays.pose(pose)
        assert matrix is not None, "a pose was given"
        self._scene.set_pose(_number(body), matrix)

    def set_motion(self, body: int, motion: Motion, since: float = 0.0) -> None:
        """Set a prescribed motion of a body from a time on."""
        matrix, rates = _place(None, motion, since)
        assert rates is not None, "a motion was given"
        self._scene.set_motion(_number(body), matrix, rates)

    def set_points(self, body: int, points: ArrayLike) -> None:
        """Deform a solid or a mesh."""
        self._scene.set_points(_number(body), _arrays.points(points))

    def ignore(self, a: int, b: int) -> None:
        """Ignore contacts of a pair of bodies, such as neighbouring links of a chain."""
        self._scene.ignore(_number(a), _number(b))

    def pose(self, body: int, time: float = 0.0) -> Floats:
        """Return the pose of a body at a time as a 4 x 4 matrix."""
        return self._scene.pose(_number(body), float(time))

    @property
    def ids(self) -> Ints:
        """The numbers of the bodies."""
        return self._scene.ids()


class Detector:
    """Finds the contacts of a scene, step after step, with caches kept between steps.

    Parameters
    ----------
    margin : float, optional
        Also report bodies up to this distance apart.
    depth : bool, optional
        Compute the depth of intersecting surfaces; without it their gap is 0.
    overlap : bool, optional
        Compute volume and centroid of intersections.

    Examples
    --------
    >>> import impinge
    >>> scene, detector = impinge.Scene(), impinge.Detector(margin=0.1)
    >>> balls = [scene.add(impinge.Sphere(0.5), [x, 0, 0]) for x in (0, 0.9, 2)]
    >>> detector.step(scene)
    >>> detector.contacts["gap"].round(12), detector.events.tolist()
    (array([-0.1]), [(0, 1, True)])
    >>> scene.set_pose(balls[1], [1.05, 0, 0])
    >>> detector.step(scene)
    >>> detector.contacts["gap"].round(12), detector.events.tolist()
    (array([ 0.05, -0.05]), [(0, 1, False), (1, 2, True)])
    """

    def __init__(self, *, margin: float = 0.0, depth: bool = True, overlap: bool = True) -> None:
        self._detector = _impinge.Detector(float(margin), bool(depth), bool(overlap))

    def step(self, scene: Scene, time: float = 0.0) -> None:
        """Find the contacts of the scene at a time."""
        self._detector.step(scene._scene, float(time))

    @property
    def contacts(self) -> NDArray[np.void]:
        """The contacts of the last step, sorted by bodies and place: a structured array of dtype `CONTACT`."""
        ids, *columns = self._detector.contacts()
        found = np.empty(len(ids), dtype=CONTACT)
        for name, column in zip(CONTACT.names or (), (*ids.T, *columns)):
            found[name] = column
        return found

    @property
    def events(self) -> NDArray[np.void]:
        """The pairs that began and ceased to touch in the last step: fields a, b and began."""
        pairs, began = self._detector.events()
        found = np.empty(len(pairs), dtype=EVENT)
        found["a"], found["b"], found["began"] = pairs[:, 0], pairs[:, 1], began
        return found


def _shape(shape: Any) -> _impinge.Shape:
    if isinstance(shape, Compound):
        return shape._shape
    if isinstance(shape, Sphere):
        return _impinge.Shape.sphere(float(shape.radius))
    if isinstance(shape, (Capsule, Cylinder)):
        ends = _arrays.vector(shape.start, "start"), _arrays.vector(shape.end, "end")
        return _impinge.Shape.round(type(shape).__name__.lower(), *ends, float(shape.radius))
    if isinstance(shape, Cone):
        ends = _arrays.vector(shape.base, "base"), _arrays.vector(shape.apex, "apex")
        return _impinge.Shape.round("cone", *ends, float(shape.radius))
    if isinstance(shape, Convex):
        return _impinge.Shape.convex(in_space(shape))
    return _impinge.Shape.surface(as_mesh(shape)._mesh)


def _part(part: Any) -> tuple[_impinge.Shape, Floats | None]:
    if isinstance(part, tuple) and len(part) == 2 and not isinstance(part[0], np.ndarray):
        return _shape(part[0]), _arrays.pose(part[1])
    return _shape(part), None


def _place(pose: ArrayLike | None, motion: Motion | None, since: float) -> tuple[Floats | None, Rates | None]:
    if motion is None:
        return _arrays.pose(pose), None
    if pose is not None:
        raise ValueError("a motion has a pose of its own")
    matrix, rates = motion._parts()
    return matrix, (rates, float(since))


def _number(body: int) -> int:
    if not 0 <= body < 2**32:
        raise ValueError(f"body {body}: no such body")
    return body
