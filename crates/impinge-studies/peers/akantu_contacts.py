"""Contact search by Akantu: the lower face of one block on the upper face of another.

usage: akantu_contacts.py N STRETCH DEPTH
Two blocks of hexahedra, N × N faces in contact, stretched along x, overlapping by DEPTH edges.
Prints the CPU seconds of one search, the quickest of five, the number of slave nodes, and how many gaps are right to 1e-10.
"""
import os

os.environ["OMP_NUM_THREADS"] = "1"

import sys
import tempfile
import time

import numpy


def block(first, cells, size, at):
    """Nodes and hexahedra of a block, with the quadrilaterals of its lower and upper face."""
    axes = [numpy.linspace(0.0, size[k], cells[k] + 1) + at[k] for k in range(3)]
    nodes = [(x, y, z) for z in axes[2] for y in axes[1] for x in axes[0]]
    row, layer = cells[0] + 1, (cells[0] + 1) * (cells[1] + 1)
    number = lambda i, j, k: first + i + row * j + layer * k
    ring = lambda i, j, k: [number(i, j, k), number(i + 1, j, k), number(i + 1, j + 1, k), number(i, j + 1, k)]
    places = [(i, j) for i in range(cells[0]) for j in range(cells[1])]
    hexes = [ring(i, j, k) + ring(i, j, k + 1) for i, j in places for k in range(cells[2])]
    return nodes, hexes, [ring(i, j, 0)[::-1] for i, j in places], [ring(i, j, cells[2]) for i, j in places]


def write(path, n, stretch, depth):
    size = (n * stretch, float(n), 4.0)
    low = block(1, (n, n, 4), size, (0.0, 0.0, 0.0))
    lift = (0.31 * stretch, 0.27, 4.0 - depth)
    up = block(1 + len(low[0]), (n - 1, n - 1, 3), (size[0] - 2 * stretch, size[1] - 2, 4.0), lift)
    elements = [(3, 1, q) for q in low[3]] + [(3, 2, q) for q in up[2]]
    elements += [(5, 3, h) for h in low[1]] + [(5, 4, h) for h in up[1]]
    nodes = low[0] + up[0]
    with open(path, "w") as out:
        out.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n")
        out.write('2 1 "contact_bottom"\n2 2 "contact_top"\n3 3 "lower"\n3 4 "upper"\n$EndPhysicalNames\n')
        out.write(f"$Nodes\n{len(nodes)}\n")
        out.writelines(f"{i + 1} {' '.join(repr(float(x)) for x in p)}\n" for i, p in enumerate(nodes))
        out.write(f"$EndNodes\n$Elements\n{len(elements)}\n")
        out.writelines(f"{i + 1} {t} 2 {p} {p} {' '.join(map(str, e))}\n" for i, (t, p, e) in enumerate(elements))
        out.write("$EndElements\n")
    return n * n


MATERIAL = """
contact_detector [
  type = explicit
  master = contact_bottom
  slave = contact_top
  projection_tolerance = 1e-10
  max_iterations = 100
  extension_tolerance = 1e-5
]
contact_resolution penalty_linear [
  name = contact_top
  mu = 0.0
  epsilon_n = 1.0
  epsilon_t = 1.0
  is_master_deformable = false
]
"""


def main():
    import akantu

    n, stretch, depth = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        slaves = write("blocks.msh", n, stretch, depth)
        open("material.dat", "w").write(MATERIAL)
        akantu.parseInput("material.dat")
        mesh = akantu.Mesh(3)
        mesh.read("blocks.msh")
        model = akantu.ContactMechanicsModel(mesh)
        model.initFull(akantu._explicit_lumped_mass)
        model.getContactDetector().setSurfaceSelector(akantu.PhysicalSurfaceSelector(mesh))
        # The whole search, as a solver calls it in every step: the grid of the master's nodes, candidates, projections.
        seconds = float("inf")
        for _ in range(5):
            start = time.process_time()
            model.search()
            seconds = min(seconds, time.process_time() - start)
        gaps = numpy.abs(model.getGaps().flatten())
        right = int((numpy.abs(gaps[gaps > 0] - depth) < 1e-10).sum())
        print(f"{seconds:.6f} {slaves} {right}")


main()
