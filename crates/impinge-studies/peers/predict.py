"""When two bodies whose vertices move on straight lines first touch, by the IPC Toolkit, one thread.

usage: predict.py METHOD BODIES      METHOD is tight or additive
  BODIES   u64 points, u64 triangles, f64 points at the start and at the end, u32 triangles
Prints the CPU seconds of one search and the share of the step before the contact.
"""
import os

os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})

import sys
import time

import ipctk
import numpy

method, path = sys.argv[1:]
with open(path, "rb") as file:
    points, triangles = numpy.fromfile(file, numpy.uint64, 2).astype(int)
    start, end = (numpy.fromfile(file, numpy.float64, 3 * points).reshape(-1, 3) for _ in range(2))
    faces = numpy.fromfile(file, numpy.uint32, 3 * triangles).reshape(-1, 3).astype(numpy.int32)

ipctk.set_num_threads(1)
mesh = ipctk.CollisionMesh.build_from_full_mesh(start, ipctk.edges(faces), faces)
start, end = (numpy.asfortranarray(mesh.vertices(x)) for x in (start, end))
# A rescaling of one is the most favourable: the default stops well short of the contact.
ccd = ipctk.TightInclusionCCD(conservative_rescaling=0.999) if method == "tight" else ipctk.AdditiveCCD()
begin = time.process_time()
share = ipctk.compute_collision_free_stepsize(mesh, start, end, 0.0, ipctk.LBVH(), ccd)
print(time.process_time() - begin, share)
