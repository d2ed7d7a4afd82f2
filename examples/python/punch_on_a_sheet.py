"""Finite-element contact: a punch with curved quadratic faces is pressed onto a sheet."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import impinge

sheet = impinge.shapes.brick((24, 24, 1), (4, 4, 0.2), "hex20")
punch = impinge.shapes.brick((6, 6, 3), (2, 2, 1), "hex20")
x, y, z = punch.vertices.T
bulge = 0.3 * ((x - 1) ** 2 + (y - 1) ** 2)  # its lower side is a paraboloid, exact in quadratic elements
shape = np.column_stack([x + 1, y + 1, z + bulge * (1 - z)])

target, tool = impinge.Projection(sheet), impinge.Projection(impinge.Mesh(shape, cells=punch.cells))
depths = np.linspace(0.3, 0.05, 26)
touching = []
for depth in depths:
    tool.update(shape + [0, 0, depth])
    of_tool, of_sheet = impinge.contacts(tool, target)
    touching.append(len(of_tool.nodes) + len(of_sheet.nodes))
print(f"{touching[-1]} nodes in contact at the end; least gap {min(of_tool.gaps.min(), of_sheet.gaps.min()):.4f}")

figure, axes = plt.subplots(1, 2, figsize=(11, 4.5))
axes[0].plot(0.2 - depths, touching, "o-")
axes[0].set(xlabel="way of the punch below first touch", ylabel="nodes in contact", title="contact grows")
node = sheet.vertices[of_sheet.nodes]
marks = axes[1].scatter(node[:, 0], node[:, 1], c=of_sheet.gaps, s=25, cmap="inferno")
axes[1].set(aspect="equal", xlim=(0, 4), ylim=(0, 4), title="gaps of the sheet's nodes")
figure.colorbar(marks, label="gap")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "punch_on_a_sheet.png", dpi=100)
