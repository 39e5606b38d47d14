"""Checkpoints: what an experiment, or self-play, has found so far, in a file that survives its end.

JSON lines. The first says which experiment it is, with all arguments; each of the others is [index of a job, result].
"""

import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from .. import __version__
from ..errors import CheckpointError
from ..seeds import root_seed

Facts = dict[str, Any]  # which experiment it is, with all arguments; as JSON holds it


def facts_of(experiment: str, arguments: Facts) -> Facts:
    """What two calls must have in common for one to go on with the results of the other, but for the seed."""
    facts: Facts = json.loads(json.dumps({"c4mcts": __version__, "experiment": experiment, **arguments}))
    return facts


def require_equal(found: Facts, facts: Facts, where: str) -> None:
    """CheckpointError, with the first difference, unless what a file was made with is asked for now."""
    for name in {**facts, **found}:
        there, here = found.get(name), facts.get(name)
        if there != here:
            if isinstance(there, dict) and isinstance(here, dict):  # say which of the parameters it is
                name, there, here = _first_difference(name, there, here)
            raise CheckpointError(
                f"{where}: {name} is {there!r} there, {here!r} here; delete the file or choose another one"
            )


class Checkpoint:
    """The results of an experiment's jobs, by index; what is added is written to the file at once, if there is one.

    path: None, or a file; one that is there already must come from the same experiment with the same arguments, and
    is continued. A last line that is not complete is dropped: the process was killed while it wrote.

    seed: the file's, where None is asked for. Raises CheckpointError, OSError.
    """

    def __init__(
        self, path: str | os.PathLike[str] | None, experiment: str, arguments: Facts, seed: int | None
    ) -> None:
        self.results: dict[int, Any] = {}
        self._path = None if path is None else Path(path)
        self._file: BinaryIO | None = None
        facts = facts_of(experiment, arguments)
        lines = self._complete_lines()
        if not lines:
            self.seed = root_seed(seed)
            self._header: bytes | None = _line({**facts, "seed": self.seed})
            return
        self._header = None
        found = self._read_header(lines[0])
        self.seed = root_seed(found["seed"] if seed is None else seed)
        require_equal(found, {**facts, "seed": self.seed}, f"checkpoint {self._path} holds another experiment")
        for number, line in enumerate(lines[1:], start=2):
            self._read_result(number, line)

    def add(self, index: int, result: Any) -> None:
        """Keep a result."""
        self.results[index] = result
        if self._file is not None:
            self._file.write(_line([index, result]))

    def __enter__(self) -> Self:
        if self._path is not None:
            self._file = self._path.open("ab", buffering=0)  # each line with one call of the system
            if self._header is not None:
                self._file.write(self._header)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def _complete_lines(self) -> list[bytes]:
        """The lines of the file, of which there may be none; an incomplete last one is cut off."""
        if self._path is None or not self._path.exists():
            return []
        data = self._path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if data and not whole:
            raise self._foreign()
        lines = data[:whole].splitlines()
        if lines and whole < len(data):
            self._read_header(lines[0])  # nothing is cut off a file that is none of ours
            os.truncate(self._path, whole)
        return lines

    def _read_header(self, line: bytes) -> Facts:
        try:
            found = json.loads(line)
        except ValueError:
            raise self._foreign() from None
        if not isinstance(found, dict) or not {"c4mcts", "experiment", "seed"} <= set(found):
            raise self._foreign()
        return found

    def _read_result(self, number: int, line: bytes) -> None:
        try:
            index, result = json.loads(line)
            if type(index) is not int:
                raise ValueError
        except (TypeError, ValueError):
            raise CheckpointError(f"checkpoint {self._path} is damaged: line {number} is no result") from None
        self.results[index] = result

    def _foreign(self) -> CheckpointError:
        return CheckpointError(f"checkpoint {self._path} is a file, but no checkpoint of an experiment")


def _line(content: Any) -> bytes:
    return (json.dumps(content, separators=(",", ":")) + "\n").encode()


def _first_difference(name: str, there: Facts, here: Facts) -> tuple[str, Any, Any]:
    """Where two mappings, of mappings maybe, differ."""
    key = next(key for key in {**here, **there} if there.get(key) != here.get(key))
    one, other = there.get(key), here.get(key)
    if isinstance(one, dict) and isinstance(other, dict):
        return _first_difference(key, one, other)
    return f"{name}: {key}", one, other
