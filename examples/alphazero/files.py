"""Files that are written atomically: at any moment the path holds the whole old file or the whole new one."""

import os
from pathlib import Path


def write(path: Path, data: bytes) -> None:
    """Write a file: under another name, then onto the disk, then by one rename."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")  # two processes may measure the same training
    with open(part, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
    if os.name == "posix":  # the rename itself must reach the disk too
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
