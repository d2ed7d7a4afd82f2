"""The docstrings: every public name has one with an example that runs."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

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
