"""The command `impinge`."""

from __future__ import annotations

import sys

from . import _impinge

__all__ = ["main"]


def main() -> int:
    """Run the command with the arguments of the process."""
    return _impinge.main(["impinge", *sys.argv[1:]])
