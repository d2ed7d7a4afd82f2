"""trimesh's inside test, distances and collisions, with its names, arguments and sign conventions.

Changing one import is enough:

=============================================  ================================================
trimesh                                        here
=============================================  ================================================
``mesh.contains(points)``                      ``contains(mesh, points)``
``trimesh.proximity.signed_distance``          ``signed_distance``
``trimesh.proximity.closest_point``            ``closest_point``
``trimesh.proximity.ProximityQuery``           ``ProximityQuery``
``trimesh.collision.CollisionManager``         ``CollisionManager``
``trimesh.collision.scene_to_collision``       ``scene_to_collision``
=============================================  ================================================

Differences: positions of points are exact, distances are signed by them, depths of bodies that are not convex are true
depths, and a body inside another collides with it. Faces without area are ignored. trimesh itself is not needed.

Examples
--------
>>> import impinge
>>> from impinge.trimesh import CollisionManager, signed_distance
>>> ball = impinge.shapes.icosphere(4)
>>> signed_distance(ball, [[0, 0, 0.5], [0, 0, 2]]).round(3)
array([ 0.499, -1.   ])
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _impinge
from ._bodies import Closest, Pair
from ._errors import MeshError
from ._mesh import Mesh, as_mesh
from ._nearest import Nearest
from ._types import Floats, Ints

__all__ = [
    "CollisionManager",
    "ContactData",
    "DistanceData",
    "ProximityQuery",
    "closest_point",
    "contains",
    "scene_to_collision",
    "signed_distance",
]

_EXTERNAL = "__external"


class _Prepared:
    """A mesh without its degenerate faces, and the structures built from it."""

    def __init__(self, source: Any) -> None:
        mesh = as_mesh(source)
        corners = mesh.vertices[mesh.faces]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        kept = np.flatnonzero((normals != 0).any(axis=1))
        self.faces: Ints | None = None
        if len(kept) < len(corners):
            mesh, self.faces = Mesh(mesh.vertices, mesh.faces[kept]), kept
        self.mesh = mesh
        self._nearest: Nearest | None = None
        self._inside: _impinge.Inside | None = None

    @property
    def nearest(self) -> Nearest:
        if self._nearest is None:
            self._nearest = Nearest(self.mesh)
        return self._nearest

    @property
    def inside(self) -> _impinge.Inside:
        """Exact for a closed surface; by winding number for others, for which trimesh defines no inside."""
        if self._inside is None:
            try:
                self._inside = _impinge.Inside(self.mesh._mesh, False)
            except MeshError:
                self._inside = _impinge.Inside(self.mesh._mesh, True)
        return self._inside

    def face(self, index: Ints) -> Ints:
        return index if self.faces is None else self.faces[index]


def _prepared(source: Any) -> _Prepared:
    """Prepare a mesh once. A trimesh object keeps it until its vertices or faces change."""
    cache = getattr(source, "_cache", None)
    if cache is None or not hasattr(cache, "verify"):
        return _Prepared(source)
    cache.verify()
    found = cache.cache.get("impinge")
    if not isinstance(found, _Prepared):
        found = cache.cache["impinge"] = _Prepared(source)
    return found


def contains(mesh: Any, points: ArrayLike) -> NDArray[np.bool_]:
    """Return whether points are inside the mesh or on its surface.

    Parameters
    ----------
    mesh : trimesh.Trimesh or convertible
        See `impinge.as_mesh`.
    points : (n, 3) array_like

    Returns
    -------
    (n,) array of bool

    Examples
    --------
    >>> import impinge
    >>> from impinge.trimesh import contains
    >>> contains(impinge.shapes.icosphere(3), [[0, 0, 0], [1, 1, 1]])
    array([ True, False])
    """
    return _prepared(mesh).inside.locate(_arrays.points(points)) >= 0


def closest_point(mesh: Any, points: ArrayLike) -> tuple[Floats, Floats, Ints]:
    """Return the closest points of the mesh, their distances and their triangles.

    Of several triangles that share the closest point, the one that faces the query point most is returned.

    Parameters
    ----------
    mesh : trimesh.Trimesh or convertible
    points : (n, 3) array_like

    Returns
    -------
    closest : (n, 3) array
    distance : (n,) array
    triangle_id : (n,) array of int

    Examples
    --------
    >>> import impinge
    >>> from impinge.trimesh import closest_point
    >>> closest, distance, triangle = closest_point(impinge.shapes.box((1, 1, 1)), [[0, 0, 2]])
    >>> closest, distance
    (array([[0. , 0. , 0.5]]), array([1.5]))
    """
    prepared = _prepared(mesh)
    closest, distance, triangle = prepared.nearest._nearest.nearest(_arrays.points(points), True)
    return closest, distance, prepared.face(triangle)


def signed_distance(mesh: Any, points: ArrayLike) -> Floats:
    """Return the distances of points from the mesh: positive inside, negative outside.

    Parameters
    ----------
    mesh : trimesh.Trimesh or convertible
    points : (n, 3) array_like

    Examples
    --------
    >>> import impinge
    >>> from impinge.trimesh import signed_distance
    >>> signed_distance(impinge.shapes.box((1, 1, 1)), [[0, 0, 0.4], [0, 0, 2]]).round(12)
    array([ 0.1, -1.5])
    """
    prepared, array = _prepared(mesh), _arrays.points(points)
    distances = prepared.nearest._nearest.distances(array)
    distances[prepared.inside.locate(array) < 0] *= -1.0
    return distances


class ProximityQuery:
    """Distance queries of one mesh, like trimesh's ``mesh.nearest``.

    Examples
    --------
    >>> import impinge
    >>> from impinge.trimesh import ProximityQuery
    >>> ProximityQuery(impinge.shapes.icosphere(3)).vertex([[0, 0, 2]])[0]
    array([1.])
    """

    def __init__(self, mesh: Any) -> None:
        self._mesh = mesh

    def on_surface(self, points: ArrayLike) -> tuple[Floats, Floats, Ints]:
        """Return closest points, distances and triangles; see `closest_point`."""
        return closest_point(self._mesh, points)

    def signed_distance(self, points: ArrayLike) -> Floats:
        """Return signed distances; see the function `signed_distance`."""
        return signed_distance(self._mesh, points)

    def vertex(self, points: ArrayLike) -> tuple[Floats, Ints]:
        """Return the distances to the closest vertices, and these vertices."""
        queries = _arrays.points(points)
        vertices = _prepared(self._mesh).mesh.vertices
        distances, nearest = np.zeros(len(queries)), np.zeros(len(queries), dtype=np.int64)
        rows = max(1, 4_000_000 // max(1, len(vertices)))
        for start in range(0, len(queries), rows):
            some = slice(start, start + rows)
            squares = ((queries[some, None] - vertices[None]) ** 2).sum(axis=2)
            nearest[some] = squares.argmin(axis=1)
            distances[some] = np.sqrt(squares.min(axis=1))
        return distances, nearest


class ContactData:
    """A contact of two objects."""

    def __init__(self, names: tuple[Hashable, Hashable], faces: tuple[int, int], found: Closest) -> None:
        self.names = set(names)
        self._faces = dict(zip(names, faces))
        self._found = found

    @property
    def normal(self) -> Floats:
        """Unit vector from the first object to the second."""
        return self._found.normal

    @property
    def point(self) -> Floats:
        """The point between the two bodies' deepest points."""
        return 0.5 * (self._found.on_a + self._found.on_b)

    @property
    def depth(self) -> float:
        """The penetration depth: the length of the shortest separating translation that was found."""
        return max(0.0, -self._found.gap)

    def index(self, name: Hashable) -> int:
        """Return a face of the object with this name that is in contact."""
        return self._faces[name]


class DistanceData:
    """The distance of two objects."""

    def __init__(self, names: tuple[Hashable, Hashable], faces: tuple[int, int], found: Closest) -> None:
        self.names = set(names)
        self._faces = dict(zip(names, faces))
        self._points = dict(zip(names, (found.on_a, found.on_b)))
        self._distance = found.gap

    @property
    def distance(self) -> float:
        """The distance; negative where the objects overlap."""
        return self._distance

    def index(self, name: Hashable) -> int:
        """Return the closest face of the object with this name."""
        return self._faces[name]

    def point(self, name: Hashable) -> Floats:
        """Return the closest point of the object with this name."""
        return self._points[name]


class _Objects:
    """Meshes and their poses, by name; the extension module identifies them by number."""

    def __init__(self) -> None:
        self.collisions = _impinge.Collisions()
        self.bodies: dict[Hashable, _Prepared] = {}
        self.numbers: dict[Hashable, int] = {}
        self.names: list[Hashable] = []
        self._unused: list[int] = []

    def add(self, name: Hashable, mesh: Any, transform: ArrayLike | None) -> None:
        body = _prepared(mesh)
        number = self.numbers.get(name)
        if number is None:
            number = self._unused[-1] if self._unused else len(self.names)
        self.collisions.set(number, body.mesh._mesh, None if transform is None else _matrix(transform))
        if name not in self.numbers:
            if self._unused:
                self._unused.pop()
                self.names[number] = name
            else:
                self.names.append(name)
        self.bodies[name], self.numbers[name] = body, number

    def remove(self, name: Hashable) -> None:
        number = self.numbers.pop(name)
        self.collisions.remove(number)
        self._unused.append(number)
        del self.bodies[name]

    def pose(self, name: Hashable) -> Floats:
        return self.collisions.pose(self.numbers[name])

    def bounds(self, names: Iterable[Hashable]) -> tuple[Floats, Floats]:
        """Return the lower and upper corners of the boxes around objects."""
        return self.collisions.bounds([self.numbers[name] for name in names])


def _matrix(transform: ArrayLike) -> Floats:
    if type(transform) is np.ndarray and transform.shape == (4, 4) and transform.flags.c_contiguous:
        if transform.dtype == np.float64:
            return transform
    matrix = _arrays.floats(transform, "transform")
    if matrix.shape != (4, 4):
        raise ValueError("transform must be (4,4)!")
    return matrix


class CollisionManager:
    """Objects that are tested against each other, like trimesh's, without python-fcl.

    Trees are kept with the meshes and the last touching faces with each pair, so that moving objects are cheap to test
    again. Pairs are tested on all cores.

    Examples
    --------
    >>> import impinge, numpy as np
    >>> from impinge.trimesh import CollisionManager
    >>> manager, ball, away = CollisionManager(), impinge.shapes.icosphere(3), np.eye(4)
    >>> away[0, 3] = 1.9
    >>> manager.add_object("still", ball)
    >>> manager.add_object("moved", ball, away)
    >>> manager.in_collision_internal(return_names=True)
    (True, {('moved', 'still')})
    """

    def __init__(self) -> None:
        self._objects = _Objects()
        self._pairs: dict[tuple[Hashable, Hashable], Pair] = {}

    def add_object(self, name: Hashable, mesh: Any, transform: ArrayLike | None = None) -> None:
        """Add an object, or replace the one of this name.

        Parameters
        ----------
        name : hashable
        mesh : trimesh.Trimesh or convertible
        transform : (4, 4) array_like, optional
            Rotation and translation.
        """
        self._objects.add(name, mesh, transform)
        self._forget(name)

    def remove_object(self, name: Hashable) -> None:
        """Remove an object."""
        self._known(name)
        self._forget(name)
        self._objects.remove(name)

    def set_transform(self, name: Hashable, transform: ArrayLike) -> None:
        """Move an object."""
        self._objects.collisions.place(self._known(name), _matrix(transform))

    def _known(self, name: Hashable) -> int:
        number = self._objects.numbers.get(name)
        if number is None:
            raise ValueError(f"{name} not in collision manager!")
        return number

    def _forget(self, name: Hashable) -> None:
        for names in [names for names in self._pairs if name in names]:
            del self._pairs[names]

    def in_collision_single(
        self,
        mesh: Any,
        transform: ArrayLike | None = None,
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Test an object against all objects of the manager.

        Returns
        -------
        is_collision : bool
        names : set
            If `return_names`: the objects that it collides with.
        contacts : list of ContactData
            If `return_data`: one for each of them.
        """
        others = _Objects()
        others.add(_EXTERNAL, mesh, transform)
        found = self._touching(others)
        return self._answer({a for a, _ in found}, others, found, return_names, return_data)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Test all pairs of objects.

        Returns
        -------
        is_collision : bool
        names : set of tuple
            If `return_names`: the pairs that collide, each in alphabetical order.
        contacts : list of ContactData
            If `return_data`: one for each of them.
        """
        names = self._objects.names
        texts = [str(name) for name in names]
        pairs = self._objects.collisions.touching().tolist()
        ordered = {(names[a], names[b]) if texts[a] <= texts[b] else (names[b], names[a]) for a, b in pairs}
        found = [(names[a], names[b]) for a, b in pairs] if return_data else []
        return self._answer(ordered, self._objects, found, return_names, return_data)

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Test the objects of this manager against those of another.

        Returns
        -------
        is_collision : bool
        names : set of tuple
            If `return_names`: the pairs that collide, with the object of this manager first.
        contacts : list of ContactData
            If `return_data`: one for each of them.
        """
        others = other_manager._objects
        found = self._touching(others)
        return self._answer(set(found), others, found, return_names, return_data)

    def _touching(self, others: _Objects) -> list[tuple[Hashable, Hashable]]:
        """Return the names of the objects of this manager and of others that touch."""
        first, second = self._objects.names, others.names
        pairs = self._objects.collisions.touching_other(others.collisions)
        return [(first[a], second[b]) for a, b in pairs.tolist()]

    def _answer(
        self,
        names: set[Any],
        others: _Objects,
        found: Iterable[tuple[Hashable, Hashable]],
        return_names: bool,
        return_data: bool,
    ) -> Any:
        answer: tuple[Any, ...] = (bool(names),)
        if return_names:
            answer += (names,)
        if return_data:
            answer += ([self._contact(others, pair) for pair in found],)
        return answer if len(answer) > 1 else answer[0]

    def _contact(self, others: _Objects, names: tuple[Hashable, Hashable]) -> ContactData:
        found = self._closest(others, names)
        return ContactData(names, self._faces(others, names, found), found)

    def _closest(self, others: _Objects, names: tuple[Hashable, Hashable]) -> Closest:
        """Measure the distance of an object of this manager and one of another; pairs within a manager are cached."""
        a, b = names
        pair = self._pairs.get(names) if others is self._objects else None
        if pair is None:
            pair = Pair(self._objects.bodies[a].mesh, others.bodies[b].mesh)
            if others is self._objects:
                self._pairs[names] = pair
        return pair.distance(self._objects.pose(a), others.pose(b))

    def _faces(self, others: _Objects, names: tuple[Hashable, Hashable], found: Closest) -> tuple[int, int]:
        """Return a face at each of the closest points."""
        a, b = names
        return (
            _face(self._objects.bodies[a], found.feature_a),
            _face(others.bodies[b], found.feature_b),
        )

    def min_distance_single(
        self,
        mesh: Any,
        transform: ArrayLike | None = None,
        return_name: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Return the least distance of an object from those of the manager; negative where it overlaps.

        Returns
        -------
        distance : float
        name : hashable
            If `return_name`: the closest object.
        data : DistanceData
            If `return_data`.
        """
        others = _Objects()
        others.add(_EXTERNAL, mesh, transform)
        pairs: list[tuple[Hashable, Hashable]] = [(name, _EXTERNAL) for name in self._objects.numbers]
        names, data = self._least(others, pairs)
        return _answered(data, names[0], return_name, return_data)

    def min_distance_internal(
        self, name: Hashable | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Return the least distance between objects, or between one and the others.

        Returns
        -------
        distance : float
        names : tuple
            If `return_names`: the closest objects in alphabetical order.
        data : DistanceData
            If `return_data`.
        """
        every = list(self._objects.numbers)
        if name is None:
            pairs = [(a, b) for i, a in enumerate(every) for b in every[i + 1 :]]
        else:
            self._known(name)
            pairs = [(name, other) for other in every if other != name]
        names, data = self._least(self._objects, pairs)
        return _answered(data, _sorted(names), return_names, return_data)

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Return the least distance between objects of this and of another manager.

        Returns
        -------
        distance : float
        names : tuple
            If `return_names`: the closest objects, that of this manager first.
        data : DistanceData
            If `return_data`.
        """
        others = other_manager._objects
        pairs = [(a, b) for a in self._objects.numbers for b in others.numbers]
        names, data = self._least(others, pairs)
        return _answered(data, names, return_names, return_data)

    def _least(
        self, others: _Objects, pairs: list[tuple[Hashable, Hashable]]
    ) -> tuple[tuple[Hashable, Hashable], DistanceData]:
        """Find the closest pair, in the order of the distances of their boxes, which are lower bounds."""
        if not pairs:
            raise ValueError("there are no two objects to measure between")
        low_a, up_a = self._objects.bounds(a for a, _ in pairs)
        low_b, up_b = others.bounds(b for _, b in pairs)
        gaps = np.maximum(np.maximum(low_b - up_a, 0.0), low_a - up_b)
        bounds = np.linalg.norm(gaps, axis=1)
        best: tuple[int, Closest] | None = None
        for at in np.argsort(bounds, kind="stable").tolist():
            # Overlapping boxes give no bound of the depth.
            if best is not None and bounds[at] > max(best[1].gap, 0.0):
                break
            found = self._closest(others, pairs[at])
            if best is None or found.gap < best[1].gap:
                best = at, found
        assert best is not None, "there is a pair"
        at, found = best
        return pairs[at], DistanceData(pairs[at], self._faces(others, pairs[at], found), found)


def _answered(data: DistanceData, names: Any, return_names: bool, return_data: bool) -> Any:
    answer: tuple[Any, ...] = (data.distance,)
    if return_names:
        answer += (names,)
    if return_data:
        answer += (data,)
    return answer if len(answer) > 1 else answer[0]


def _sorted(names: tuple[Hashable, Hashable]) -> tuple[Hashable, Hashable]:
    a, b = names
    return (a, b) if str(a) <= str(b) else (b, a)


def _face(body: _Prepared, feature: tuple[str, tuple[int, ...]]) -> int:
    """Return a face that contains a feature."""
    kind, nodes = feature
    face = nodes[0]
    if kind != "face":
        has = np.isin(body.mesh.faces, nodes).sum(axis=1) >= len(nodes)
        face = int(np.argmax(has))
    return int(body.face(np.array([face]))[0])


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[Hashable, Any]]:
    """Return a manager of the objects of a trimesh scene, and these objects by name."""
    manager, objects = CollisionManager(), {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        manager.add_object(node, scene.geometry[geometry], transform)
        objects[node] = manager._objects.bodies[node]
    return manager, objects
