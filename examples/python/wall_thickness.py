"""Wall thickness of a part: from each face straight inward to the other side."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import impinge

outer, inner = impinge.shapes.icosphere(5), impinge.shapes.icosphere(5)
hole = 0.8 * inner.vertices * [1, 1, 0.9] + [0.1, 0, 0]
vertices = np.vstack([outer.vertices, hole])
shell = impinge.Mesh(vertices, np.vstack([outer.faces, inner.faces[:, ::-1] + len(outer.vertices)]))
report = shell.report()
print(f"closed: {report.is_closed}, parts: {report.components}, volume: {report.volume:.3f}")

corners = shell.vertices[shell.faces]
normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
normals /= np.linalg.norm(normals, axis=1, keepdims=True)
start = corners.mean(axis=1) - 1e-6 * normals
hits = impinge.Nearest(shell).first_hits(start, start - 3 * normals)
thickness = np.linalg.norm(hits.points - start, axis=1)
outside = np.arange(len(shell.faces)) < len(outer.faces)
print(f"thickness from {thickness[outside].min():.3f} to {thickness[outside].max():.3f}")

figure = plt.figure(figsize=(7, 6))
axis = figure.add_subplot(projection="3d")
triangles = axis.plot_trisurf(*outer.vertices.T, triangles=outer.faces, cmap="viridis", lw=0, shade=False)
triangles.set_array(thickness[outside])
triangles.autoscale()
axis.set_box_aspect((1, 1, 1))
axis.view_init(elev=20, azim=-30)
figure.colorbar(triangles, label="wall thickness", shrink=0.7)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "wall_thickness.png", dpi=100)
