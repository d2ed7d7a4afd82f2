"""An arm swings over a table of parts: when does it hit each of them?"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import impinge

shift = np.eye(4)
shift[0, 3] = 1.0
arm = impinge.shapes.box((2.0, 0.2, 0.2)).transform(shift)  # from its joint at the origin along x
part = impinge.shapes.icosphere(3)
random = np.random.default_rng(5)

forecast = impinge.Forecast()
turning = forecast.add(arm, impinge.Motion(spin=[0, 0, 0.8]))
angle, reach = random.uniform(0.3, 6.0, 14), random.uniform(0.7, 2.3, 14)
radius = random.uniform(0.06, 0.2, 14)
centres = np.column_stack([reach * np.cos(angle), reach * np.sin(angle), np.zeros(14)])
bodies = [
    forecast.add(impinge.Mesh(r * part.vertices, part.faces), impinge.Motion(c)) for r, c in zip(radius, centres)
]

# Nothing is sampled: the engine sleeps until two bodies can touch, and no impact is missed between steps.
events = [event for event in forecast.advance(7.5) if event.kind == "contact"]
times = {event.bodies[1]: event.time for event in events}
for body, time in times.items():
    print(f"part {body} is hit at {time:.6f} s")

figure, axis = plt.subplots(figsize=(7, 6))
colours = [times.get(body, np.nan) for body in bodies]
marks = axis.scatter(centres[:, 0], centres[:, 1], s=(radius * 300) ** 2 / 4, c=colours, cmap="viridis", plotnonfinite=True)
axis.plot([0, 2], [0, 0], lw=12, color="grey", solid_capstyle="butt", alpha=0.6)
axis.set(aspect="equal", title="time of impact (white: never)", xlim=(-2.6, 2.6), ylim=(-2.6, 2.6))
figure.colorbar(marks, label="s")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "impacts_of_a_robot_arm.png", dpi=100)
