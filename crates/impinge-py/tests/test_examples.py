"""The examples run, are short, and leave a picture."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "examples" / "python"
EXAMPLES = sorted(path.name for path in FOLDER.glob("*.py"))


def test_there_are_examples():
    assert len(EXAMPLES) >= 10


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs_and_leaves_a_picture(name, tmp_path):
    kept = os.environ.get("IMPINGE_TEST_FOLDER")
    folder = Path(kept, "pictures") if kept else tmp_path
    folder.mkdir(exist_ok=True)
    picture = (folder / name).with_suffix(".png")
    picture.unlink(missing_ok=True)
    run = [sys.executable, "-W", "error", FOLDER / name, picture]
    done = subprocess.run(run, cwd=tmp_path, env={**os.environ, "MPLBACKEND": "Agg"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert picture.stat().st_size > 5000
    assert len((FOLDER / name).read_text().splitlines()) <= 40
