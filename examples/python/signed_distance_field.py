"""The signed distance field of a body, for level sets, meshing or learning."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import impinge

body = impinge.shapes.foam(30_000, seed=8)
field = impinge.Nearest(body)  # built once
n = 400
low, up = 1.15 * body.bounds
x, y = np.meshgrid(np.linspace(low[0], up[0], n), np.linspace(low[1], up[1], n))
points = np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3)
distance = field.signed_distance(points).reshape(n, n)
print(f"{np.mean(distance < 0):.1%} of the section is inside; deepest point {-distance.min():.3f} from the surface")

# The gradient of a distance has length 1, except where two sides are equally far.
slope = np.hypot(*np.gradient(distance, y[:, 0], x[0]))
print(f"|gradient| is within 1 % of 1, or less, at {np.mean(slope < 1.01):.1%} of the points")

figure, axis = plt.subplots(figsize=(7, 6))
most = np.abs(distance).max()
filled = axis.contourf(x, y, distance, levels=41, cmap="RdBu", vmin=-most, vmax=most)
axis.contour(x, y, distance, levels=[0], colors="black", linewidths=1)
axis.set(aspect="equal", title="signed distance, negative inside")
figure.colorbar(filled)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "signed_distance_field.png", dpi=100)
