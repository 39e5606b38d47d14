"""Archives that were made for Kaggle: .tar.gz files with a main.py, from anybody."""

import atexit
import gzip
import io
import os
import shutil
import tarfile
import zlib
from tempfile import mkdtemp
from typing import BinaryIO

MAX_UNPACKED = 1 << 29  # bytes of an archive's content
MAX_MEMBERS = 10_000

_archives: dict[tuple[str, int, int], str] = {}  # the folders of those that are unpacked, until the process ends


def main_of(path: str) -> str:
    """The file main.py of an archive as for Kaggle, which is unpacked into a temporary folder. OSError, ValueError."""
    about = os.stat(path)
    key = path, about.st_mtime_ns, about.st_size
    if key not in _archives:
        folder = mkdtemp(prefix="c4mcts-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        with open(path, "rb") as file:
            _extract(file, folder)
        _archives[key] = folder
    main = os.path.join(_archives[key], "main.py")
    if not os.path.isfile(main):
        raise ValueError("the archive must have a file main.py, as for Kaggle")
    return main


def _extract(file: BinaryIO, folder: str) -> None:
    """Unpack a .tar.gz archive, within limits. ValueError."""
    refusal = f"the archive must have at most {MAX_MEMBERS:,} files and {MAX_UNPACKED >> 20} MB of content"
    try:
        content = gzip.GzipFile(fileobj=file).read(MAX_UNPACKED + 1)
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            size = len(content)
            for number, member in enumerate(archive):
                size += member.size * bool(member.sparse)  # all other content is in the archive
                if size > MAX_UNPACKED or number >= MAX_MEMBERS:
                    raise ValueError(refusal)
                archive.extract(member, folder, filter="data")
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise ValueError(f"the archive can't be unpacked: {error}") from None
