"""Points inside a surface."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _impinge
from ._errors import MeshWarning
from ._mesh import as_mesh
from ._types import Floats

__all__ = ["Inside"]


class Inside:
    """A surface prepared to locate points.

    For a closed surface the answer is exact: whether a point is inside, outside or on the surface does not depend on
    rounding. With `open`, the surface may have holes, and a point is inside where the winding number exceeds one half.

    Parameters
    ----------
    mesh : Mesh or convertible
        See `as_mesh`.
    open : bool, optional
        Accept a surface with holes.

    Raises
    ------
    MeshError
        The surface is not closed and `open` is False.

    Examples
    --------
    >>> import impinge
    >>> ball = impinge.Inside(impinge.shapes.icosphere(4))
    >>> ball.contains([[0, 0, 0.5], [0, 0, 1.5]])
    array([ True, False])
    """

    def __init__(self, mesh: Any, *, open: bool = False) -> None:
        self.mesh = as_mesh(mesh)
        self._inside = _impinge.Inside(self.mesh._mesh, bool(open))
        if not open:
            note = self.mesh._mesh.closing_note()
            if note is not None:
                warnings.warn(note, MeshWarning, stacklevel=2)

    def locate(self, points: ArrayLike) -> NDArray[np.int8]:
        """Return 1 for points inside, 0 for points on the surface and -1 for points outside.

        Parameters
        ----------
        points : (n, 3) or (3,) array_like

        Returns
        -------
        (n,) array of int8, or a single number

        Examples
        --------
        >>> import impinge
        >>> cube = impinge.Inside(impinge.shapes.box((1, 1, 1)))
        >>> cube.locate([[0, 0, 0], [0.5, 0, 0], [0.6, 0, 0]])
        array([ 1,  0, -1], dtype=int8)
        """
        array, single = _arrays.queries(points)
        found = self._inside.locate(array)
        return found[0] if single else found

    def contains(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Return whether points are inside or on the surface.

        Parameters
        ----------
        points : (n, 3) or (3,) array_like

        Returns
        -------
        (n,) array of bool, or a single one

        Examples
        --------
        >>> import impinge
        >>> impinge.Inside(impinge.shapes.torus(2.0, 0.5)).contains([2.0, 0.0, 0.1])
        np.True_
        """
        return self.locate(points) >= 0

    def winding_number(self, points: ArrayLike) -> Floats:
        """Return the winding number of the surface about points.

        For a closed surface it is a whole number off the surface: 1 inside, 0 outside. For a surface with holes it varies smoothly between these values.

        Examples
        --------
        >>> import impinge
        >>> ball = impinge.shapes.icosphere(4)
        >>> bowl = impinge.Mesh(ball.vertices, ball.faces[ball.vertices[ball.faces].mean(axis=1)[:, 2] < 0])
        >>> impinge.Inside(bowl, open=True).winding_number([[0, 0, -0.5], [0, 0, 0], [0, 0, 0.5]]).round(2)
        array([0.72, 0.49, 0.27])
        """
        array, single = _arrays.queries(points)
        found = self._inside.winding_numbers(array)
        return found[0] if single else found

    def __repr__(self) -> str:
        return f"<impinge.Inside of {self.mesh!r}>"
