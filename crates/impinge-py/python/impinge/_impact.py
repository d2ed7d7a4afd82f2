"""Continuous collision detection: when bodies first touch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _arrays, _impinge
from ._mesh import Mesh, as_mesh
from ._types import Floats, ForecastEvent, Ints, MeshImpact

__all__ = ["Event", "Forecast", "Impact", "Motion", "MovingMesh", "first_impact", "first_touch"]


@dataclass(frozen=True)
class Motion:
    """The motion of a rigid body: a parabola of its origin, and a constant spin about it.

    Examples
    --------
    >>> import impinge
    >>> thrown = impinge.Motion([0, 0, 1], velocity=[5, 0, 0], acceleration=[0, 0, -9.81])
    """

    pose: ArrayLike | None = None
    """Pose at time zero: a position, with a quaternion x, y, z, w, or a 4 x 4 matrix."""
    velocity: ArrayLike = field(default=(0.0, 0.0, 0.0))
    """Velocity at time zero."""
    acceleration: ArrayLike = field(default=(0.0, 0.0, 0.0))
    """Constant acceleration."""
    spin: ArrayLike = field(default=(0.0, 0.0, 0.0))
    """Angular velocity, in radians per unit of time."""

    def _parts(self) -> tuple[Floats, list[list[float]]]:
        pose = _arrays.pose(self.pose)
        rates = [("velocity", self.velocity), ("acceleration", self.acceleration), ("spin", self.spin)]
        matrix = np.eye(4) if pose is None else pose
        return matrix, [_arrays.vector(values, name) for name, values in rates]


@dataclass(frozen=True)
class Event:
    """An event between two bodies of a `Forecast`."""

    kind: str
    """``"predicted"`` (their bounding spheres will touch at this time), ``"contact"``, ``"separation"`` or
    ``"undecided"`` (the work limit was exceeded; see `Forecast`)."""
    time: float
    """The time; that of a contact is never later than the true one."""
    latest: float
    """Upper bound of the true time of a contact."""
    certain: bool
    """Whether a contact is proven. If not, the bodies only come within rounding of each other."""
    bodies: tuple[int, int]
    """The bodies, the lower number first."""
    faces: tuple[int, int] | None
    """The faces that touch, if known."""
    point: tuple[float, float, float] | None
    """The point of contact, if known."""


class Forecast:
    """Predicts the contacts of bodies on known motions, and is idle until a contact is possible.

    Bodies pass through each other: the caller applies the effect of a contact, with `set_motion`.

    Parameters
    ----------
    tolerance : float, optional
        Maximum time by which a contact may be reported early.
    most_work : int, optional
        Work limit after which a pair that spins close to each other is reported as undecided, until the motion of one of them changes.

    Examples
    --------
    >>> import impinge
    >>> ball = impinge.shapes.icosphere(3)
    >>> forecast = impinge.Forecast()
    >>> still = forecast.add(ball)
    >>> thrown = forecast.add(ball, impinge.Motion([10, 0, 0], velocity=[-2, 0, 0]))
    >>> [(event.kind, round(event.time, 3)) for event in forecast.advance(5.0)]
    [('predicted', 4.0), ('contact', 4.0)]
    """

    def __init__(self, tolerance: float = 1e-9, most_work: int = 300_000) -> None:
        self._forecast = _impinge.Forecast(float(tolerance), int(most_work))

    @property
    def time(self) -> float:
        """The current time."""
        return self._forecast.time()

    @property
    def next_due(self) -> float | None:
        """The time before which no event can occur."""
        return self._forecast.next_due()

    @property
    def touching(self) -> Ints:
        """(n, 2) array of the pairs that touch."""
        return self._forecast.touching()

    @property
    def undecided(self) -> list[tuple[tuple[int, int], float]]:
        """Undecided pairs, and since when."""
        return [((pair[0], pair[1]), since) for pair, since in self._forecast.undecided()]

    def add(self, mesh: Any, motion: Motion | None = None) -> int:
        """Add a rigid body whose motion starts now; return its number."""
        return self._forecast.add(as_mesh(mesh)._mesh, *(motion or Motion())._parts())

    def add_deforming(self, mesh: Any, positions: ArrayLike, velocities: ArrayLike) -> int:
        """Add a body whose nodes move at constant velocities; return its number."""
        nodes = _arrays.points(positions, "positions"), _arrays.points(velocities, "velocities")
        return self._forecast.add_deforming(as_mesh(mesh)._mesh, *nodes)

    def set_motion(self, body: int, motion: Motion) -> bool:
        """Set the motion of a rigid body from now on; return whether it differs from the prediction."""
        return self._forecast.set_motion(_number(body), *motion._parts())

    def set_nodes(self, body: int, positions: ArrayLike, velocities: ArrayLike) -> bool:
        """Set the nodes of a deforming body; return whether they differ from the prediction."""
        nodes = _arrays.points(positions, "positions"), _arrays.points(velocities, "velocities")
        return self._forecast.set_nodes(_number(body), *nodes)

    def remove(self, body: int) -> None:
        """Remove a body. Its number is not used again."""
        self._forecast.remove(_number(body))

    def advance(self, time: float) -> list[Event]:
        """Advance to a time; return the events until then, in order."""
        return [_event(row) for row in self._forecast.advance(float(time))[0]]


def _event(row: ForecastEvent) -> Event:
    kind, time, latest, certain, bodies, faces, point = row
    pair = None if faces is None else (faces[0], faces[1])
    at = None if point is None else (point[0], point[1], point[2])
    return Event(kind, time, latest, certain, (bodies[0], bodies[1]), pair, at)


def _number(body: int) -> int:
    if not 0 <= body < 2**32:
        raise ValueError(f"no such body: {body}")
    return body


def first_touch(
    a: Any,
    b: Any,
    motion_a: Motion | None = None,
    motion_b: Motion | None = None,
    *,
    until: float,
    tolerance: float = 1e-9,
) -> Event | None:
    """Return when and where two rigid bodies first touch, or None if they do not touch before `until`.

    Parameters
    ----------
    a, b : Mesh or convertible
    motion_a, motion_b : Motion, optional
        By default the body rests.
    until : float
        End of the search.
    tolerance : float, optional
        Maximum time by which the contact may be reported early. It is never reported late.

    Raises
    ------
    RuntimeError
        Undecided: the bodies spin too fast at a small distance.

    Examples
    --------
    >>> import impinge
    >>> box = impinge.shapes.box((1, 1, 1))
    >>> fall = impinge.Motion([0, 0, 5.5], acceleration=[0, 0, -2])
    >>> round(impinge.first_touch(box, box, motion_b=fall, until=10).time, 6)
    2.12132
    """
    forecast = Forecast(tolerance)
    forecast.add(a, motion_a)
    forecast.add(b, motion_b)
    for event in forecast.advance(until):
        if event.kind == "contact":
            return event
        if event.kind == "undecided":
            raise RuntimeError(f"whether the bodies touch is undecided from {event.time} on: they spin too fast")
    return None


@dataclass(frozen=True)
class Impact:
    """The first impact of two parts of meshes during a step; times are fractions of the step."""

    time: float
    """Lower bound of the time of impact: it is safe to advance to this time."""
    latest: float
    """Upper bound of the time of impact, if `certain`."""
    certain: bool
    """Whether the impact is proven. If not, the distance falls below the rounding error."""
    kind: str
    """``"vertex-face"``, ``"face-vertex"``, ``"edge-edge"``, or ``"overlap"`` at the start of the step."""
    part_a: tuple[int, ...]
    """The vertex, the two vertices of the edge, or the face of the first mesh."""
    part_b: tuple[int, ...]
    """The same for the second mesh."""


class MovingMesh:
    """A triangle mesh whose vertices move on straight lines from their start to their end positions.

    Parameters
    ----------
    faces : (m, 3) array_like of int
    start, end : (n, 3) array_like
        Positions at the start and at the end of the step.

    Examples
    --------
    >>> import impinge
    >>> ball = impinge.shapes.icosphere(3)
    >>> still = impinge.MovingMesh(ball.faces, ball.vertices, ball.vertices)
    >>> flying = impinge.MovingMesh(ball.faces, ball.vertices + [4, 0, 0], ball.vertices)
    >>> round(still.first_impact(flying).time, 6)
    0.5
    """

    def __init__(self, faces: ArrayLike, start: ArrayLike, end: ArrayLike) -> None:
        self._mesh = _impinge.MovingMesh(_arrays.points(start, "start"), _arrays.indices(faces, "faces", 3))
        self.set_step(start, end)

    def set_step(self, start: ArrayLike, end: ArrayLike) -> None:
        """Set the positions of another step."""
        self._mesh.set_step(_arrays.points(start, "start"), _arrays.points(end, "end"))

    def first_impact(
        self, other: MovingMesh | None = None, *, separation: float = 0.0, tolerance: float = 1e-9
    ) -> Impact | None:
        """Return the first impact with another mesh or, without one, with itself.

        Parameters
        ----------
        other : MovingMesh, optional
        separation : float, optional
            Distance at which parts count as meeting.
        tolerance : float, optional
            Accuracy of the time, as a fraction of the step.
        """
        handle = None if other is None else other._mesh
        row = self._mesh.first(handle, float(separation), float(tolerance))
        return None if row is None else _impact(row)

    def impacts(
        self, other: MovingMesh | None = None, *, separation: float = 0.0, tolerance: float = 1e-9
    ) -> list[Impact]:
        """Return all impacts, earliest first; see `first_impact`."""
        handle = None if other is None else other._mesh
        return [_impact(row) for row in self._mesh.all(handle, float(separation), float(tolerance))]


def _impact(row: MeshImpact) -> Impact:
    time, latest, certain, kind, part_a, part_b = row
    return Impact(time, latest, certain, kind, tuple(part_a), tuple(part_b))


def first_impact(
    a: Mesh, end_a: ArrayLike, b: Mesh, end_b: ArrayLike, *, separation: float = 0.0
) -> Impact | None:
    """Return the first impact of two meshes that deform from their vertices to the given ends; see `MovingMesh`.

    Examples
    --------
    >>> import impinge, numpy as np
    >>> ball, away = impinge.shapes.icosphere(2), np.eye(4)
    >>> away[0, 3] = 2.5
    >>> swollen, still = 2 * ball.vertices, ball.vertices + [2.5, 0, 0]
    >>> round(impinge.first_impact(ball, swollen, ball.transform(away), still).time, 6)
    0.5
    """
    first = MovingMesh(a.faces, a.vertices, end_a)
    second = MovingMesh(b.faces, b.vertices, end_b)
    return first.first_impact(second, separation=separation)
