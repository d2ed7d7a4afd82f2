"""Closest points of finite-element faces by Kraft's SLSQP, from the start that Aragon2013 takes.

usage: project.py KIND FACES POINTS ANSWERS      KIND is tri3, tri6, quad4, quad8 or quad9
  FACES    faces × nodes × 3 f64
  POINTS   faces × 3 f64
  ANSWERS  one f64 for each face: the distance
Prints the CPU seconds of all projections; the shape functions in Python are most of them.
"""
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"

import sys
import time

import numpy
from scipy.optimize import minimize

NODES = {"tri3": 3, "tri6": 6, "quad4": 4, "quad8": 8, "quad9": 9}


def triangle(kind, x, y):
    l = numpy.array([1 - x - y, x, y])
    d = numpy.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])
    if kind == "tri3":
        return l, d
    value = numpy.concatenate([l * (2 * l - 1), [4 * l[0] * l[1], 4 * l[1] * l[2], 4 * l[2] * l[0]]])
    side = lambda e, a, b: 4 * (e[a] * l[b] + l[a] * e[b])
    slope = [numpy.concatenate([(4 * l - 1) * e, [side(e, 0, 1), side(e, 1, 2), side(e, 2, 0)]]) for e in d]
    return value, numpy.array(slope)


def square(kind, x, y):
    if kind == "quad4":
        u, v = numpy.array([1 - x, 1 + x]) / 2, numpy.array([1 - y, 1 + y]) / 2
        du, dv, at = numpy.array([-0.5, 0.5]), numpy.array([-0.5, 0.5]), [(0, 0), (1, 0), (1, 1), (0, 1)]
    else:
        f = lambda t: numpy.array([t * (t - 1) / 2, t * (t + 1) / 2, 1 - t * t])
        d = lambda t: numpy.array([t - 0.5, t + 0.5, -2 * t])
        u, v, du, dv = f(x), f(y), d(x), d(y)
        at = [(0, 0), (1, 0), (1, 1), (0, 1), (2, 0), (1, 2), (2, 1), (0, 2), (2, 2)]
    rows = [numpy.array([a[i] * b[j] for i, j in at]) for a, b in ((u, v), (du, v), (u, dv))]
    if kind == "quad8":
        for row in rows:
            row[:4] -= 0.25 * row[8]
            row[4:8] += 0.5 * row[8]
        rows = [row[:8] for row in rows]
    return rows[0], numpy.array(rows[1:])


def project(kind, nodes, point):
    flat = kind.startswith("tri")
    shape = triangle if flat else square
    relative = nodes - point

    def cost(local):
        value, slope = shape(kind, *local)
        r = value @ relative
        return 0.5 * r @ r, slope @ relative @ r

    corners = [(0, 0), (1, 0), (0, 1), (1 / 3, 1 / 3)] if flat else [(-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)]
    start = min(corners, key=lambda local: cost(local)[0])
    low, up = (0.0, 1.0) if flat else (-1.0, 1.0)
    slant = [{"type": "ineq", "fun": lambda x: 1 - x[0] - x[1], "jac": lambda x: [-1.0, -1.0]}] if flat else []
    found = minimize(cost, start, jac=True, method="SLSQP", bounds=[(low, up)] * 2, constraints=slant,
                     options={"ftol": 1e-16, "maxiter": 100})
    return (2 * found.fun) ** 0.5


def main():
    kind, faces, points, answers = sys.argv[1:5]
    nodes = numpy.fromfile(faces).reshape(-1, NODES[kind], 3)
    queries = numpy.fromfile(points).reshape(-1, 3)
    start = time.process_time()
    distances = [project(kind, n, p) for n, p in zip(nodes, queries)]
    seconds = time.process_time() - start
    numpy.array(distances).tofile(answers)
    print(f"{seconds:.6f}")


main()
