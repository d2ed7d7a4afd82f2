"""Exceptions and warnings."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["FileError", "MeshError", "MeshWarning"]


class MeshError(ValueError):
    """A mesh or shape that cannot be used.

    Attributes
    ----------
    kind : str
        The kind of problem, such as ``"open-edge"`` or ``"index-out-of-range"``.
    item : str
        What `first` counts: ``"triangle"``, ``"point"``, ``"edge"``, ...
    first : int, tuple of int, or None
        The first offending item: an index, the two nodes of an edge, an element and its side, or None for the
        shape as a whole.
    count : int
        The number of offending items.

    Examples
    --------
    >>> import impinge
    >>> ball = impinge.shapes.icosphere(1)
    >>> try:
    ...     impinge.Inside(impinge.Mesh(ball.vertices, ball.faces[1:]))
    ... except impinge.MeshError as error:
    ...     print(error.kind, error.item, error.first, error.count)
    open-edge edge (0, 12) 3
    """

    def __init__(self, message: str, kind: str, item: str, first: Sequence[int], count: int) -> None:
        super().__init__(message)
        self.kind = kind
        self.item = item
        self.first: int | tuple[int, ...] | None
        if len(first) == 1:
            self.first = first[0]
        else:
            self.first = tuple(first) or None
        self.count = count

    def __reduce__(self) -> tuple[type[MeshError], tuple[str, str, str, tuple[int, ...], int]]:
        first = self.first
        items = () if first is None else (first,) if isinstance(first, int) else first
        return type(self), (str(self), self.kind, self.item, items, self.count)


class FileError(ValueError):
    """A file that is malformed or of an unsupported format. The message gives the position."""


class MeshWarning(UserWarning):
    """A mesh was modified before use, for example flipped, or a part of a file was not read."""
