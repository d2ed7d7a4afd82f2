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


def test_forces_from_numpy_carry_particles_and_bodies():
    world = impinge.World()
    world.add_particles([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0]], 0.01)
    body = world.add_body(impinge.Convex(impinge.shapes.box((0.1, 0.1, 0.1)).vertices), [5, 0, 1])
    weight = 2500 * 4 / 3 * np.pi * 0.01**3 * 9.81
    world.step(100, dt=1e-4, forces=[[0, 0, weight], [0, 0, 0]], body_forces={body: [0, 0, 2500 * 0.001 * 9.81]})
    # The first half kick of the first step is without the new forces.
    carried, fallen = 1 - 0.5 * 9.81 * 1e-4 * 0.01, 1 - 0.5 * 9.81 * 0.01**2
    assert np.allclose(world.particles.positions[:, 2], [carried, fallen], rtol=1e-12)
    assert np.allclose(world.bodies.positions[0], [5, 0, carried], rtol=1e-12)

    world.step(1, dt=1e-4, body_torques={body: [0, 0, 1.0]})
    assert world.bodies.spins[0, 2] > 0
    for wrong in ({"forces": [[0, 0, 1]]}, {"body_forces": {7: [0, 0, 1]}}, {"body_forces": {body: [np.nan, 0, 0]}}):
        with pytest.raises((ValueError, RuntimeError)):
            world.step(1, dt=1e-4, **wrong)


def test_a_restored_world_continues_with_the_same_bytes():
    def made():
        world = impinge.World()
        world.add_wall(FLOOR)
        world.add_particles(np.random.default_rng(3).uniform([0, 0, 0.05], [0.2, 0.2, 0.4], (60, 3)), 0.008)
        return world

    world = made()
    world.step(300)
    state = world.save()
    world.step(300)
    again = made()
    again.restore(state)
    again.step(300)
    assert again.time == world.time
    assert again.particles.positions.tobytes() == world.particles.positions.tobytes()
    with pytest.raises(ValueError):
        again.restore(b"nothing")


def test_a_scene_and_code_give_the_same_world_and_contacts_are_named():
    scene = {
        "gravity": [0, 0, -9.81],
        "run": {"duration": 1},
        "material": [{"name": "stone", "density": 2500, "young": 1e7}],
        "wall": [{"name": "ground", "point": [0, 0, 0], "normal": [0, 0, 1]}],
        "body": [{"shape": {"box": [0.2, 0.2, 0.1]}, "position": [0, 0, 0.0499]}],
    }
    world = impinge.World(scene)
    world.step(20)
    kinds = {(c["kind_a"], c["kind_b"]) for c in world.contacts}
    assert kinds == {("body", "wall")}
    assert world.name("wall", 0) == "ground"
    assert abs(world.bodies.positions[0, 2] - 0.05) < 1e-3


def test_a_run_reports_its_progress_and_resumes(tmp_path):
    scene = {"run": {"duration": 0.02, "output": 0.005}, "particles": [{"count": 4, "radius": 0.01}]}
    scene["particles"][0]["region"] = {"box": {"min": [0, 0, 0.1], "max": [0.2, 0.2, 0.3]}}
    news = []
    assert impinge.run(scene, tmp_path / "out", progress=news.append)
    assert (tmp_path / "out" / "history.csv").exists()
    with pytest.raises((ValueError, RuntimeError, OSError)):
        impinge.run(scene, tmp_path / "out", progress=False)
    assert impinge.run(scene, tmp_path / "out", start="resume", progress=False)
    assert impinge.run(scene, tmp_path / "out", start="force", progress=False)


def test_the_bar_of_a_run_ends_full_or_where_it_was_stopped(capsys):
    from impinge._world import Progress, _Bar

    fields = {name: 0 for name in Progress.__dataclass_fields__}
    for ended, last in ((True, "100.0%"), (False, " 50.0%")):
        bar = _Bar()
        bar(Progress(**(fields | {"step": 5, "steps": 10, "time": 0.5, "contacts": 123456})))
        bar.close(ended)
        shown = capsys.readouterr().err
        assert shown.startswith("\r[") and shown.endswith("\n") and last in shown.split("\r")[-1]
    _Bar().close(True)
    assert capsys.readouterr().err == ""
