"""Many parts in motion, with trimesh's CollisionManager and impinge behind it."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import impinge
from impinge.trimesh import CollisionManager  # instead of trimesh.collision

random = np.random.default_rng(4)
parts = [impinge.shapes.torus(0.5, 0.15, (24, 12)), impinge.shapes.icosphere(2), impinge.shapes.box((0.8, 0.5, 0.3))]
count, manager = 120, CollisionManager()
poses = np.tile(np.eye(4), (count, 1, 1))
poses[:, :3, 3] = random.uniform(-5, 5, (count, 3))
for i in range(count):
    manager.add_object(f"part{i:03}", parts[i % 3], poses[i])

velocity = random.normal(0, 0.08, (count, 3))
collisions, partners = [], np.zeros(count, int)
for step in range(60):
    poses[:, :3, 3] += velocity
    poses[:, :3, 3] = (poses[:, :3, 3] + 5) % 10 - 5
    for i in range(count):
        manager.set_transform(f"part{i:03}", poses[i])
    hit, names, contacts = manager.in_collision_internal(return_names=True, return_data=True)
    collisions.append((len(names), sum(contact.depth for contact in contacts)))
print(f"{np.mean(collisions, axis=0)[0]:.1f} collisions in a step, of mean depth {np.divide(*np.sum(collisions, 0)[::-1]):.3f}")

figure, axes = plt.subplots(1, 2, figsize=(11, 4.5))
axes[0].plot(collisions, label=["collisions", "sum of depths"])
axes[0].set(xlabel="step", title="over time")
axes[0].legend()
hitting = {name for pair in names for name in pair}
colours = ["crimson" if f"part{i:03}" in hitting else "silver" for i in range(count)]
axes[1].scatter(poses[:, 0, 3], poses[:, 1, 3], c=colours, s=120)
axes[1].set(aspect="equal", title="in collision at the end")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "collisions_in_a_scene.png", dpi=100)
