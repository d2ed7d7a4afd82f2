"""Worlds made in code and from scenes."""

from __future__ import annotations

import numpy as np
import pytest

import impinge

FLOOR = impinge.HalfSpace([0, 0, 0], [0, 0, 1])


def test_a_sphere_comes_to_rest_with_its_weight_on_the_floor():
    world = impinge.World()
    world.add_wall(FLOOR)
    world.add_particles([[0.0, 0.0, 0.012]], 0.01)
    world.step(20_000)

    assert abs(world.particles.positions[0, 2] - 0.01) < 1e-4
    (contact,) = world.contacts
    assert (contact["kind_a"], contact["kind_b"]) == ("particle", "wall")
    weight = 2500 * 4 / 3 * np.pi * 0.01**3 * 9.81
    assert np.allclose(contact["force"], [0, 0, -weight], rtol=1e-3)


def test_a_free_sphere_falls_as_galileo_says():
    world = impinge.World()
    world.add_particles([[0.0, 0.0, 1.0]], 0.01)
    world.step(1000, dt=1e-4)
    assert np.isclose(world.particles.positions[0, 2], 1 - 0.5 * 9.81 * 0.1**2, rtol=1e-12)
    assert np.isclose(world.particles.velocities[0, 2], -0.981, rtol=1e-12)


def test_an_unknown_key_of_a_scene_is_named():
    with pytest.raises((ValueError, RuntimeError), match="gravitty"):
        impinge.World({"gravitty": [0, 0, -9.81], "run": {"duration": 1}})


def test_a_scene_that_is_not_there_is_an_error():
    with pytest.raises(OSError, match="nowhere.toml"):
        impinge.World("nowhere.toml")
