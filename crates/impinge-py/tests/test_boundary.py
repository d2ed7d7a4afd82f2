"""Invalid and unusual input: the right answer or an exception that names the item, never a panic or a wrong result."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import hypothesis.extra.numpy as arrays
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import impinge
import impinge.trimesh

POINTS = np.array([[0.1, 0.2, 0.3], [0.9, 0.9, 0.9], [0.0, 0.0, 0.5]])
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


class Frame:
    """What a pandas frame looks like to numpy."""

    def __array__(self, dtype=None, copy=None):
        return np.array(POINTS, dtype=dtype)


def same_points():
    wide = np.zeros((3, 6))
    wide[:, ::2] = POINTS
    read_only = POINTS.copy()
    read_only.flags.writeable = False
    return {
        "list": POINTS.tolist(),
        "tuple": tuple(map(tuple, POINTS)),
        "fortran": np.asfortranarray(POINTS),
        "strided": wide[:, ::2],
        "reversed": POINTS[::-1][::-1],
        "big-endian": POINTS.astype(">f8"),
        "read-only": read_only,
        "masked without mask": np.ma.array(POINTS),
        "object": POINTS.astype(object),
        "frame": Frame(),
        "subclass": POINTS.view(np.recarray).view(np.matrix),
        "longdouble": POINTS.astype(np.longdouble),
    }


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("layout", list(same_points()))
def test_every_layout_of_the_same_points_gives_the_same_answer(ball, layout):
    given_ = same_points()[layout]
    expected = impinge.Nearest(ball).query(POINTS)
    found = impinge.Nearest(ball).query(given_)
    assert (found.points == expected.points).all() and (found.faces == expected.faces).all()
    assert (impinge.Inside(ball).locate(given_) == impinge.Inside(ball).locate(POINTS)).all()
    assert impinge.query_pairs(given_, 0.4).tolist() == impinge.query_pairs(POINTS, 0.4).tolist()


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.int8, np.uint64, np.bool_, np.float16])
def test_other_numbers_are_converted(ball, dtype):
    points = np.array([[0, 0, 0], [1, 1, 1]]).astype(dtype)
    assert impinge.Inside(ball).contains(points).tolist() == [True, False]


@pytest.mark.parametrize(
    ("points", "error", "message"),
    [
        ([[0, 0, np.nan]], ValueError, "point 0"),
        ([[0, 0, 0], [0, np.inf, 0]], ValueError, "point 1"),
        ([[0, 0]], ValueError, r"\(n, 3\)"),
        (np.zeros((2, 2, 3)), ValueError, r"\(n, 3\)"),
        (np.zeros((3, 0)), ValueError, r"\(n, 3\)"),
        (5.0, ValueError, r"\(n, 3\)"),
        ([[1j, 0, 0]], TypeError, "real numbers"),
        ([["a", "b", "c"]], TypeError, "real numbers"),
        (None, TypeError, "real numbers"),
        ([[0, 0, 0], [0, 0]], ValueError, "points"),
        (np.ma.array(POINTS, mask=[[0, 0, 0], [0, 1, 0], [0, 0, 0]]), ValueError, "row 1 is masked"),
        (np.array([["2020-01-01"] * 3], dtype="M8[D]"), TypeError, "real numbers"),
    ],
)
def test_points_that_are_none_are_refused_with_the_row(ball, points, error, message):
    for ask in (impinge.Inside(ball).locate, impinge.Nearest(ball).query, impinge.Inside(ball).winding_number):
        with pytest.raises(error, match=message):
            ask(points)


@pytest.mark.parametrize(
    ("vertices", "faces", "kind"),
    [
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 3]], "index-out-of-range"),
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, -1]], "index-out-of-range"),
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2**40]], "index-out-of-range"),
        ([[0, 0, 0], [1, 0, 0], [0, np.nan, 0]], [[0, 1, 2]], "not-finite"),
        ([[0, 0, 0], [1, 0, 0], [0, 1e61, 0]], [[0, 1, 2]], "not-finite"),
        (np.zeros((0, 3)), np.zeros((0, 3), int), "empty"),
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [], "empty"),
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 1]], "repeated-node"),
        ([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]], "zero-area"),
    ],
)
def test_meshes_that_are_none_are_refused_with_the_item(vertices, faces, kind):
    for use in (impinge.Inside, impinge.Nearest):
        with pytest.raises(impinge.MeshError) as caught:
            use(impinge.Mesh(vertices, faces))
        assert caught.value.kind == kind and caught.value.count == 1


def test_faces_must_be_integers_with_three_or_four_corners(ball):
    with pytest.raises(TypeError, match="integers"):
        impinge.Mesh(ball.vertices, ball.faces.astype(float))
    with pytest.raises(ValueError, match="3 or 4"):
        impinge.Mesh(ball.vertices, [[0, 1]])
    with pytest.raises(ValueError, match="unknown element kind"):
        impinge.Mesh(ball.vertices, cells=[("hexagon", [[0, 1, 2]])])
    with pytest.raises(ValueError, match="4 nodes"):
        impinge.Mesh(ball.vertices, cells=[("tet4", [[0, 1, 2]])])
    unsigned = impinge.Mesh(ball.vertices, ball.faces.astype(">u4"))
    assert (unsigned.faces == ball.faces).all()


numbers = st.floats(width=64) | st.sampled_from([0.0, -0.0, 1e-320, 1e60, 1.1e60, 1e308, np.nan, np.inf])
tables = arrays.arrays(np.float64, st.tuples(st.integers(0, 12), st.integers(0, 4)), elements=numbers)
poses = arrays.arrays(np.float64, st.sampled_from([(3,), (7,), (4, 4), (2,), (3, 3)]), elements=numbers)
corners = arrays.arrays(np.int64, st.tuples(st.integers(0, 12), st.integers(0, 5)), elements=st.integers(-2, 14))


def answers_or_names(call):
    """Runs a call that may refuse its input but must not fail in another way."""
    try:
        return call()
    except (ValueError, TypeError, IndexError, RuntimeError):
        return None


@QUICK
@given(tables, corners, tables)
def test_arbitrary_meshes_and_points_are_answered_or_refused(vertices, faces, points):
    mesh = answers_or_names(lambda: impinge.Mesh(vertices, faces))
    if mesh is None:
        return
    mesh.report(), mesh.is_closed, mesh.weld(), mesh.flip()
    for use in (impinge.Inside, lambda m: impinge.Inside(m, open=True)):
        prepared = answers_or_names(lambda: use(mesh))
        if prepared is not None:
            found = answers_or_names(lambda: prepared.locate(points))
            assert found is None or np.isin(found, [-1, 0, 1]).all()
            windings = answers_or_names(lambda: prepared.winding_number(points))
            assert windings is None or np.isfinite(windings).all()
    nearest = answers_or_names(lambda: impinge.Nearest(mesh))
    if nearest is not None:
        found = answers_or_names(lambda: nearest.query(points))
        assert found is None or (np.isfinite(found.points).all() and (found.distances >= 0).all())
    projection = answers_or_names(lambda: impinge.Projection(mesh))
    if projection is not None:
        found = answers_or_names(lambda: projection.project(points))
        assert found is None or np.isfinite(found.gaps).all()


@QUICK
@given(tables, numbers | arrays.arrays(np.float64, st.integers(0, 12), elements=numbers), numbers | st.none())
def test_arbitrary_spheres_are_paired_or_refused(points, radii, box):
    pairs = answers_or_names(lambda: impinge.query_pairs(points, radii, box))
    if pairs is not None:
        assert pairs.shape[1] == 2 and (pairs[:, 0] < pairs[:, 1]).all()


@QUICK
@given(tables, tables, poses)
def test_arbitrary_hulls_and_poses_are_measured_or_refused(a, b, pose):
    hulls = [answers_or_names(lambda: impinge.Convex(points)) for points in (a, b)]
    if None not in hulls:
        found = answers_or_names(lambda: impinge.distance(*hulls, pose_b=pose))
        assert found is None or np.isfinite(found.gap)


rigid = arrays.arrays(np.float64, 7, elements=st.floats(-3, 3))


@QUICK
@given(st.lists(st.tuples(st.sampled_from(["sphere", "hull", "mesh", "wall"]), tables, rigid | poses), max_size=5), numbers)
def test_arbitrary_scenes_are_searched_or_refused(bodies, margin):
    scene, detector = impinge.Scene(), answers_or_names(lambda: impinge.Detector(margin=margin))
    if detector is None:
        return
    for kind, table, pose in bodies:
        size = float(np.abs(table).max()) if table.size else 1.0
        shape = {
            "sphere": lambda: impinge.Sphere(size),
            "hull": lambda: impinge.Convex(table),
            "mesh": lambda: impinge.Mesh(table, [[0, 1, 2]]),
            "wall": lambda: impinge.HalfSpace(pose[:3], table[0] if len(table) else pose[:3]),
        }[kind]
        answers_or_names(lambda: scene.add(shape(), pose if kind != "wall" else None))
    if answers_or_names(lambda: detector.step(scene) or True):
        contacts = detector.contacts
        assert np.isfinite(contacts["gap"]).all() and (contacts["a"] <= contacts["b"]).all()


@QUICK
@given(st.lists(st.tuples(rigid, st.booleans()), min_size=2, max_size=6), poses)
def test_arbitrary_objects_of_a_manager_collide_as_their_pairs_do(placed, wrong):
    ball = impinge.shapes.icosphere(1)
    manager, kept = impinge.trimesh.CollisionManager(), {}
    for name, (pose, again) in enumerate(placed):
        matrix = answers_or_names(lambda: impinge._arrays.pose(pose))
        if matrix is None:
            continue
        manager.add_object(name, ball, np.eye(4) if again else matrix)
        if again:
            manager.set_transform(name, matrix)
        answers_or_names(lambda: manager.set_transform(name, np.resize(wrong, (4, 4)) + np.eye(4) * 3))
        kept[name] = matrix
    expected = {
        (a, b) for a in kept for b in kept if a < b and impinge.collide(ball, ball, kept[a], kept[b])
    }
    assert manager.in_collision_internal(return_names=True)[1] == expected


@QUICK
@given(tables, arrays.arrays(np.int64, st.tuples(st.integers(0, 8), st.integers(3, 5)), elements=st.integers(-1, 12)))
def test_arbitrary_tetrahedra_are_searched_or_refused(points, tets):
    hits = answers_or_names(lambda: impinge.self_hits(points, tets, depths=True))
    if hits is not None and len(hits):
        assert np.isfinite(hits.points).all() and (hits.depths >= 0).all()


@QUICK
@given(tables, tables, corners)
def test_arbitrary_motions_of_meshes_are_searched_or_refused(start, end, faces):
    mesh = answers_or_names(lambda: impinge.MovingMesh(faces, start, end))
    if mesh is not None:
        impact = answers_or_names(lambda: mesh.first_impact())
        assert impact is None or 0 <= impact.time <= impact.latest <= 1


def test_objects_are_used_from_several_threads(foam, random):
    points = random.uniform(-1, 1, (30_000, 3))
    inside, nearest, pairs = impinge.Inside(foam), impinge.Nearest(foam), impinge.Pairs()
    expected = inside.locate(points), nearest.distance(points), pairs.update(points, 0.01)
    wrong = []

    def ask():
        for _ in range(3):
            same = (inside.locate(points) == expected[0]).all() and (nearest.distance(points) == expected[1]).all()
            if not (same and (pairs.update(points, 0.01) == expected[2]).all()):
                wrong.append(1)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong


def test_objects_that_change_are_used_from_several_threads(ball):
    """Pairs, managers, scenes, detectors and worlds are locked: each call answers as if it were alone."""
    pair, manager = impinge.Pair(ball, ball), impinge.trimesh.CollisionManager()
    square = impinge.Convex([[0, 0], [1, 0], [1, 1], [0, 1]])
    flat = impinge.Pair(square, square)
    scene, detector, world = impinge.Scene(), impinge.Detector(), impinge.World()
    for i in range(20):
        place = np.eye(4)
        place[0, 3] = 1.9 * i
        manager.add_object(i, ball, place)
        scene.add(impinge.Sphere(1.0), [1.9 * i, 0, 0])
    expected = manager.in_collision_internal(return_names=True)
    projection, points = impinge.Projection(ball), 1.5 * ball.vertices
    gaps = projection.project(points).gaps
    wrong = []

    def ask():
        try:
            for i in range(30):
                if abs(pair.distance(None, [3.0 + i, 0, 0]).gap - 1.0 - i) > 0.02:
                    wrong.append("pair")
                if abs(flat.distance(None, [2.0 + i, 0]).gap - 1.0 - i) > 1e-12:
                    wrong.append("flat")
                manager.set_transform(0, np.eye(4))
                if manager.in_collision_internal(return_names=True) != expected:
                    wrong.append("manager")
                if not (projection.project(points).gaps == gaps).all():
                    wrong.append("projection")
                projection.update(ball.vertices)
                if len(projection.self_contacts(1e-3, 0.1).nodes) != 0:
                    wrong.append("self-contact")
                detector.step(scene, 0.1 * i)
                if len(detector.contacts) != 19:
                    wrong.append("detector")
                world.step(1, dt=1e-4)
        except Exception as error:
            wrong.append(repr(error))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong
    assert world.time == pytest.approx(120e-4)


def test_the_interpreter_runs_while_a_call_works(foam, random):
    points = random.uniform(-1, 1, (400_000, 3))
    nearest, ticks, done = impinge.Nearest(foam), [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    nearest.distance(points)
    done.set()
    thread.join()
    assert len(ticks) > 10


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Unix signals")
def test_ctrl_c_interrupts_a_long_call():
    program = """if True:
        import impinge, numpy as np, signal, sys
        nearest = impinge.Nearest(impinge.shapes.foam(20000))
        points = np.random.default_rng(1).uniform(-9, 9, (6_000_000, 3))
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        try:
            nearest.distance(points)
        except KeyboardInterrupt:
            sys.exit(42)
    """
    assert subprocess.run([sys.executable, "-c", program], timeout=300).returncode == 42


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
@pytest.mark.filterwarnings("ignore")
def test_a_forked_process_has_threads_of_its_own(foam, random):
    points = random.uniform(-1, 1, (5000, 3))
    inside = impinge.Inside(foam)
    expected = int(inside.contains(points).sum())
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(_count, [(foam, points)] * 2).get(timeout=120)
    assert found == [expected] * 2


def _count(task):
    mesh, points = task
    return int(impinge.Inside(mesh).contains(points).sum())


def test_the_command_is_part_of_the_package():
    run = lambda *arguments: subprocess.run(
        [sys.executable, "-m", "impinge", *arguments], capture_output=True, text=True, timeout=120
    )
    shown = run("--help")
    assert shown.returncode == 0 and "Usage: impinge" in shown.stdout
    assert run("info", "no-such-file.stl").returncode == 2
    assert run("frobnicate").returncode == 2
    script = os.path.join(os.path.dirname(sys.executable), "impinge")
    assert subprocess.run([script, "--version"], capture_output=True, timeout=120).returncode == 0
