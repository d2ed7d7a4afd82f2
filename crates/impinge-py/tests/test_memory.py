"""No call holds more than twice its input and output beside the prepared structure.

The peak of the process is measured, because Python's own tools do not see what Rust allocates.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

if not sys.platform.startswith("linux"):
    pytest.skip("the peak is read from /proc", allow_module_level=True)

PROGRAM = """
import gc, re
import numpy as np
import impinge, impinge.trimesh

def status(name):
    return 1024 * int(re.search(name + r":\\s+(\\d+)", open("/proc/self/status").read())[1])

def peak(call, given):
    gc.collect()
    open("/proc/self/clear_refs", "w").write("5")
    before = status("VmRSS")
    out = call()
    held = status("VmHWM") - before
    out = out if isinstance(out, tuple) else (out,)
    size = given + sum(a.nbytes for a in out)
    # What was there before the call counts, and the structure that a call builds does not.
    held += given - structure()
    print(f"{held / size:.3f} {held / 1e6:.1f} MB for {size / 1e6:.1f} MB")

structure, more = (lambda: 0), 0
impinge.set_threads(1)
random = np.random.default_rng(1)
foam = impinge.shapes.foam(20_000, 1)
points = random.uniform(-1, 1, (COUNT, 3))
few = points[:1000]
"""

CALLS = {
    "contains": ("inside = impinge.Inside(foam)\nask = inside.contains", 1),
    "locate": ("inside = impinge.Inside(foam)\nask = inside.locate", 1),
    "winding_number": ("inside = impinge.Inside(foam)\nask = inside.winding_number", 0.1),
    "distance": ("nearest = impinge.Nearest(foam)\nask = nearest.distance", 1),
    "signed_distance": ("nearest = impinge.Nearest(foam)\nask = nearest.signed_distance", 1),
    "nearest": (
        "nearest = impinge.Nearest(foam)\n"
        "def ask(points):\n    found = nearest.query(points)\n    return found.points, found.distances, found.faces",
        1,
    ),
    "trimesh.closest_point": (
        "ask = lambda points: impinge.trimesh.closest_point(ball, points)\n"
        "ball = impinge.shapes.icosphere(3)",
        1,
    ),
    "trimesh.signed_distance": (
        "ask = lambda points: impinge.trimesh.signed_distance(ball, points)\n"
        "ball = impinge.shapes.icosphere(3)",
        1,
    ),
    "project": (
        "projection = impinge.Projection(impinge.shapes.icosphere(3))\n"
        "def ask(points):\n    found = projection.project(points)\n"
        "    return tuple(getattr(found, name) for name in found.__dataclass_fields__)",
        0.5,
    ),
    "query_pairs": (
        "pairs = impinge._impinge.Pairs([None] * 3, False)\n"
        "structure = pairs.memory\n"
        "radii = np.full(len(points), 0.5 * (16 / len(points)) ** (1 / 3))\n"
        "more = radii.nbytes\n"
        "ask = lambda points: pairs.spheres(points, radii[: len(points)])[0]",
        1,
    ),
}


@pytest.mark.parametrize("name", list(CALLS))
def test_a_call_holds_at_most_twice_its_input_and_output(name):
    setup, share = CALLS[name]
    program = PROGRAM.replace("COUNT", str(int(2_000_000 * share))) + setup + "\nask(few)\npeak(lambda: ask(points), points.nbytes + more)\n"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.split()[0]) <= 2.0, done.stdout
