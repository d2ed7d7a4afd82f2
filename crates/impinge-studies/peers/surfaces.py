"""Pairs of surface triangles that meet, by libigl (CGAL's kernel, detection alone) or MeshLib: seconds, and how many.

usage: surfaces.py MESH self|pair libigl|MeshLib
  MESH     u64 vertices, u64 triangles, vertices x 3 f64, triangles x 3 u32; a pair is two halves of equal size
"""

import os
import sys
import time

# One processor, so that MeshLib takes one thread.
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import numpy as np

with open(sys.argv[1], "rb") as file:
    points, triangles = np.fromfile(file, np.uint64, 2).astype(int)
    vertices = np.fromfile(file, np.float64, 3 * points).reshape(-1, 3)
    faces = np.fromfile(file, np.uint32, 3 * triangles).reshape(-1, 3).astype(np.int64)
is_pair = sys.argv[2] == "pair"
halves = [(vertices[: points // 2], faces[: triangles // 2]), (vertices[points // 2 :], faces[: triangles // 2])]


def libigl():
    from igl.copyleft import cgal

    if is_pair:
        (one, first), (two, second) = halves
        return lambda: len(cgal.intersect_other(one, first, two, second, detect_only=True)[0])
    return lambda: len(cgal.remesh_self_intersections(vertices, faces, detect_only=True)[2])


def meshlib():
    from meshlib import mrmeshnumpy, mrmeshpy

    parts = halves if is_pair else [(vertices, faces)]
    meshes = [mrmeshnumpy.meshFromFacesVerts(f.astype(np.int32), v) for v, f in parts]

    def step():
        # The hierarchy is rebuilt, as after every step of a deformation.
        for mesh in meshes:
            mesh.invalidateCaches()
        if is_pair:
            return len(mrmeshpy.findCollidingTriangles(*map(mrmeshpy.MeshPart, meshes)))
        return len(mrmeshpy.findSelfCollidingTriangles(mrmeshpy.MeshPart(meshes[0]), touchIsIntersection=True))

    return step


run = libigl() if sys.argv[3] == "libigl" else meshlib()
best, count = float("inf"), 0
for _ in range(3):
    start = time.perf_counter()
    count = run()
    best = min(best, time.perf_counter() - start)
print(best, count)
