"""Packs a built extension module and the package into a wheel: `python pack.py LIBRARY FOLDER`.

The tests install this wheel. `cargo xtask wheel` makes the one to publish with maturin, which compiles the library
again, for any Linux; the tests use the one that cargo has compiled for them anyway.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).parent


def main(library: Path, folder: Path) -> Path:
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    version = tomllib.loads((HERE / "../../Cargo.toml").read_text())["workspace"]["package"]["version"]
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    info = f"{project['name']}-{version}.dist-info"

    package = HERE / "python"
    sources = [path for path in sorted(package.rglob("*")) if path.suffix in (".py", ".pyi") or path.name == "py.typed"]
    files = {path.relative_to(package).as_posix(): path.read_bytes() for path in sources}
    files["impinge/_impinge.abi3.so"] = library.read_bytes()
    files[f"{info}/METADATA"] = metadata(project, version).encode()
    tag = f"cp311-abi3-{platform}"
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    scripts = "".join(f"{name} = {target}\n" for name, target in project["scripts"].items())
    files[f"{info}/entry_points.txt"] = f"[console_scripts]\n{scripts}".encode()
    record = "".join(f"{name},{digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()

    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{project['name']}-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return wheel


def metadata(project: dict[str, object], version: str) -> str:
    needs = "".join(f"Requires-Dist: {need}\n" for need in list(project["dependencies"]))  # type: ignore[call-overload]
    return f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {version}\n{needs}"


def digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), Path(sys.argv[2])))
