"""Conversion of what users pass to the arrays that the extension module takes: once, here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._types import Floats, Ints


_F64 = np.dtype(np.float64)


def floats(values: ArrayLike, name: str) -> Floats:
    """Return a contiguous array of float64; the same array if it is one already."""
    array = _unmasked(values, name)
    if array.dtype.kind not in "fiub":
        array = _numbers(array, name)
    # Unlike `ascontiguousarray`, this keeps a single number a single number.
    return np.asarray(array, dtype=np.float64, order="C")


def _numbers(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Convert an object array of numbers, such as a column of a data frame."""
    if array.dtype.kind != "O":
        raise TypeError(f"{name}: an array of real numbers is needed, not of {array.dtype}")
    if any(x is None for x in array.flat):
        raise TypeError(f"{name}: an array of real numbers is needed, not None")
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}: an array of real numbers is needed: {error}") from None


def _unmasked(values: ArrayLike, name: str) -> NDArray[Any]:
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(values)
        if mask.any():
            first = int(np.argwhere(mask)[0][0]) if mask.ndim else 0
            raise ValueError(f"{name}: row {first} is masked")
        return np.asarray(values.data)
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name}: rows differ in length: {error}") from None


def points(values: ArrayLike, name: str = "points", columns: int = 3) -> Floats:
    """Return an (n, columns) array of coordinates."""
    if (
        type(values) is np.ndarray
        and values.dtype is _F64
        and values.ndim == 2
        and values.shape[1] == columns
        and values.flags.c_contiguous
    ):
        return values
    array = floats(values, name)
    if array.size == 0 and array.ndim < 2:
        return array.reshape(0, columns)
    if array.ndim != 2 or array.shape[1] != columns:
        raise ValueError(f"{name}: an array of shape (n, {columns}) is needed, not {array.shape}")
    return array


def any_dimension(values: ArrayLike, name: str = "points") -> Floats:
    """Return an (n, 2) or (n, 3) array of coordinates."""
    array = floats(values, name)
    if array.size == 0 and array.ndim < 2:
        return array.reshape(0, 3)
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ValueError(f"{name}: an array of shape (n, 2) or (n, 3) is needed, not {array.shape}")
    return array


def queries(values: ArrayLike, name: str = "points", columns: int = 3) -> tuple[Floats, bool]:
    """Return an (n, columns) array, and whether a single point was given."""
    if type(values) is np.ndarray and values.ndim == 2:
        return points(values, name, columns), False
    array = floats(values, name)
    if array.shape == (columns,):
        return array.reshape(1, columns), True
    return points(array, name, columns), False


def vector(values: ArrayLike, name: str, length: int = 3) -> list[float]:
    """Return a vector as numbers."""
    array = floats(values, name)
    if array.shape != (length,):
        raise ValueError(f"{name}: {length} numbers are needed, not an array of shape {array.shape}")
    return [float(x) for x in array]


def per_point(values: ArrayLike, name: str, count: int) -> Floats:
    """Return one number for each point; a single number stands for all."""
    array = floats(values, name)
    if array.ndim == 0:
        return np.full(count, float(array))
    if array.shape != (count,):
        raise ValueError(f"{name}: one number, or {count} of them, are needed, not shape {array.shape}")
    return array


def indices(values: ArrayLike, name: str, columns: int | None) -> Ints:
    """Return an (n, columns) array of node numbers."""
    array = _unmasked(values, name)
    if array.size == 0 and array.ndim < 2:
        return np.zeros((0, columns or 0), dtype=np.int64)
    if array.dtype.kind == "O":
        array = _whole(array, name)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: an array of integers is needed, not of {array.dtype}")
    if array.ndim != 2 or (columns is not None and array.shape[1] != columns):
        wanted = "(n, m)" if columns is None else f"(n, {columns})"
        raise ValueError(f"{name}: an array of shape {wanted} is needed, not {array.shape}")
    return np.ascontiguousarray(array, dtype=np.int64)


def _whole(array: NDArray[Any], name: str) -> NDArray[Any]:
    try:
        if all(isinstance(x, (int, np.integer)) for x in array.flat):
            return array.astype(np.int64)
    except OverflowError:
        raise ValueError(f"{name}: a number is beyond 64 bits") from None
    raise TypeError(f"{name}: an array of integers is needed")


def pose(value: ArrayLike | None, name: str = "pose") -> Floats | None:
    """Return a pose as a 4 x 4 matrix: None, a position, a position and a quaternion x, y, z, w, or a matrix."""
    if value is None:
        return None
    array = floats(value, name)
    if array.shape == (4, 4):
        return array
    matrix = np.eye(4)
    if array.shape == (3,):
        matrix[:3, 3] = array
    elif array.shape == (7,):
        matrix[:3, :3] = _rotation(array[3:], name)
        matrix[:3, 3] = array[:3]
    else:
        raise ValueError(
            f"{name}: a position (3 numbers), with a quaternion (7 numbers) or a 4 x 4 matrix is needed, "
            f"not shape {array.shape}"
        )
    return matrix


def plane_pose(value: ArrayLike | None, name: str = "pose") -> Floats | None:
    """Return a pose in the plane as a 3 x 3 matrix: None, a position, a position and an angle, or a matrix."""
    if value is None:
        return None
    array = floats(value, name)
    if array.shape == (3, 3):
        return array
    if array.shape not in ((2,), (3,)):
        raise ValueError(
            f"{name}: a position (2 numbers), with an angle (3 numbers) or a 3 x 3 matrix is needed, not shape {array.shape}"
        )
    angle = float(array[2]) if len(array) == 3 else 0.0
    if not np.isfinite(angle):
        raise ValueError(f"{name}: the angle is not finite")
    sin, cos = np.sin(angle), np.cos(angle)
    return np.array([[cos, -sin, array[0]], [sin, cos, array[1]], [0.0, 0.0, 1.0]])


def _rotation(quaternion: Floats, name: str) -> Floats:
    largest = float(np.abs(quaternion).max())
    if not np.isfinite(quaternion).all() or largest == 0.0:
        raise ValueError(f"{name}: the quaternion is zero or not finite")
    x, y, z, w = quaternion / largest / np.linalg.norm(quaternion / largest)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def lazily(build: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """Return a read-only array, so that it can be shared."""
    array = build()
    array.flags.writeable = False
    return array
