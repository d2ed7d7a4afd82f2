"""The docstrings: every public name has one with an example that runs. The Python code of the READMEs runs, too."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import numpy as np
import pytest

import impinge

MODULES = [impinge.__name__] + [
    f"impinge.{module.name}"
    for module in pkgutil.iter_modules(impinge.__path__)
    if module.name not in ("__main__", "_impinge")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    with np.printoptions(legacy=False):
        result = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


def test_every_public_function_and_class_has_an_example():
    data = (Exception, Warning)
    for module in (impinge, impinge.shapes, importlib.import_module("impinge.trimesh")):
        for name in module.__all__:
            item = getattr(module, name)
            assert inspect.getdoc(item), name
            is_record = inspect.isclass(item) and (issubclass(item, data) or hasattr(item, "__dataclass_fields__"))
            if callable(item) and not is_record and name not in WITHOUT_EXAMPLE:
                assert ">>>" in (item.__doc__ or ""), name


WITHOUT_EXAMPLE = {"threads", "read_points", "ContactData", "DistanceData", "scene_to_collision"}

ROOT = Path(__file__).parents[3]
PAGES = ["README.md", "crates/impinge-py/README.md", "docs/book/src/getting-started.md"]


@pytest.mark.parametrize("page", PAGES)
def test_code_of_the_readmes_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    impinge.write("part.stl", impinge.shapes.torus(1.0, 0.3, (24, 12)))
    names = {
        "points": np.random.default_rng(1).uniform(-1, 1, (100, 3)),
        "radii": np.full(100, 0.1),
        "other": impinge.shapes.icosphere(2),
        "pose": np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 3], [0, 0, 0, 1]]),
    }
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(block, names)
    assert names["inside"].shape == names["gaps"].shape == (100,)
    if "when" in names:
        assert names["apart"].gap > 0
        assert names["when"] is not None
