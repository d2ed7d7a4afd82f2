"""A mesh of loose triangles, noisy and inside out: what is wrong with it, and does repairing it help?"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import impinge

random = np.random.default_rng(7)
ring = impinge.shapes.torus(2.0, 0.6, (48, 20))
# As some programs write them: every triangle has corners of its own, rounded differently, and all are turned over.
corners = ring.vertices[ring.faces[:, ::-1]].reshape(-1, 3) + random.uniform(-2e-5, 2e-5, (3 * len(ring.faces), 3))
soup = impinge.Mesh(corners, np.arange(len(corners)).reshape(-1, 3))

report = soup.report()
print("as it came:", *(f"{problem.count} x {problem.kind}" for problem in report.problems))
assert report.closing_weld is not None
welded = soup.weld(report.closing_weld)
print(f"welded within {report.closing_weld:g}:", *(f"{p.count} x {p.kind}" for p in welded.report().problems))
mended = welded.flip()
print(f"turned over: {len(mended.report().problems)} problems, volume {mended.report().volume:.3f}")

n = 250
x, y = np.meshgrid(np.linspace(-2.9, 2.9, n), np.linspace(-2.9, 2.9, n))
section = np.column_stack([x.ravel(), y.ravel(), np.full(n * n, 0.1)])
figure, axes = plt.subplots(1, 2, figsize=(10, 4.8))
before = impinge.Inside(soup, open=True).winding_number(section).reshape(n, n)
after = impinge.Inside(mended).contains(section).reshape(n, n)
left = axes[0].imshow(before, extent=(-2.9, 2.9, -2.9, 2.9), origin="lower", cmap="coolwarm", vmin=-1, vmax=1)
axes[0].set_title("winding number as it came")
figure.colorbar(left)
axes[1].imshow(after, extent=(-2.9, 2.9, -2.9, 2.9), origin="lower", cmap="Greys")
axes[1].set_title("mended: inside, exactly")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "mend_a_mesh.png", dpi=100)
