"""Overlapping pairs of many spheres or boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from . import _arrays, _impinge
from ._types import Floats, Ints

__all__ = ["Changes", "Pairs", "query_box_pairs", "query_pairs"]


@dataclass(frozen=True)
class Changes:
    """Pairs that began and ended between two calls of `Pairs.update`."""

    began: Ints
    """(n, 2) array of the pairs that overlap now and did not before."""
    ended: Ints
    """(n, 2) array of the pairs that overlapped before and do not now."""


def query_pairs(
    points: ArrayLike,
    radii: ArrayLike,
    box: float | Sequence[float | None] | None = None,
) -> Ints:
    """Find all pairs of spheres that overlap or touch.

    Parameters
    ----------
    points : (n, 2) or (n, 3) array_like
        Centres.
    radii : (n,) array_like or float
        Radius of each sphere, or one for all. Points within a distance d of each other are spheres of radius d / 2.
    box : float or sequence, optional
        Length of the periodic box on each axis; None for an axis that is not periodic.

    Returns
    -------
    (m, 2) array of int
        Pairs (i, j) with i < j, sorted.

    Examples
    --------
    >>> import impinge
    >>> impinge.query_pairs([[0, 0], [1.5, 0], [9, 0]], 1.0)
    array([[0, 1]])
    >>> impinge.query_pairs([[0, 0], [1.5, 0], [9, 0]], 1.0, box=10.0)
    array([[0, 1],
           [0, 2]])
    """
    centres = _arrays.any_dimension(points, "points")
    pairs = _impinge.Pairs(_lengths(box, centres.shape[1]), False)
    return pairs.spheres(centres, _arrays.per_point(radii, "radii", len(centres)))[0]


def query_box_pairs(
    lower: ArrayLike,
    upper: ArrayLike,
    box: float | Sequence[float | None] | None = None,
) -> Ints:
    """Find all pairs of axis-aligned boxes that overlap or touch.

    Parameters
    ----------
    lower, upper : (n, 2) or (n, 3) array_like
        Corners of the boxes.
    box : float or sequence, optional
        Length of the periodic box on each axis; None for an axis that is not periodic.

    Examples
    --------
    >>> import impinge
    >>> impinge.query_box_pairs([[0, 0], [1, 1], [5, 5]], [[1, 1], [2, 2], [6, 6]])
    array([[0, 1]])
    """
    corners = _arrays.any_dimension(lower, "lower")
    pairs = _impinge.Pairs(_lengths(box, corners.shape[1]), False)
    return pairs.boxes(corners, _arrays.points(upper, "upper", corners.shape[1]))[0]


class Pairs:
    """Pairs of moving spheres or boxes, with a list of neighbours kept from step to step.

    While bodies move little, a step only tests pairs that were close before. The result is the same as that of
    `query_pairs`.

    Parameters
    ----------
    dimension : int, optional
        2 or 3.
    box : float or sequence, optional
        Length of the periodic box on each axis; None for an axis that is not periodic.

    Examples
    --------
    >>> import impinge, numpy as np
    >>> points, pairs = np.array([[0.0, 0, 0], [3, 0, 0]]), impinge.Pairs()
    >>> len(pairs.update(points, 1.0))
    0
    >>> pairs.update(points - [[0, 0, 0], [1.5, 0, 0]], 1.0), pairs.changes.began
    (array([[0, 1]]), array([[0, 1]]))
    """

    changes: Changes
    """Changes of the last update."""

    def __init__(self, dimension: int = 3, box: float | Sequence[float | None] | None = None) -> None:
        if dimension not in (2, 3):
            raise ValueError(f"the dimension is 2 or 3, not {dimension}")
        self.dimension = dimension
        self._pairs = _impinge.Pairs(_lengths(box, dimension), True)
        nothing = np.zeros((0, 2), dtype=np.int64)
        self.changes = Changes(nothing, nothing)

    def update(self, points: ArrayLike, radii: ArrayLike) -> Ints:
        """Return the overlapping pairs of spheres in their new positions; see `query_pairs`."""
        centres = _arrays.points(points, "points", self.dimension)
        pairs, changes = self._pairs.spheres(centres, _arrays.per_point(radii, "radii", len(centres)))
        if changes is not None:
            self.changes = Changes(*changes)
        return pairs

    def update_boxes(self, lower: ArrayLike, upper: ArrayLike) -> Ints:
        """Return the overlapping pairs of boxes in their new positions; see `query_box_pairs`."""
        low, up = (_arrays.points(x, name, self.dimension) for x, name in ((lower, "lower"), (upper, "upper")))
        pairs, changes = self._pairs.boxes(low, up)
        if changes is not None:
            self.changes = Changes(*changes)
        return pairs


def _lengths(box: float | Sequence[float | None] | None, dimension: int) -> list[float | None]:
    if box is None:
        return [None] * dimension
    if isinstance(box, (int, float, np.number)):
        return [float(box)] * dimension
    lengths = [None if length is None else float(length) for length in box]
    if len(lengths) != dimension:
        raise ValueError(f"box: {dimension} lengths are needed, not {len(lengths)}")
    return lengths
