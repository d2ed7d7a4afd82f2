"""Contact detection: which bodies touch, where, how deep, and when.

Arrays go in and come out as numpy arrays. Classes prepare a body once for many queries; functions of the same name answer a single query.

====================================  ==================================================================
`read`, `write`, `Mesh`, `as_mesh`    meshes, from files, arrays and other libraries; `Mesh.report`
`Inside`                              points in a surface, exactly; winding numbers
`Nearest`                             closest points, signed distances, first hits of segments
`query_pairs`, `Pairs`                overlapping pairs of many spheres or boxes
`distance`, `penetration`, `Pair`     two bodies: gap, depth, common volume; `Convex`
`Projection`, `contacts`              closest points on curved finite-element faces
`Solids`, `self_hits`                 contact and self-contact of deforming tetrahedral solids
`Scene`, `Detector`                   bodies of every shape: contacts and events, step after step
`first_touch`, `Forecast`             times of impact of rigid bodies
`MovingMesh`, `first_impact`          times of impact of deforming meshes
`impinge.trimesh`                     trimesh's functions of these, with its names and conventions
`impinge.shapes`                      generated bodies
====================================  ==================================================================

Calls run on all cores; `set_threads` limits them. They release the interpreter lock.
"""

from __future__ import annotations

import os

from . import _impinge, shapes
from ._bodies import Closest, Convex, Pair, collide, distance, overlap_volume, penetration
from ._errors import FileError, MeshError, MeshWarning
from ._impact import Event, Forecast, Impact, Motion, MovingMesh, first_impact, first_touch
from ._inside import Inside
from ._mesh import Mesh, Report, as_mesh, read, read_points, write
from ._nearest import Nearest, NearestPoints, SegmentHits
from ._pairs import Changes, Pairs, query_box_pairs, query_pairs
from ._projection import NodeContacts, Projected, Projection, contacts
from ._scene import CONTACT, Capsule, Compound, Cone, Cylinder, Detector, HalfSpace, Scene, Sphere, Tetrahedra
from ._solids import Hits, Solids, self_hits
from ._world import FORCE, Bodies, Energy, Material, Particles, Progress, World, run

__all__ = [
    "Bodies",
    "CONTACT",
    "Capsule",
    "Changes",
    "Closest",
    "Compound",
    "Cone",
    "Convex",
    "Cylinder",
    "Detector",
    "Energy",
    "Event",
    "FORCE",
    "FileError",
    "Forecast",
    "HalfSpace",
    "Hits",
    "Impact",
    "Inside",
    "Material",
    "Mesh",
    "MeshError",
    "MeshWarning",
    "Motion",
    "MovingMesh",
    "Nearest",
    "NearestPoints",
    "NodeContacts",
    "Pair",
    "Pairs",
    "Particles",
    "Progress",
    "Projected",
    "Projection",
    "Report",
    "Scene",
    "SegmentHits",
    "Solids",
    "Sphere",
    "Tetrahedra",
    "World",
    "as_mesh",
    "collide",
    "contacts",
    "distance",
    "first_impact",
    "first_touch",
    "overlap_volume",
    "penetration",
    "query_box_pairs",
    "query_pairs",
    "read",
    "read_points",
    "run",
    "self_hits",
    "set_threads",
    "shapes",
    "threads",
    "write",
]


def threads() -> int:
    """Return the number of threads that calls run on."""
    return _impinge.threads()


def set_threads(count: int) -> None:
    """Set the number of threads that calls run on; 0 for one on each core.

    Results do not depend on it.

    Examples
    --------
    >>> import impinge
    >>> impinge.set_threads(1)
    >>> impinge.threads()
    1
    >>> impinge.set_threads(0)
    """
    if count < 0:
        raise ValueError("the number of threads is not negative")
    _impinge.set_threads(count)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_impinge.start_over_after_fork)
