"""Runtime: Pyodide and NumPy for an exported page, found on this machine and known by their hashes."""

import hashlib
import json
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

MODULES = re.compile(r"(?P<name>\w+)-(?P<version>[^-]+)-.*_(?P<abi>\d+_\d+)_wasm32\.whl")  # the name of a wheel


class Release(NamedTuple):
    """A version of Pyodide, and the SHA-256 of its files. Its lock file has the hashes of the packages made for it."""

    version: str
    files: dict[str, str]


LOCK = "pyodide-lock.json"
LIBRARY = "python_stdlib.zip"
RELEASES = {  # by the ABI that wheels name; the versions that the tests and the published wheels are for
    "2024_0": Release(
        "0.27.7",
        {
            "pyodide.mjs": "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f",
            "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
            "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
            LIBRARY: "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
            LOCK: "9c45b916001a750f4102fc287494f3eab215909c7535c626a20db80fd6333e2c",
        },
    ),
    "2026_0": Release(
        "314.0.7",
        {
            "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
            "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
            "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
            LIBRARY: "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
            LOCK: "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
        },
    ),
}


@dataclass(frozen=True)
class Runtime:
    """files: of Pyodide, by name. python: its version of Python, such as (3, 12). numpy: the wheel."""

    files: dict[str, bytes]
    python: tuple[int, ...]
    numpy: bytes


def find_runtime(abi: str, places: Sequence[Path]) -> Runtime:
    """The runtime for wheels of an ABI. places: folders and archives that have its files. ValueError, OSError."""
    release = RELEASES[abi]
    wanted = f"Pyodide {release.version}"
    files = {name: find(name, digest, places, wanted) for name, digest in release.files.items()}
    lock = json.loads(files[LOCK])
    numpy = lock["packages"]["numpy"]
    python = tuple(map(int, lock["info"]["python"].split(".")[:2]))
    return Runtime(files, python, find(numpy["file_name"], numpy["sha256"], places, wanted))


def find(name: str, digest: str, places: Sequence[Path], wanted: str) -> bytes:
    """The file with a name and a hash. ValueError if no place has it."""
    others = []
    for place in places:
        for read in named(name, place):
            data = read()
            if hashlib.sha256(data).hexdigest() == digest:
                return data
            others.append(f"{place} has another {name}")
    found = "; ".join(others) or f"not in {', '.join(map(str, places))}"
    raise ValueError(f"{wanted} needs {name} with the SHA-256 {digest}: {found}")


def named(name: str, place: Path) -> Iterator[Callable[[], bytes]]:
    """Readers of the files with a name: in a folder, or anywhere in an archive (tar, zip, wheel)."""
    if place.is_dir():
        if (place / name).is_file():
            yield (place / name).read_bytes
    elif zipfile.is_zipfile(place):
        with zipfile.ZipFile(place) as archive:
            for inside in archive.namelist():
                if inside.rpartition("/")[2] == name:
                    yield lambda inside=inside: archive.read(inside)  # type: ignore[misc]
    elif tarfile.is_tarfile(place):
        with tarfile.open(place) as tar:
            for member in tar.getmembers():
                if member.isfile() and member.name.rpartition("/")[2] == name:
                    yield lambda member=member: tar.extractfile(member).read()  # type: ignore[misc, union-attr]
    else:
        raise ValueError(f"{place} is neither a folder nor an archive")
