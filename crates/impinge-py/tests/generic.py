"""What trimesh's own tests import as `generic`, which its sdist lacks, with impinge's functions in place of trimesh's."""

from __future__ import annotations

import collections
import logging
import time
import unittest

import numpy as np
import trimesh
from shapely.geometry import Point, Polygon

import impinge.trimesh as ours

__all__ = ["Point", "Polygon", "collections", "np", "time", "trimesh", "unittest"]

deque = collections.deque
log = logging.getLogger("trimesh")
tol = trimesh.tol
Trimesh = trimesh.Trimesh
random = np.random.default_rng(0).random
transforms = [trimesh.transformations.random_rotation_matrix(num) for num in random((20, 3))]


def get_mesh(name: str, use_embree: bool = False) -> trimesh.Trimesh:
    """The one model that can be made; the others are in trimesh's repository, not in its sdist."""
    if name == "unit_cube.STL":
        return trimesh.creation.box()
    raise unittest.SkipTest(f"{name} is not in trimesh's sdist")


def get_meshes(count: int) -> list[trimesh.Trimesh]:
    made = [trimesh.creation.icosphere(3), trimesh.creation.box(), trimesh.creation.cylinder(1.0, 3.0)]
    return made[:count]


def difference(meshes: list[trimesh.Trimesh]) -> trimesh.Trimesh:
    """The difference of a body and one inside it, without the engine that trimesh's own needs."""
    outer, inner = meshes
    inner.invert()
    return trimesh.util.concatenate([outer, inner])


def patch() -> None:
    """Replaces trimesh's functions by those of impinge."""
    trimesh.boolean.difference = difference
    trimesh.collision.CollisionManager = ours.CollisionManager
    trimesh.collision.scene_to_collision = ours.scene_to_collision
    trimesh.proximity.closest_point = ours.closest_point
    trimesh.proximity.signed_distance = ours.signed_distance
    trimesh.proximity.ProximityQuery = ours.ProximityQuery
    trimesh.base.proximity.ProximityQuery = ours.ProximityQuery
    trimesh.Trimesh.contains = ours.contains
    rays = trimesh.ray.ray_triangle.RayMeshIntersector
    rays.contains_points = lambda self, points: ours.contains(self.mesh, points)
