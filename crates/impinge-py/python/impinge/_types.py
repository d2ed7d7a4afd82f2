"""Types of the arguments and results of the extension module."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.int8]
Blocks: TypeAlias = list[tuple[str, Ints]]
Fields: TypeAlias = list[tuple[str, NDArray[Any]]]
Counts: TypeAlias = list[tuple[str, int]]
Found: TypeAlias = tuple[float, Floats, Floats, Floats, list[float], list[tuple[str, list[int]]]]
ProjectedPoints: TypeAlias = tuple[Ints, Floats, Floats, Floats, Floats, Bytes, Bytes, Floats]
PairLists: TypeAlias = tuple[Ints, tuple[Ints, Ints] | None]
HitColumns: TypeAlias = tuple[Ints, Ints, Ints, Ints, NDArray[np.bool_]]
DeepColumns: TypeAlias = tuple[Floats, Floats, Floats]
ForecastEvent: TypeAlias = tuple[str, float, float, bool, list[int], list[int] | None, list[float] | None]
MeshImpact: TypeAlias = tuple[float, float, bool, str, list[int], list[int]]
Rates: TypeAlias = tuple[list[list[float]], float]
ContactColumns: TypeAlias = tuple[Ints, Floats, Floats, Floats, Floats, Floats, Floats]
ParticleColumns: TypeAlias = tuple[Ints, Floats, Floats, Floats, Floats]
BodyColumns: TypeAlias = tuple[Floats, Floats, Floats, Floats]
ForceColumns: TypeAlias = tuple[Ints, Floats, Floats, Floats, Floats]
Push: TypeAlias = tuple[Floats | None, list[tuple[int, list[float], list[float]]]]
