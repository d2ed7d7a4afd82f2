"""Porosity and coordination of a random packing of spheres in a periodic box."""

import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle

import impinge

random = np.random.default_rng(2)
count, box = 2400, 1.0
points = random.uniform(0, box, (count, 3))
radii = random.uniform(0.026, 0.042, count)

pairs = impinge.Pairs(box=box)  # keeps its list of neighbours while overlapping spheres are pushed apart
for step in range(2000):
    i, j = pairs.update(points, radii).T
    way = points[j] - points[i]
    way -= box * np.round(way / box)
    length = np.linalg.norm(way, axis=1)
    depth = radii[i] + radii[j] - length
    if depth.max(initial=0) < 3e-4:
        break
    push = 0.5 * way * (depth / length)[:, None]
    np.add.at(points, np.concatenate([i, j]), np.concatenate([-push, push]))
porosity = 1 - np.sum(4 / 3 * np.pi * radii**3) / box**3
neighbours = np.bincount(impinge.query_pairs(points, radii * 1.01, box).ravel(), minlength=count)
print(f"porosity {porosity:.3f} after {step} steps, {neighbours.mean():.2f} neighbours within 1 %")

figure, axes = plt.subplots(1, 2, figsize=(10, 4.5))
axes[0].hist(neighbours, bins=list(range(15)), align="left", rwidth=0.8)
axes[0].set(xlabel="neighbours", ylabel="spheres", title=f"porosity {porosity:.3f}")
points %= box
height = np.abs(points[:, 2] - 0.5) < radii
cut = np.sqrt(radii[height] ** 2 - (points[height, 2] - 0.5) ** 2)
axes[1].set(aspect="equal", xlim=(0, 1), ylim=(0, 1), title="section at half height")
for (x, y, _), r in zip(points[height], cut):
    axes[1].add_patch(Circle((x, y), r, alpha=0.7))
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "porosity_of_a_packing.png", dpi=100)
