"""Ghosts of a rank of LAMMPS, whose ghosts are chosen by size classes (comm_modify mode multi).

usage: ghosts.py SPHERES RANKS REDUCED     REDUCED is yes or no: whether a pair is on the rank of its larger sphere only
  SPHERES  u64 spheres, spheres × 4 f64: x, y, z, r
Prints the mean number of ghosts of a rank.
"""
import os
import pathlib
import subprocess
import sys

import numpy

path, ranks, reduced = sys.argv[1], int(sys.argv[2]), sys.argv[3]
spheres = numpy.frombuffer(open(path, "rb").read(), "<f8", -1, 8).reshape(-1, 4)
folder = pathlib.Path(path).parent
low, up = spheres[:, :3].min(0) - 6, spheres[:, :3].max(0) + 6
types = numpy.where(spheres[:, 3] > 1, 2, 1)

with open(folder / "ghosts.data", "w") as data:
    data.write(f"a packing\n\n{len(spheres)} atoms\n2 atom types\n\n")
    for axis, name in enumerate("xyz"):
        data.write(f"{low[axis]} {up[axis]} {name}lo {name}hi\n")
    data.write("\nAtoms # sphere\n\n")
    for n, (kind, (x, y, z, r)) in enumerate(zip(types, spheres), 1):
        data.write(f"{n} {kind} {2 * r} 1.0 {x:.17g} {y:.17g} {z:.17g}\n")

script = f"""
units lj
atom_style sphere
boundary f f f
newton {"on" if reduced == "yes" else "off"}
neighbor 0.004 multi
comm_modify mode multi vel yes {"reduce/multi" if reduced == "yes" else ""}
read_data {folder / "ghosts.data"}
pair_style gran/hooke/history 20000 5714 0 0 0 1
pair_coeff * *
timestep 1e-12
fix move all nve/sphere
run 0
"""
(folder / "ghosts.in").write_text(script)
environment = {**os.environ, "OMP_NUM_THREADS": "1"}
environment["LD_LIBRARY_PATH"] = f"{sys.prefix}/lib:" + environment.get("LD_LIBRARY_PATH", "")
program = [f"{sys.prefix}/bin/mpiexec", "-n", str(ranks), f"{sys.prefix}/bin/lmp", "-in", str(folder / "ghosts.in"), "-log", "none"]
done = subprocess.run(program, env=environment, capture_output=True, text=True)
if done.returncode != 0:
    words = (done.stderr or done.stdout).strip().splitlines()
    raise SystemExit(next((line for line in words if "ERROR" in line), words[-1] if words else "no word"))
print([line.split()[1] for line in done.stdout.splitlines() if line.startswith("Nghost:")][-1])
