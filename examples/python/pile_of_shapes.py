"""Balls, bricks and rings on a floor: who touches whom, where and how deep, and what changed since the last step."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import impinge

random = np.random.default_rng(6)
corners = np.indices((2, 2, 2)).reshape(3, -1).T - 0.5
kinds = [impinge.Sphere(0.4), impinge.Convex(corners * [1.0, 0.6, 0.4]), impinge.shapes.torus(0.45, 0.15, (24, 10))]
scene, detector = impinge.Scene(), impinge.Detector(margin=0.01)
floor = scene.add(impinge.HalfSpace([0, 0, 0], [0, 0, 1]))
bodies, places = [], random.uniform([-2, -2, 0.3], [2, 2, 3.0], (60, 3))
for i, place in enumerate(places):
    bodies.append(scene.add(kinds[i % 3], [*place, *random.normal(size=4)]))

counts, changes = [], []
for step in range(40):  # the pile is squeezed: every body sinks towards the floor
    for body, place in zip(bodies, places):
        pose = scene.pose(body)
        pose[2, 3] = 0.3 + (place[2] - 0.3) * (1 - 0.015 * step)
        scene.set_pose(body, pose)
    detector.step(scene)
    counts.append(len(detector.contacts))
    changes.append((detector.events["began"].sum(), (~detector.events["began"]).sum()))
contacts = detector.contacts
on_floor = contacts[contacts["a"] == floor]
print(f"{len(contacts)} contacts at the end, {len(on_floor)} on the floor, deepest {-contacts['gap'].min():.3f}")

figure, axes = plt.subplots(1, 2, figsize=(11, 4.5))
axes[0].plot(counts, label="contacts")
axes[0].plot(np.cumsum(changes, axis=0), label=["began", "ended"])
axes[0].set(xlabel="step", title="the pile is squeezed")
axes[0].legend()
marks = axes[1].scatter(contacts["on_a"][:, 0], contacts["on_a"][:, 2], c=-contacts["gap"], cmap="inferno", s=25)
axes[1].set(aspect="equal", xlabel="x", ylabel="z", title="contacts at the end")
figure.colorbar(marks, label="depth")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "pile_of_shapes.png", dpi=100)
