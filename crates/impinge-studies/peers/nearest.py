"""Nearest points on a mesh by libigl, f64, one thread.

usage: nearest.py MESH POINTS ANSWERS
  MESH     u64 vertices, u64 triangles, vertices × 3 f64, triangles × 3 u32
  POINTS   u64 points, points × 3 f64
  ANSWERS  the distance of each point as f64
Prints the CPU seconds of the set-up and of the queries.
"""
import os

for variable in ("OMP_NUM_THREADS", "TBB_NUM_THREADS", "OPENBLAS_NUM_THREADS", "IGL_NUM_THREADS"):
    os.environ[variable] = "1"
os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})

import sys
import time

import igl
import numpy

mesh, points, answers = sys.argv[1:]
raw = open(mesh, "rb").read()
vertices, triangles = numpy.frombuffer(raw, "<u8", 2)
v = numpy.frombuffer(raw, "<f8", 3 * vertices, 16).reshape(-1, 3).copy()
f = numpy.frombuffer(raw, "<u4", 3 * triangles, 16 + 24 * int(vertices)).reshape(-1, 3).astype(numpy.int64)
p = numpy.frombuffer(open(points, "rb").read(), "<f8", -1, 8).reshape(-1, 3).copy()
start = time.process_time()
igl.point_mesh_squared_distance(p[:1].copy(), v, f)
ready = time.process_time()
# One call builds and asks; the build is measured with a single point and taken off.
squares = igl.point_mesh_squared_distance(p, v, f)[0]
done = time.process_time()
numpy.sqrt(squares).astype("<f8").tofile(answers)
print(ready - start, (done - ready) - (ready - start))
