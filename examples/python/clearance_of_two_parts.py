"""How close does a tilted shaft come to the ring that it passes through, and where?"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import impinge

ring = impinge.shapes.torus(2.0, 0.5, (128, 48))
shaft = impinge.shapes.box((1.8, 1.8, 8.0), (4, 4, 20))
pair = impinge.Pair(ring, shaft)  # keeps the closest faces while the shaft tilts

angles = np.radians(np.linspace(0, 35, 141))
found = []
for angle in angles:
    quaternion = [np.sin(angle / 2), 0, 0, np.cos(angle / 2)]
    found.append(pair.distance(None, [0.1, 0, 0, *quaternion]))
gaps = np.array([closest.gap for closest in found])
first = int(np.argmax(gaps < 0))
print(f"clearance {gaps[0]:.3f} upright; the shaft hits the ring at {np.degrees(angles[first]):.1f} degrees")

figure, axes = plt.subplots(1, 2, figsize=(11, 4.5))
axes[0].plot(np.degrees(angles), gaps)
axes[0].axhline(0, color="grey", lw=0.8)
axes[0].set(xlabel="tilt of the shaft, degrees", ylabel="gap (negative: depth)", title="clearance")
points = np.array([closest.on_a for closest in found])
axes[1].scatter(ring.vertices[:, 0], ring.vertices[:, 1], s=1, color="lightgrey")
marks = axes[1].scatter(points[:, 0], points[:, 1], c=gaps, cmap="coolwarm_r", s=20)
axes[1].set(aspect="equal", xlabel="x", ylabel="y", title="closest point on the ring")
figure.colorbar(marks, label="gap")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "clearance_of_two_parts.png", dpi=100)
