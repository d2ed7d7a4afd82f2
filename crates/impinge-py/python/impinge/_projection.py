"""Projection onto finite-element faces, and node-to-surface contact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _impinge
from ._mesh import as_mesh
from ._types import Floats, Ints

__all__ = ["NodeContacts", "Projected", "Projection", "contacts"]


@dataclass(frozen=True)
class Projected:
    """Closest points of a body's faces."""

    faces: Ints
    """(n,) array of faces: indices into `Projection.faces`."""
    local: Floats
    """(n, 2) array of natural coordinates on the face."""
    points: Floats
    """(n, d) array of the closest points."""
    normals: Floats
    """(n, d) array of unit vectors out of the body: the projected point is ``points + gaps * normals``."""
    gaps: Floats
    """(n,) array of signed distances, negative inside."""
    on: NDArray[np.int8]
    """(n,) array: 0 in the interior of a face, 1 on an edge, 2 on a vertex."""
    status: NDArray[np.int8]
    """(n,) array: 0 the closest point is proven and unique, 1 there are several, 2 it is uncertain by `errors`."""
    errors: Floats
    """(n,) array: the true distance is at least ``abs(gaps) - errors``."""


@dataclass(frozen=True)
class NodeContacts(Projected):
    """Nodes of one body and their closest points on the other."""

    nodes: Ints
    """(n,) array of nodes, ascending."""


class Projection:
    """The curved faces of a finite-element body, prepared for closest-point projection.

    The faces are the boundary of solid elements, or the surface elements themselves. A mesh of flat elements at z = 0
    is a body of the plane and bounded by lines; its points have two coordinates.

    Parameters
    ----------
    mesh : Mesh or convertible
    flat : bool, optional
        Whether flat elements at z = 0 are a body of the plane (default) or a surface in space.

    Examples
    --------
    >>> import impinge
    >>> brick = impinge.Projection(impinge.shapes.brick((2, 2, 2), (1, 1, 1), "hex20"))
    >>> brick.project([[0.5, 0.5, 1.25], [0.5, 0.5, 0.9]]).gaps.round(12)
    array([ 0.25, -0.1 ])
    """

    def __init__(self, mesh: Any, *, flat: bool = True) -> None:
        self.mesh = as_mesh(mesh)
        self._projection = _impinge.Projection(self.mesh._mesh, bool(flat))

    @property
    def dimension(self) -> int:
        """2 for a body of the plane, otherwise 3."""
        return self._projection.dimension()

    @property
    def faces(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The kind and the nodes of each face."""
        return tuple((kind, tuple(nodes)) for kind, nodes in self._projection.faces())

    def update(self, points: ArrayLike) -> None:
        """Move the nodes of the body; the tree of its faces is refitted."""
        self._projection.update(_arrays.points(points, "points", self.dimension))

    def project(self, points: ArrayLike) -> Projected:
        """Find the closest points of the faces.

        Parameters
        ----------
        points : (n, d) array_like
        """
        return Projected(*self._projection.project(_arrays.queries(points, "points", self.dimension)[0]))

    def self_contacts(self, within: float = 0.0, depth: float = np.inf) -> NodeContacts:
        """Find the nodes of the body that touch its own surface.

        Parameters
        ----------
        within : float
            Largest gap to report.
        depth : float
            Largest depth to report; less than the thinnest part of the body.
        """
        nodes, projected = self._projection.self_contacts(float(within), float(depth))
        return NodeContacts(*projected, nodes=nodes)


def contacts(a: Any, b: Any, within: float = 0.0, depth: float = np.inf) -> tuple[NodeContacts, NodeContacts]:
    """Find node-to-surface contacts of two bodies, in both directions.

    Parameters
    ----------
    a, b : Projection, or a mesh to make one of
    within : float, optional
        Largest gap to report; 0 for touching and overlapping only.
    depth : float, optional
        Largest depth to report.

    Returns
    -------
    of_a, of_b : NodeContacts
        Nodes of `a` on faces of `b`, and nodes of `b` on faces of `a`.

    Examples
    --------
    >>> import impinge, numpy as np
    >>> brick = impinge.shapes.brick((2, 2, 2), (1, 1, 1))
    >>> up = np.eye(4); up[:3, 3] = 0.25, 0.25, 0.9
    >>> of_a, of_b = impinge.contacts(brick, brick.transform(up))
    >>> of_b.nodes, of_b.gaps.round(12)
    (array([0, 1, 2, 3]), array([-0.1, -0.1, -0.1, -0.1]))
    """
    first = a if isinstance(a, Projection) else Projection(a)
    second = b if isinstance(b, Projection) else Projection(b)
    options = float(within), float(depth)
    of_a, on_b = second._projection.contacts(first._projection, *options)
    of_b, on_a = first._projection.contacts(second._projection, *options)
    return NodeContacts(*on_b, nodes=of_a), NodeContacts(*on_a, nodes=of_b)
