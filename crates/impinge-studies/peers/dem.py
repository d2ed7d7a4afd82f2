"""A settled bed of spheres by LAMMPS: gran/hooke/history on a smooth floor, periodic to the sides.

usage: dem.py BED RANKS WARM STEPS WINDOWS DT STIFFNESS DAMPING WALL_DAMPING FRICTION SIDE_X SIDE_Y
  BED      u64 spheres, spheres × 9 f64: position, velocity, spin; all of diameter and mass 1; weight is 1
  DAMPING  per unit of reduced mass, between spheres; WALL_DAMPING the same on the floor
Runs the steps WINDOWS times and prints the seconds of the fastest time, the share of processors used in it, and at the end kinetic energy, height
of the centre of mass and contacts between spheres, each for one sphere.
"""
import os
import pathlib
import subprocess
import sys

import numpy

bed, ranks, warm, steps, windows = sys.argv[1], *map(int, sys.argv[2:6])
dt, stiffness, damping, wall_damping, friction, *sides = map(float, sys.argv[6:13])
spheres = numpy.frombuffer(open(bed, "rb").read(), "<f8", -1, 8).reshape(-1, 9)
count, height = len(spheres), spheres[:, 2].max() + 20
folder = pathlib.Path(bed).parent

with open(folder / "lammps.data", "w") as data:
    data.write(f"a bed\n\n{count} atoms\n1 atom types\n\n0 {sides[0]} xlo xhi\n0 {sides[1]} ylo yhi\n-1 {height} zlo zhi\n\n")
    density = 6 / numpy.pi
    data.write("Atoms # sphere\n\n")
    for n, s in enumerate(spheres, 1):
        data.write(f"{n} 1 1.0 {density:.17g} {s[0]:.17g} {s[1]:.17g} {s[2]:.17g}\n")
    data.write("\nVelocities\n\n")
    for n, s in enumerate(spheres, 1):
        data.write(f"{n} " + " ".join(f"{x:.17g}" for x in s[3:]) + "\n")

law = f"{stiffness} {stiffness * 2 / 7} {{0}} {{1}} {{2}} 1 limit_damping"
script = f"""
units lj
atom_style sphere
boundary p p f
newton off
comm_modify vel yes
read_data {folder / "lammps.data"}
neighbor 0.1 bin
neigh_modify delay 0
pair_style gran/hooke/history {law.format(damping, damping / 2, friction)}
pair_coeff * *
timestep {dt}
fix weight all gravity 1.0 vector 0 0 -1
fix floor all wall/gran hooke/history {law.format(wall_damping, wall_damping / 2, 0)} zplane 0.0 NULL
fix move all nve/sphere
compute spin all erotate/sphere
compute touching all contact/atom
compute contacts all reduce sum c_touching
thermo_modify norm no
thermo 100000
run {warm}
{windows * f"run {steps}{chr(10)}"}print "ANSWER $(ke) $(c_spin) $(xcm(all,z)) $(c_contacts)"
"""
(folder / "lammps.in").write_text(script)
environment = {**os.environ, "OMP_NUM_THREADS": "1"}
environment["LD_LIBRARY_PATH"] = f"{sys.prefix}/lib:" + environment.get("LD_LIBRARY_PATH", "")
program = [f"{sys.prefix}/bin/lmp", "-in", str(folder / "lammps.in"), "-log", "none"]
if ranks > 1:
    program = [f"{sys.prefix}/bin/mpiexec", "-bind-to", "core", "-n", str(ranks), *program]
done = subprocess.run(program, env=environment, capture_output=True, text=True)
if done.returncode != 0:
    words = (done.stderr or done.stdout).strip().splitlines()
    raise SystemExit(next((line for line in words if "ERROR" in line), words[-1] if words else "no word"))
lines = done.stdout.splitlines()
times = [float(line.split()[3]) for line in lines if line.startswith("Loop time of")][1:]
shares = [float(line.split("%")[0]) for line in lines if "% CPU use with" in line][1:]
seconds, share = min(zip(times, shares))
share *= ranks / 100
kinetic, turning, height, contacts = map(float, [l for l in lines if l.startswith("ANSWER")][-1].split()[1:])
print(seconds, share, (kinetic + turning) / count, height, contacts / 2 / count)
