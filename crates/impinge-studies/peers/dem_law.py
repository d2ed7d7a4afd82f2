"""The contact law of LAMMPS: a collision of two spheres, or a bed that settles. All spheres have diameter and mass 1.

usage: dem_law.py collision LAW STIFFNESS POISSON DAMPING FRICTION DT STEPS  18 numbers: position, velocity, spin of both
       dem_law.py bed FILE STIFFNESS DAMPING WALL_DAMPING FRICTION DT STEPS SAMPLES SIDE
  LAW      linear: STIFFNESS is that of the spring, DAMPING per unit of reduced mass, no tangential dashpot
           hertz: STIFFNESS is Young's modulus, DAMPING the restitution of a contact that may pull
  FILE     u64 spheres, spheres × 9 f64: position, velocity, spin; weight is 1, the floor is smooth
Prints velocity and spin of both spheres; or kinetic energy and height of the centre of mass for each sample, then contacts, each for one sphere.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy


def data(path, spheres, box):
    with open(path, "w") as out:
        out.write(f"spheres\n\n{len(spheres)} atoms\n1 atom types\n\n")
        for axis, (low, up) in zip("xyz", box):
            out.write(f"{low} {up} {axis}lo {axis}hi\n")
        out.write("\nAtoms # sphere\n\n")
        for n, s in enumerate(spheres, 1):
            out.write(f"{n} 1 1.0 {6 / numpy.pi:.17g} {s[0]:.17g} {s[1]:.17g} {s[2]:.17g}\n")
        out.write("\nVelocities\n\n")
        for n, s in enumerate(spheres, 1):
            out.write(f"{n} " + " ".join(f"{x:.17g}" for x in s[3:]) + "\n")


def head(folder, boundary, law, dt):
    return f"""
units lj
atom_style sphere
boundary {boundary}
newton off
comm_modify vel yes
read_data {folder / "lammps.data"}
neighbor 0.1 bin
neigh_modify delay 0
{law}
timestep {dt:.17g}
"""


def run(folder, script):
    (folder / "lammps.in").write_text(script)
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    environment["LD_LIBRARY_PATH"] = f"{sys.prefix}/lib:" + environment.get("LD_LIBRARY_PATH", "")
    program = [f"{sys.prefix}/bin/lmp", "-in", str(folder / "lammps.in"), "-log", "none"]
    done = subprocess.run(program, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        words = (done.stderr or done.stdout).strip().splitlines()
        raise SystemExit(next((line for line in words if "ERROR" in line), words[-1] if words else "no word"))
    return [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("ANSWER")]


def collision(folder, law, *words):
    stiffness, poisson, damping, friction, dt = map(float, words[:5])
    steps, spheres = int(words[5]), numpy.array(words[6:], float).reshape(2, 9)
    # The ratio of the dashpots is the root of that of the springs, 8 G* a and 2 E* a.
    ratio = 2 * ((1 - poisson) / (2 * (2 - poisson))) ** 0.5
    laws = {
        "linear": f"""pair_style gran/hooke/history {stiffness} {stiffness * 2 / 7:.17g} {damping:.17g} 0 {friction} 0 limit_damping
pair_coeff * *""",
        "hertz": f"""pair_style granular
pair_coeff * * hertz/material {stiffness} {damping:.17g} {poisson} tangential mindlin NULL {ratio:.17g} {friction} damping coeff_restitution limit_damping""",
    }
    data(folder / "lammps.data", spheres, [(-8, 8)] * 3)
    out = folder / "out"
    run(folder, head(folder, "f f f", laws[law], dt) + f"""
fix move all nve/sphere
thermo 1000000
run {steps}
write_dump all custom {out} vx vy vz omegax omegay omegaz modify sort id format float %.15g
""")
    print(*out.read_text().split("ITEM: ATOMS")[1].split("\n", 1)[1].split())


def bed(folder, file, *words):
    stiffness, damping, wall_damping, friction, dt = map(float, words[:5])
    steps, samples, side = int(words[5]), int(words[6]), float(words[7])
    spheres = numpy.frombuffer(open(file, "rb").read(), "<f8", -1, 8).reshape(-1, 9)
    data(folder / "lammps.data", spheres, [(0, side), (0, side), (-1, spheres[:, 2].max() + 20)])
    law = f"{stiffness} {stiffness * 2 / 7:.17g} {{0:.17g}} 0 {{1}} 0 limit_damping"
    pair = f"pair_style gran/hooke/history {law.format(damping, friction)}\npair_coeff * *"
    script = head(folder, "p p f", pair, dt) + f"""
fix weight all gravity 1.0 vector 0 0 -1
fix floor all wall/gran hooke/history {law.format(wall_damping, 0)} zplane 0.0 NULL
fix move all nve/sphere
compute spin all erotate/sphere
compute touching all contact/atom
compute contacts all reduce sum c_touching
thermo_modify norm no
thermo 1000000
"""
    for _ in range(samples):
        script += f'run {steps // samples}\nprint "ANSWER $(ke) $(c_spin) $(xcm(all,z)) $(c_contacts)"\n'
    answers = [list(map(float, answer)) for answer in run(folder, script)]
    numbers = [x / count for a in answers for x, count in ((a[0] + a[1], len(spheres)), (a[2], 1))]
    print(*numbers, answers[-1][3] / 2 / len(spheres))


with tempfile.TemporaryDirectory() as folder:
    {"collision": collision, "bed": bed}[sys.argv[1]](pathlib.Path(folder), *sys.argv[2:])
