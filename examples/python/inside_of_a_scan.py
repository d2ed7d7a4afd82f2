"""A scan with holes: which voxels are inside? The winding number decides, hole or no hole."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import impinge

# A bust-like body: a foam, torn in a hundred places as scans are.
whole = impinge.shapes.foam(20_000, seed=3)
random = np.random.default_rng(1)
torn = impinge.Mesh(whole.vertices, np.delete(whole.faces, random.choice(len(whole.faces), 100), axis=0))
print(torn.report().problems[0])

scan = impinge.Inside(torn, open=True)
n = 300
low, up = torn.bounds
x, y = np.meshgrid(np.linspace(low[0], up[0], n), np.linspace(low[1], up[1], n))
section = np.stack([x, y, np.full_like(x, 0.1)], axis=-1)
winding = scan.winding_number(section.reshape(-1, 3)).reshape(n, n)
truth = impinge.Inside(whole).contains(section.reshape(-1, 3)).reshape(n, n)
print(f"{np.mean((winding > 0.5) == truth):.2%} of the voxels as in the whole surface")

figure, axes = plt.subplots(1, 2, figsize=(10, 5), sharey=True)
extent = (low[0], up[0], low[1], up[1])
axes[0].imshow(winding, extent=extent, origin="lower", vmin=0, vmax=1)
axes[0].set_title("winding number of the torn surface")
axes[1].imshow(winding > 0.5, extent=extent, origin="lower", cmap="Greys")
axes[1].set_title("inside")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "inside_of_a_scan.png", dpi=100)
