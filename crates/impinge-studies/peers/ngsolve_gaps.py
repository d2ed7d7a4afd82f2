"""Gaps between quadratic faces by NGSolve: a ball in a spherical hollow, both meshed with curved triangles.

usage: ngsolve_gaps.py MAXH FACES POINTS GAPS
Writes, as f64, the six nodes of each face of the ball, the points of the hollow at which gaps are computed, and the gaps.
Prints the CPU seconds of the search tree and all gaps, and the number of points.
"""
import sys
import time

import numpy
from netgen.occ import Glue, OCCGeometry, Pnt, Sphere
from ngsolve import TRIG, CoefficientFunction, ContactBoundary, GridFunction, IntegrationRule, Mesh, VectorH1, x, y, z

NODES = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.5, 0.0), (0.5, 0.5), (0.0, 0.5)]


def main():
    maxh = float(sys.argv[1])
    ball = Sphere(Pnt(0, 0, 0), 1.0)
    ball.faces.name = "ball"
    shell = Sphere(Pnt(0, 0, 0), 1.3) - Sphere(Pnt(0, 0, 0), 1.05)
    for face in shell.faces:
        face.name = "hollow" if face.mass < 15.0 else "outside"
    mesh = Mesh(OCCGeometry(Glue([ball, shell])).GenerateMesh(maxh=maxh))
    mesh.Curve(2)
    place = CoefficientFunction((x, y, z))
    nodes = place(mesh.MapToAllElements(IntegrationRule(NODES, [0.0] * 6), mesh.Boundaries("ball")))
    points = mesh.MapToAllElements(IntegrationRule(TRIG, 2), mesh.Boundaries("hollow"))
    contact = ContactBoundary(mesh.Boundaries("hollow"), mesh.Boundaries("ball"))
    start = time.process_time()
    contact.Update(GridFunction(VectorH1(mesh, order=2)), maxdist=0.2)
    gaps = numpy.linalg.norm(numpy.array(contact.gap(points)), axis=1)
    seconds = time.process_time() - start
    numpy.array(nodes, dtype=float).tofile(sys.argv[2])
    numpy.array(place(points), dtype=float).tofile(sys.argv[3])
    gaps.tofile(sys.argv[4])
    print(f"{seconds:.6f} {len(gaps)}")


main()
