"""Spheres settle in a container from an STL file; the forces between them."""

import sys
import tempfile

import matplotlib.pyplot as plt
import numpy as np

import impinge

folder = tempfile.mkdtemp()
impinge.write(f"{folder}/cup.stl", impinge.shapes.box((0.12, 0.12, 0.5)))
world = impinge.World(gravity=[0, 0, -9.81], material=impinge.Material(young=5e6, restitution=0.3))
world.add_wall(impinge.read(f"{folder}/cup.stl"), hollow=True)
random = np.random.default_rng(3)
grid = np.stack(np.meshgrid(*[np.linspace(-0.045, 0.045, 8)] * 2, np.linspace(-0.2, 0.2, 31)), axis=-1).reshape(-1, 3)
world.add_particles(grid + random.uniform(-5e-4, 5e-4, grid.shape), random.uniform(0.0045, 0.006, len(grid)))

times, energies = [], []
while world.time < 0.7:
    world.step(200)
    times.append(world.time)
    energies.append(world.energy.kinetic)
contacts = world.contacts
forces = np.linalg.norm(contacts["force"], axis=1)
pairs = contacts["kind_b"] == "particle"
print(f"{len(grid)} spheres, {pairs.sum()} contacts between them, mean force {forces[pairs].mean():.2e} N")

figure, axes = plt.subplots(1, 2, figsize=(11, 4.5))
axes[0].semilogy(times, energies)
axes[0].set(xlabel="time, s", ylabel="kinetic energy, J", title="settling")
axes[1].hist(forces[pairs] / forces[pairs].mean(), bins=40, log=True)
axes[1].set(xlabel="force / mean force", ylabel="contacts", title="forces between spheres")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "settling_spheres.png", dpi=100)
