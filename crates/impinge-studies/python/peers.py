"""impinge beside the Python packages that people use today: CPU time from numpy to numpy on one thread, answers compared.

    python peers.py [--scale 0.1]

Peers that are not installed are left out, and said so: trimesh with scipy, rtree and embreex; open3d; freud-analysis;
python-fcl. `--scale` multiplies the numbers of points.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "RAYON_NUM_THREADS", "OPENBLAS_NUM_THREADS", "TBB_NUM_THREADS"):
    os.environ[name] = "1"

import argparse
import importlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import impinge
import impinge.trimesh as drop_in

Timed = tuple[float, Any]


def timed(call: Callable[[], Any], repeat: int = 1) -> Timed:
    """The least CPU time of a call, and its result."""
    best = np.inf
    for _ in range(repeat):
        start = time.process_time()
        result = call()
        best = min(best, time.process_time() - start)
    return best, result


def module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"  {name} is not installed: left out")
        return None


def row(what: str, own: float, peer: str, other: float, wrong: str) -> None:
    print(f"  {what:<34} impinge {own:9.4f} s   {peer:<22} {other:9.4f} s   {other / own:7.1f} x   {wrong}")


def inside(mesh: impinge.Mesh, count: int) -> None:
    points = np.random.default_rng(1).uniform(*mesh.bounds, (count, 3))
    prepared = impinge.Inside(mesh)
    own, truth = timed(lambda: prepared.contains(points), 3)
    trimesh = module("trimesh")
    if trimesh is not None:
        body = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
        body.contains(points[:10])
        other, found = timed(lambda: body.contains(points))
        engine = type(body.ray).__module__.split(".")[-1]
        row(f"contains, {count} points", own, f"trimesh ({engine})", other, f"{np.sum(found != truth)} differ")


def who_is_right(mesh: impinge.Mesh, points: Any, own: Any, other: Any) -> str:
    """Decides where two signed distances differ: all triangles, in extended precision."""
    differ = np.flatnonzero(np.abs(own[: len(points)] - other) > 1e-9)
    corners = mesh.vertices[mesh.faces].astype(np.longdouble)
    right = [0, 0]
    for i in differ:
        distance, is_inside = by_all_triangles(corners - points[i])
        true = distance if is_inside else -distance
        for k, found in enumerate((own[i], other[i])):
            right[k] += bool(abs(found - true) <= 1e-9)
    return f"{len(differ)} differ; by all triangles impinge is right in {right[0]}, the peer in {right[1]}"


def by_all_triangles(corners: Any) -> tuple[float, bool]:
    """The distance of the origin from triangles, and whether their winding number about it is 1."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    dot = lambda u, v: (u * v).sum(axis=1)
    la, lb, lc = (np.sqrt(dot(u, u)) for u in (a, b, c))
    angles = np.arctan2(dot(a, np.cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb)

    # On the plane if the foot is within the triangle, otherwise on an edge.
    normal = np.cross(b - a, c - a)
    square = dot(normal, normal)
    within = np.ones(len(a), dtype=bool)
    nearest = np.full(len(a), np.inf, dtype=np.longdouble)
    for start, end in ((a, b), (b, c), (c, a)):
        edge = end - start
        within &= dot(np.cross(edge, -start), normal) >= 0
        share = np.clip(-dot(start, edge) / dot(edge, edge), 0, 1)[:, None]
        nearest = np.minimum(nearest, dot(start + share * edge, start + share * edge))
    nearest = np.where(within, dot(a, normal) ** 2 / square, nearest)
    return float(np.sqrt(nearest.min())), bool(angles.sum() > np.pi)


def distances(mesh: impinge.Mesh, count: int) -> None:
    random = np.random.default_rng(2)
    corners = mesh.vertices[mesh.faces[random.integers(len(mesh.faces), size=count)]]
    weights = random.dirichlet([1, 1, 1], count)
    points = np.einsum("ij,ijk->ik", weights, corners) + random.normal(0, 0.01, (count, 3))
    prepared = impinge.Nearest(mesh)
    prepared.signed_distance(points[:10])
    own, truth = timed(lambda: prepared.signed_distance(points), 3)
    open3d = module("open3d")
    if open3d is not None:
        scene = open3d.t.geometry.RaycastingScene(nthreads=1)
        vertices = open3d.core.Tensor(mesh.vertices.astype(np.float32))
        scene.add_triangles(vertices, open3d.core.Tensor(mesh.faces.astype(np.uint32)))
        query = open3d.core.Tensor(points.astype(np.float32))
        other, found = timed(lambda: scene.compute_signed_distance(query, nthreads=1).numpy())
        wrong = np.sum(np.sign(found) != np.sign(truth))
        row(f"signed distance, {count} near points", own, "Open3D (f32)", other, f"{wrong} signs differ")
    trimesh = module("trimesh")
    if trimesh is not None:
        few = points[: max(1, count // 50)]
        body = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
        trimesh.proximity.signed_distance(body, few[:10])
        other, found = timed(lambda: trimesh.proximity.signed_distance(body, few))
        row("signed distance", own, f"trimesh ({len(few)} x 50)", other * count / len(few), who_is_right(mesh, few, -truth, found))


def closest(mesh: impinge.Mesh, count: int) -> None:
    points = np.random.default_rng(3).uniform(*(1.1 * mesh.bounds), (count, 3))
    own, (_, truth, _) = timed(lambda: drop_in.closest_point(mesh, points), 2)
    trimesh = module("trimesh")
    if trimesh is not None:
        few = points[: max(1, count // 50)]
        body = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
        trimesh.proximity.closest_point(body, few[:10])
        other, (_, found, _) = timed(lambda: trimesh.proximity.closest_point(body, few))
        wrong = np.sum(np.abs(found - truth[: len(few)]) > 1e-9)
        row(f"closest_point, {count} (with set-up)", own, f"trimesh ({len(few)} x 50)", other * count / len(few), f"{wrong} differ")


def pairs(count: int) -> None:
    points = np.random.default_rng(4).uniform(0, 1, (count, 3))
    length = (3.0 / (4 * np.pi * count) * 8) ** (1 / 3)  # some eight neighbours each
    own, truth = timed(lambda: impinge.query_pairs(points, length / 2), 3)
    scipy = module("scipy.spatial")
    if scipy is not None:
        other, found = timed(lambda: scipy.cKDTree(points).query_pairs(length, output_type="ndarray"))
        found = np.sort(found, axis=1)
        same = len(found) == len(truth) and (found[np.lexsort(found.T[::-1])] == truth).all()
        row(f"query_pairs, {count} points", own, "scipy cKDTree", other, "the same" if same else "different")
    freud = module("freud")
    if freud is not None:
        freud.parallel.set_num_threads(1)
        box = freud.box.Box(10, 10, 10)

        def query() -> Any:
            lists = freud.locality.AABBQuery(box, points.astype(np.float32) - 0.5)
            return lists.query(points - 0.5, {"r_max": length, "exclude_ii": True}).toNeighborList()

        other, found = timed(query)
        row("query_pairs", own, "freud AABBQuery (f32)", other, f"{len(found) // 2 - len(truth):+} pairs")


def collisions(steps: int) -> None:
    ring, count = impinge.shapes.torus(0.5, 0.2, (32, 16)), 200
    trimesh, fcl = module("trimesh"), module("fcl")
    random = np.random.default_rng(5)
    start, velocity = random.uniform(-2.5, 2.5, (count, 3)), random.normal(0, 0.02, (count, 3))

    def simulate(manager: Any, mesh: Any) -> list[int]:
        pose, found = np.tile(np.eye(4), (count, 1, 1)), []
        pose[:, :3, 3] = start
        for i in range(count):
            manager.add_object(str(i), mesh, pose[i])
        for _ in range(steps):
            pose[:, :3, 3] += velocity
            for i in range(count):
                manager.set_transform(str(i), pose[i])
            found.append(len(manager.in_collision_internal(return_names=True)[1]))
        return found

    own, truth = timed(lambda: simulate(drop_in.CollisionManager(), ring))
    if trimesh is not None and fcl is not None:
        body = trimesh.Trimesh(ring.vertices, ring.faces, process=False)
        other, found = timed(lambda: simulate(trimesh.collision.CollisionManager(), body))
        same = sum(a != b for a, b in zip(found, truth))
        row(f"CollisionManager, 200 x {len(ring.faces)}, {steps} steps", own, "python-fcl", other, f"{same} steps differ")


def overhead(mesh: impinge.Mesh) -> None:
    point, calls = np.array([[0.3, 0.2, 0.8]]), 20_000
    for name, call in (("Inside.locate", impinge.Inside(mesh).locate), ("Nearest.distance", impinge.Nearest(mesh).distance)):
        seconds, _ = timed(lambda: [call(point) for _ in range(calls)], 3)
        print(f"  a call of {name} with one point: {1e6 * seconds / calls:.2f} us")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=1.0)
    scale = parser.parse_args().scale
    impinge.set_threads(1)
    foam = impinge.shapes.foam(121_000, 1)
    print(f"foam of {len(foam.faces)} faces, one thread, CPU time")
    inside(foam, int(1_000_000 * scale))
    distances(foam, int(1_000_000 * scale))
    closest(foam, int(500_000 * scale))
    pairs(int(1_000_000 * scale))
    collisions(max(1, int(50 * scale)))
    overhead(impinge.shapes.icosphere(3))


if __name__ == "__main__":
    main()
