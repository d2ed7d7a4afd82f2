"""A flap of tissue folds over: where does it intersect itself, and how deep?"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import impinge

angles = np.linspace(0.4, -0.35, 31)
flap = impinge.shapes.vee(8000, angles[0])
solids = impinge.Solids([flap])  # trees are built once and refitted while the tissue deforms
boundary = solids.boundary()

counts, depths = [], []
for angle in angles:
    vertices = impinge.shapes.vee(8000, angle).vertices
    solids.update(0, vertices)
    hits = solids.hits(depths=True)
    assert hits.depths is not None
    counts.append(np.count_nonzero(hits.crossing))
    depths.append(hits.depths.max(initial=0.0))
print(f"first hits at {angles[int(np.argmax(np.array(counts) > 0))]:.2f} rad, deepest {depths[-1]:.3f}")

figure, axes = plt.subplots(1, 2, figsize=(11, 4.5))
axes[0].plot(angles, depths, "o-")
axes[0].set(xlabel="angle of the fold, rad", ylabel="greatest depth", title="the flap closes")
axes[0].invert_xaxis()
axes[1].triplot(vertices[:, 0], vertices[:, 1], boundary, lw=0.2, color="grey")
depth = np.zeros(len(boundary))
assert hits.depths is not None
np.maximum.at(depth, hits.faces, hits.depths)
centres = vertices[boundary].mean(axis=1)[depth > 0]
marks = axes[1].scatter(centres[:, 0], centres[:, 1], c=depth[depth > 0], s=8, cmap="inferno")
axes[1].set(aspect="equal", xlabel="x", ylabel="y", title="faces inside the tissue")
figure.colorbar(marks, label="depth")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "self_intersection_of_tissue.png", dpi=100)
