"""Files: paths as arguments, the encoding of a text, and atomic writing."""

import os
import re
import stat
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any, BinaryIO

from ._validation import must_be

StrPath = str | os.PathLike[str]

FILE_ENDINGS = (".npz", ".parquet", ".csv", ".json", ".txt", ".png", ".svg", ".html")  # what no folder ends in
DESCRIPTOR = re.compile("/dev/stdout|/dev/stderr|/dev/fd/|/proc/")  # paths of open files of a process


def path_of(name: str, path: object, *endings: str) -> str:
    """A str or os.PathLike as a string. Numbers, which open() takes too, are refused. TypeError, ValueError.

    endings: that the name of the file may have, in lower case; by default any.
    """
    text = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(text, str):
        raise TypeError(must_be(name, "a path, a str or an os.PathLike of one", path))
    if not text.lower().endswith(endings or ""):
        raise ValueError(must_be(name, f"a name that ends in {' or '.join(endings)}", text))
    with suppress(UnicodeError):
        if text and b"\0" not in os.fsencode(text):
            return text
    raise ValueError(must_be(name, "a path that the system can write", path))


def folder_path(name: str, path: object) -> str:
    """The path of a folder as a string. TypeError, ValueError, also for the name of a file, unless it is a folder."""
    where = path_of(name, path)
    if where.lower().endswith(FILE_ENDINGS) and not os.path.isdir(where):
        raise ValueError(must_be(name, "the name of a folder", where))
    return where


def encoding_of(start: bytes) -> str:
    """The encoding of a text, by its byte order mark: programs for Windows write UTF-8 with one, and UTF-16."""
    return "utf-16" if start.startswith((BOM_UTF16_BE, BOM_UTF16_LE)) else "utf-8-sig"


def json_types(value: Any) -> Any:
    """A dataclass as a dict, tuples as lists."""
    if is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, dict):
        return {name: json_types(each) for name, each in value.items()}
    return [json_types(each) for each in value] if isinstance(value, tuple | list) else value


def write(path: str, data: bytes) -> None:
    """Write a file atomically; see `replacing`. Raises OSError.

    A symbolic link is kept, and its target replaced. A device, a pipe or /dev/stdout can't be replaced: the data is
    appended to it.
    """
    mode = _mode(path)
    if mode is not None and (not stat.S_ISREG(mode) or DESCRIPTOR.match(os.path.abspath(path))):
        with open(path, "ab") as file:
            file.write(data)
    else:
        with replacing(os.path.realpath(path)) as file:
            file.write(data)


@contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """A new file to write, which replaces the one at the path when the block ends without an exception.

    So at any moment the path holds the whole old file or the whole new one. The new file gets the mode of the old one.
    OSError.
    """
    mode = _mode(path)
    part = os.path.join(os.path.dirname(path), f"c4mcts-{os.urandom(6).hex()}.part")
    try:
        private = partial(os.open, mode=0o666 if mode is None else 0o600)
        with open(part, "xb", opener=private) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None and os.name == "posix":  # Windows can't replace read-only files
            os.chmod(part, stat.S_IMODE(mode))
        os.replace(part, path)
    except BaseException as error:
        with suppress(OSError):
            os.remove(part)
        if isinstance(error, OSError) and error.filename == part:
            error.filename = path
        raise


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None
