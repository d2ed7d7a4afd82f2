"""Shared bodies and random numbers."""

from __future__ import annotations

import numpy as np
import pytest

import impinge


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(20)


@pytest.fixture(scope="session")
def foam() -> impinge.Mesh:
    return impinge.shapes.foam(6000, 1)


@pytest.fixture(scope="session")
def ball() -> impinge.Mesh:
    return impinge.shapes.icosphere(3)
