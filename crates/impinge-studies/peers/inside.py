"""Point in polyhedron by libraries for Python, one thread.

usage: inside.py PEER MESH POINTS ANSWERS      PEER is libigl, embree, open3d or winding
  MESH     u64 vertices, u64 triangles, vertices × 3 f64, triangles × 3 u32
  POINTS   u64 points, points × 3 f64
  ANSWERS  one byte for each point: 0 outside, 1 inside; of winding, libigl's winding number as f64
Prints the CPU seconds of the set-up and of the queries.
"""
import os

for variable in ("OMP_NUM_THREADS", "TBB_NUM_THREADS", "OPENBLAS_NUM_THREADS", "IGL_NUM_THREADS"):
    os.environ[variable] = "1"
os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})

import sys
import time

import numpy


def load(mesh, points):
    raw = open(mesh, "rb").read()
    vertices, triangles = numpy.frombuffer(raw, "<u8", 2)
    v = numpy.frombuffer(raw, "<f8", 3 * vertices, 16).reshape(-1, 3).copy()
    f = numpy.frombuffer(raw, "<u4", 3 * triangles, 16 + 24 * int(vertices)).reshape(-1, 3).astype(numpy.int64)
    raw = open(points, "rb").read()
    return v, f, numpy.frombuffer(raw, "<f8", -1, 8).reshape(-1, 3).copy()


def winding(v, f, points):
    import igl

    start = time.process_time()
    few = numpy.ascontiguousarray(points[:1])
    igl.fast_winding_number(v, f, few)
    ready = time.process_time()
    # One call builds and asks; the build is measured with a single point and taken off.
    numbers = igl.fast_winding_number(v, f, points)
    done = time.process_time()
    setup = ready - start
    return numbers, setup, (done - ready) - setup


def libigl(v, f, points):
    numbers, setup, query = winding(v, f, points)
    return numbers > 0.5, setup, query


def embree(v, f, points):
    import embreex.mesh_construction
    import embreex.rtcore_scene

    start = time.process_time()
    scene = embreex.rtcore_scene.EmbreeScene(robust=True)
    embreex.mesh_construction.TriangleMesh(scene, v.astype(numpy.float32)[f])
    direction = numpy.tile(numpy.array([[0.3, 0.5, 0.81]], numpy.float32), (len(points), 1))
    direction /= numpy.linalg.norm(direction[0])
    origins = points.astype(numpy.float32)
    scene.run(origins[:1], direction[:1])
    ready = time.process_time()
    # The first face that a ray meets shows by its normal whether the ray comes from inside.
    hit = scene.run(origins, direction, query="INTERSECT")
    normals = numpy.cross(v[f[:, 1]] - v[f[:, 0]], v[f[:, 2]] - v[f[:, 0]])
    away = normals @ direction[0] > 0
    inside = numpy.where(hit >= 0, away[hit], False)
    done = time.process_time()
    return inside, ready - start, done - ready


def open3d(v, f, points):
    import open3d

    start = time.process_time()
    scene = open3d.t.geometry.RaycastingScene(nthreads=1)
    scene.add_triangles(v.astype(numpy.float32), f.astype(numpy.uint32))
    scene.compute_occupancy(points[:1].astype(numpy.float32), nthreads=1)
    ready = time.process_time()
    inside = scene.compute_occupancy(points.astype(numpy.float32), nthreads=1, nsamples=1).numpy() > 0.5
    return inside, ready - start, time.process_time() - ready


def main():
    peer, mesh, points, answers = sys.argv[1:5]
    peers = {"libigl": libigl, "embree": embree, "open3d": open3d, "winding": winding}
    found, setup, query = peers[peer](*load(mesh, points))
    open(answers, "wb").write(found.astype(numpy.float64 if peer == "winding" else numpy.uint8).tobytes())
    print(f"{setup:.6f} {query:.6f}")


main()
