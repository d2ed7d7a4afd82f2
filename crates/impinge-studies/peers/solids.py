"""The IPC Toolkit's broad phase on a surface: seconds for a step, and how many candidates."""

import sys
import time

import ipctk
import numpy as np

with open(sys.argv[1], "rb") as file:
    points, triangles = np.fromfile(file, np.uint64, 2).astype(int)
    vertices = np.fromfile(file, np.float64, 3 * points).reshape(-1, 3)
    faces = np.fromfile(file, np.uint32, 3 * triangles).reshape(-1, 3).astype(np.int32)

ipctk.set_num_threads(1)
edges = ipctk.edges(faces)
mesh = ipctk.CollisionMesh.build_from_full_mesh(vertices, edges, faces)
surface = mesh.vertices(vertices)
best, count = float("inf"), 0
for _ in range(5):
    start = time.perf_counter()
    broad = ipctk.LBVH()
    broad.build(surface, mesh.edges, mesh.faces, 0.0)
    count = len(broad.detect_edge_face_candidates())
    best = min(best, time.perf_counter() - start)
print(best, count)
