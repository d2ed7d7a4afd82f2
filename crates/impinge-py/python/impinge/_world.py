"""Simulations: particles, rigid bodies and elastic solids in contact."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _impinge
from ._bodies import Convex, in_space
from ._mesh import as_mesh
from ._scene import HalfSpace, Sphere
from ._types import Floats, Ints

__all__ = ["FORCE", "Bodies", "Energy", "Material", "Particles", "Progress", "World", "run"]

KINDS = ("particle", "body", "solid", "wall")

FORCE = np.dtype(
    [
        ("kind_a", "U8"),
        ("a", np.int64),
        ("kind_b", "U8"),
        ("b", np.int64),
        ("point", np.float64, 3),
        ("normal", np.float64, 3),
        ("force", np.float64, 3),
        ("depth", np.float64),
    ]
)
"""The fields of a contact of a world: the kinds of both objects (particle, body, solid or wall), the id of a particle or
the index within the kind, point, unit normal from a to b, force on b, and depth."""


@dataclass(frozen=True)
class Material:
    """The material of a world that is made in code. SI units."""

    density: float = 2500.0
    young: float = 1e7
    poisson: float = 0.25
    restitution: float = 0.5
    friction: float = 0.4
    rolling_friction: float = 0.0


@dataclass(frozen=True)
class Particles:
    """The particles of a world, by ascending id."""

    ids: Ints
    positions: Floats
    velocities: Floats
    spins: Floats
    radii: Floats

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class Bodies:
    """The rigid bodies of a world; NaN for those that were removed."""

    positions: Floats
    """(n, 3) array of the positions of their origins."""
    rotations: Floats
    """(n, 3, 3) array of rotation matrices."""
    velocities: Floats
    spins: Floats

    def __len__(self) -> int:
        return len(self.positions)


@dataclass(frozen=True)
class Energy:
    """The energies of a world, in joules."""

    kinetic: float
    potential: float
    elastic: float
    dissipated: float
    work: float
    """Work done so far by prescribed motions, inlets and outlets."""

    @property
    def total(self) -> float:
        """The energy present plus the energy dissipated, minus the work put in; it should stay constant."""
        return self.kinetic + self.potential + self.elastic + self.dissipated - self.work


@dataclass(frozen=True)
class Progress:
    """The progress of a `run`."""

    step: int
    steps: int
    time: float
    particles: int
    contacts: int


class World:
    """A simulation: from a scene, or made in code, and advanced step by step.

    Parameters
    ----------
    scene : path, dict, or None
        A scene file; the same as nested dicts and lists, with mesh paths relative to the working folder; or None for an
        empty world.
    gravity : (3,) array_like, optional
        Of an empty world.
    material : Material, optional
        Of an empty world.

    Examples
    --------
    >>> import impinge
    >>> world = impinge.World()
    >>> floor = world.add_wall(impinge.HalfSpace([0, 0, 0], [0, 0, 1]))
    >>> ids = world.add_particles([[0, 0, 0.02], [0.001, 0, 0.05]], 0.005)
    >>> world.step(2000)
    >>> bool((world.particles.positions[:, 2] < 0.05).all())
    True
    """

    def __init__(
        self,
        scene: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        *,
        gravity: ArrayLike = (0.0, 0.0, -9.81),
        material: Material | None = None,
    ) -> None:
        if scene is None:
            given = material or Material()
            numbers = [given.density, given.young, given.poisson, given.restitution, given.friction]
            self._world = _impinge.World(_arrays.vector(gravity, "gravity"), [*numbers, given.rolling_friction])
        else:
            path, text = _scene(scene)
            self._world = _impinge.World.of_scene(text, str(path.parent))

    def add_wall(self, shape: Any, *, name: str = "", hollow: bool = False) -> int:
        """Add a wall at rest: a `HalfSpace`, or a mesh; return its index.

        Parameters
        ----------
        shape : HalfSpace, Mesh or convertible
        name : str, optional
            For messages.
        hollow : bool, optional
            Whether the inside of a closed surface is free too, as in a drum.
        """
        if isinstance(shape, HalfSpace):
            point, normal = _arrays.vector(shape.point, "point"), _arrays.vector(shape.normal, "normal")
            return self._world.add_half_space(name, point, normal)
        return self._world.add_wall(name, as_mesh(shape)._mesh, bool(hollow))

    def add_body(
        self,
        shape: Any,
        position: ArrayLike = (0.0, 0.0, 0.0),
        *,
        orientation: ArrayLike = (0.0, 0.0, 0.0, 1.0),
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        spin: ArrayLike = (0.0, 0.0, 0.0),
        name: str = "",
    ) -> int:
        """Add a rigid body: a `Sphere`, `Convex` or closed mesh; return its index.

        `orientation` is a quaternion x, y, z, w.
        """
        body: float | _impinge.Convex | _impinge.Mesh
        if isinstance(shape, Sphere):
            body = float(shape.radius)
        else:
            body = in_space(shape) if isinstance(shape, Convex) else as_mesh(shape)._mesh
        turned = _arrays.vector(orientation, "orientation", 4)
        vectors = ((position, "position"), (velocity, "velocity"), (spin, "spin"))
        at, moving, turning = (_arrays.vector(values, what) for values, what in vectors)
        return self._world.add_body(name, body, at, turned, moving, turning)

    def add_particles(self, positions: ArrayLike, radii: ArrayLike, velocities: ArrayLike | None = None) -> Ints:
        """Add spheres; return their ids."""
        points = _arrays.points(positions, "positions")
        rates = np.zeros_like(points) if velocities is None else _arrays.points(velocities, "velocities")
        first, end = self._world.add_particles(points, _arrays.per_point(radii, "radii", len(points)), rates)
        return np.arange(first, end)

    def remove_particles(self, ids: ArrayLike) -> None:
        """Remove particles by their ids."""
        numbers = _arrays.indices(np.reshape(ids, (-1, 1)), "ids", 1)[:, 0]
        if len(numbers) and not (0 <= numbers.min() and numbers.max() < 2**32):
            raise ValueError("ids: there is no such particle")
        self._world.remove_particles(numbers.tolist())

    def remove_body(self, body: int) -> None:
        """Remove a rigid body. Its index is not used again."""
        if body < 0:
            raise ValueError(f"body {body}: no such body")
        self._world.remove_body(body)

    def step(
        self,
        count: int = 1,
        dt: float | None = None,
        *,
        forces: ArrayLike | None = None,
        body_forces: Mapping[int, ArrayLike] | None = None,
        body_torques: Mapping[int, ArrayLike] | None = None,
    ) -> None:
        """Run steps.

        Parameters
        ----------
        count : int, optional
            Number of steps.
        dt : float, optional
            Length of a step; by default 0.9 of the longest stable one.
        forces : (n, 3) array_like, optional
            A force on each particle during these steps, in the order of `particles`.
        body_forces, body_torques : mapping of int to (3,) array_like, optional
            Forces at the origins of rigid bodies and torques on them, during these steps.

        Notes
        -----
        Forces act from the middle of the first step to the middle of the step after the last: velocity Verlet begins a
        step with half a kick by the forces at the end of the step before. Their impulse is count * dt times the force.

        Raises
        ------
        RuntimeError
            The simulation became unstable, or bodies passed through each other.
        """
        if count < 0:
            raise ValueError("the number of steps is not negative")
        length = 0.9 * self.stable_step if dt is None else float(dt)
        if not np.isfinite(length):
            raise ValueError("nothing limits the step; give dt")
        pushed = None if forces is None else _arrays.points(forces, "forces")
        rows = []
        for body in {**(body_forces or {}), **(body_torques or {})}:
            force = (body_forces or {}).get(body, (0.0, 0.0, 0.0))
            torque = (body_torques or {}).get(body, (0.0, 0.0, 0.0))
            if body < 0:
                raise ValueError(f"body {body}: no such body")
            rows.append((body, _arrays.vector(force, "force"), _arrays.vector(torque, "torque")))
        self._world.step(int(count), length, (pushed, rows))

    @property
    def time(self) -> float:
        """The simulated time, s."""
        return self._world.time()

    @property
    def stable_step(self) -> float:
        """The longest stable step, s; infinite if nothing limits it."""
        return self._world.stable_step()

    @property
    def notes(self) -> list[str]:
        """Notes about unexpected properties of the scene."""
        return self._world.notes()

    @property
    def particles(self) -> Particles:
        """The particles now."""
        return Particles(*self._world.particles())

    @property
    def bodies(self) -> Bodies:
        """The rigid bodies now."""
        positions, rotations, velocities, spins = self._world.bodies()
        return Bodies(positions, rotations.reshape(-1, 3, 3), velocities, spins)

    def solid(self, index: int = 0) -> tuple[Floats, Floats]:
        """Return positions and velocities of the nodes of an elastic solid."""
        if index < 0:
            raise ValueError(f"solid {index}: no such solid")
        return self._world.solid(index)

    @property
    def contacts(self) -> NDArray[np.void]:
        """The contacts of the last step: a structured array of dtype `FORCE`."""
        ids, point, normal, force, depth = self._world.contacts()
        found, kinds = np.empty(len(ids), dtype=FORCE), np.array(KINDS)
        found["kind_a"], found["a"] = kinds[ids[:, 0]], ids[:, 1]
        found["kind_b"], found["b"] = kinds[ids[:, 2]], ids[:, 3]
        found["point"], found["normal"], found["force"], found["depth"] = point, normal, force, depth
        return found

    def name(self, kind: str, index: int) -> str:
        """Return the name of an object, as messages use it."""
        if kind not in KINDS or index < 0:
            raise ValueError(f"{kind} {index}: no such object")
        return self._world.name(KINDS.index(kind), index)

    @property
    def energy(self) -> Energy:
        """The energies now."""
        return Energy(*self._world.energy())

    def save(self) -> bytes:
        """Return the complete state; a world with the same objects restored to it continues with the same bytes."""
        return self._world.save()

    def restore(self, state: bytes) -> None:
        """Restore a state that `save` returned."""
        self._world.restore(bytes(state))


def run(
    scene: str | os.PathLike[str] | Mapping[str, Any],
    folder: str | os.PathLike[str],
    *,
    start: str = "new",
    progress: bool | Callable[[Progress], object] = True,
) -> bool:
    """Run a scene to its end and write its frames, tables and checkpoints, as the command does.

    Parameters
    ----------
    scene : path or dict
        See `World`.
    folder : path
        The folder of the run.
    start : {"new", "resume", "force"}, optional
        How to treat an existing run in the folder: fail, continue, or start over.
    progress : bool or callable, optional
        Show a bar, in a terminal or a notebook, or call a function up to ten times a second.

    Returns
    -------
    bool
        Whether the end was reached. Ctrl-C stops the run with a checkpoint and raises `KeyboardInterrupt`.

    Examples
    --------
    >>> import impinge, tempfile
    >>> scene = {"gravity": [0, 0, -9.81], "run": {"duration": 0.01}}
    >>> scene["wall"] = [{"point": [0, 0, 0], "normal": [0, 0, 1]}]
    >>> scene["particles"] = [{"count": 5, "radius": 0.01, "region": {"box": {"min": [0, 0, 0.1], "max": [0.2, 0.2, 0.3]}}}]
    >>> impinge.run(scene, tempfile.mkdtemp(), progress=False)
    True
    """
    path, text = _scene(scene)
    bar = _Bar() if progress is True else None
    callback = bar if bar is not None else progress if callable(progress) else None
    call = None if callback is None else lambda *report: callback(Progress(*report))
    ended = False
    try:
        ended = _impinge.run(str(path), text, os.fspath(folder), start, call)
        return ended
    finally:
        if bar is not None:
            bar.close(ended)


class _Bar:
    """A progress bar on standard error; a notebook shows the same characters."""

    def __init__(self) -> None:
        self._shown = ""

    def __call__(self, news: Progress) -> None:
        self._show(news.step / max(1, news.steps), f"{news.time:.4g} s, {news.contacts} contacts")

    def close(self, ended: bool) -> None:
        """Leave the line, full if the run has ended."""
        if not self._shown:
            return
        if ended:
            self._show(1.0, "")
        print(file=sys.stderr)

    def _show(self, part: float, about: str) -> None:
        bar = ("#" * round(30 * part)).ljust(30, ".")
        line = f"[{bar}] {part:6.1%}  {about}"
        # Spaces overwrite what was longer.
        print("\r" + line.ljust(len(self._shown)), end="", file=sys.stderr, flush=True)
        self._shown = line


def _scene(scene: str | os.PathLike[str] | Mapping[str, Any]) -> tuple[Path, str]:
    """Return the path of a scene, relative to which its meshes are, and its text."""
    if isinstance(scene, Mapping):
        return Path.cwd() / "scene.toml", _toml(scene)
    path = Path(scene)
    return path.absolute(), path.read_text(encoding="utf-8")


def _toml(scene: Mapping[str, Any]) -> str:
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in scene.items() if value is not None)


def _key(key: str) -> str:
    if not isinstance(key, str):
        raise TypeError(f"a key of a scene is a string, not {key!r}")
    return _quoted(key)


def _quoted(text: str) -> str:
    escaped = "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in text)
    return f'"{escaped}"'


def _value(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return {"inf": "inf", "-inf": "-inf", "nan": "nan"}.get(repr(float(value)), repr(float(value)))
    if isinstance(value, (str, os.PathLike)):
        return _quoted(os.fspath(value) if isinstance(value, os.PathLike) else value)
    if isinstance(value, Mapping):
        inner = (f"{_key(key)} = {_value(item)}" for key, item in value.items() if item is not None)
        return "{" + ", ".join(inner) + "}"
    if isinstance(value, (Sequence, np.ndarray)):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    raise TypeError(f"a scene cannot contain {type(value).__name__}")
