"""Store: the finished jobs of long work, in a file from which the same call continues.

The file is an SQLite database of two tables: `facts` identifies the work, `jobs` has the result of each job by number.
Identity and results are JSON; a result may also be bytes. Every change is a transaction, so the file is whole after a
crash or kill -9.
"""

import errno
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from .._files import StrPath, path_of
from .._validation import brief, described
from ..errors import CheckpointError
from ..seeds import SIGNATURE, root_seed

if TYPE_CHECKING:
    import sqlite3  # imported where a file is opened: most programs don't need it, and Pyodide may lack it

Identity = dict[str, Any]  # the kind of work and all its arguments, in JSON types

FORMAT = 4  # version of the file format and of the results of the jobs
SCHEMA = [
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    "CREATE TABLE jobs (number INTEGER PRIMARY KEY, result)",
]
CODE = "code: "  # the beginning of the names of arguments that are digests of somebody's code, by the name of it
PLAYERS = "players"  # the name of the fact that has the digests of players by name; it may change
SAFETY = ("trusted_schema = OFF", "cell_size_check = ON", "locking_mode = EXCLUSIVE")  # the file may be a stranger's
SYNC_SECONDS = 1.0  # least time between two writes that wait for the disk; each takes about 10 ms
SYSTEM_ERRORS = {"FULL": errno.ENOSPC, "IOERR": errno.EIO, "READONLY": errno.EACCES, "CANTOPEN": errno.EACCES}


def work_identity(experiment: str, arguments: Identity) -> Identity:
    """All that two calls must have in common, except the seed, for one to continue with the results of the other."""
    identity = {"format": FORMAT, "signature": SIGNATURE, "experiment": experiment, **arguments}
    return dict(json.loads(json.dumps(identity)))


def require_equal(stored: Identity, identity: Identity, where: str) -> None:
    """CheckpointError with the first difference, if a file was made by another call. where: begins the message."""
    there, here = dict(_flat(stored)), dict(_flat(identity))
    for name in {**here, **there}:
        if name not in there or name not in here or there[name] != here[name]:
            one, other = (brief(each[name]) if name in each else "missing" for each in (there, here))
            text = f"{name} is {one} there, {other} here"
            if name.startswith(CODE):  # of which a digest says nothing to people
                text = f"{name.removeprefix(CODE)} has changed since"
            raise CheckpointError(f"{where}: {text}; delete it, or choose another name")


def _flat(identity: Identity, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """An identity without nesting; the name of an inner one begins with the name of the outer one."""
    for name, value in identity.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}: ")
        else:
            yield f"{prefix}{name}", value


class Store:
    """The results of jobs by number. Each is kept in the file at once: kill -9 loses only jobs that are running.

    A context manager: entering it opens the file, or makes it, and fills `results` and `seed`; leaving it closes the
    file. In between no other call or process can open it.

    path: None to keep results in memory alone. An existing file must come from the same work with the same arguments.
    seed: None for the seed of the file, or for a random one if the file is new.

    Raises CheckpointError for a file of other work, in use, damaged, or that is no checkpoint; OSError.
    """

    def __init__(self, path: StrPath | None, experiment: str, arguments: Identity, seed: int | None) -> None:
        self.path = None if path is None else path_of("checkpoint", path)
        self.experiment = experiment
        self.results: dict[int, Any] = {}
        self.seed = root_seed(seed)
        self._is_drawn = seed is None
        self._identity = work_identity(experiment, arguments)
        self._players: dict[str, str] = {}
        self._database: sqlite3.Connection | None = None
        self._synced = -SYNC_SECONDS  # when a write has waited for the disk

    def update(self, results: Mapping[int, Any]) -> None:
        """Keep results, JSON types or bytes: all of them or, after an error, none. OSError.

        After Ctrl-C they may be in the file."""
        rows = ((n, each if isinstance(each, bytes) else json.dumps(each)) for n, each in results.items())
        if self._database is not None:
            self._transact(lambda database: database.executemany("INSERT OR REPLACE INTO jobs VALUES (?, ?)", rows))
        self.results.update(results)

    def changed_players(self, players: Mapping[str, str]) -> list[str]:
        """The names for which the file has another digest; it keeps the new ones. OSError."""
        before, self._players = self._players, {**self._players, **players}
        if self._database is not None and self._players != before:
            row = PLAYERS, json.dumps(self._players)
            self._transact(lambda database: database.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", row))
        return [name for name, digest in players.items() if before.get(name, digest) != digest]

    def remove(self) -> None:
        """Close the file and remove it, when all work is done. OSError."""
        self.__exit__()
        if self.path is not None:
            for path in (self.path, f"{self.path}-journal"):  # a killed process may have left a journal
                with suppress(FileNotFoundError):
                    os.remove(path)

    def __enter__(self) -> Self:
        if self.path is not None:
            os.stat(os.path.dirname(os.path.abspath(self.path)))  # FileNotFoundError names the folder
            try:
                self._transact(self._begin)
            except BaseException:
                self.__exit__()
                raise
        return self

    def __exit__(self, *error: object) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _transact(self, action: "Callable[[sqlite3.Connection], object]") -> None:
        import sqlite3

        now = time.monotonic()
        due = now - self._synced >= SYNC_SECONDS
        try:
            if self._database is None:
                assert self.path is not None  # an absolute path is never one of SQLite's special names
                self._database = sqlite3.connect(os.path.abspath(self.path), timeout=0, isolation_level=None)
                for each in SAFETY:
                    self._database.execute(f"PRAGMA {each}")
            self._database.execute(f"PRAGMA synchronous = {'NORMAL' if due else 'OFF'}")
            self._database.execute("BEGIN EXCLUSIVE")
            with self._database:  # commits, or rolls back
                action(self._database)
        except (sqlite3.Error, UnicodeDecodeError) as error:  # a damaged text may be in the message
            kind = getattr(error, "sqlite_errorname", "SQLITE_CORRUPT").split("_")[1]
            if kind == "BUSY":
                raise CheckpointError(f"checkpoint {self.path} is in use, by another process or call") from None
            if kind in SYSTEM_ERRORS:
                raise OSError(SYSTEM_ERRORS[kind], str(error), self.path) from None
            raise self._damaged(str(error)) from None
        if due:
            self._synced = now

    def _begin(self, database: "sqlite3.Connection") -> None:
        if database.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
            raise self._damaged("its pages have changed")
        schema = [sql for (sql,) in database.execute("SELECT sql FROM sqlite_master ORDER BY rootpage")]
        if not schema:
            for table in SCHEMA:
                database.execute(table)
            identity = {**self._identity, "seed": self.seed}
            database.executemany("INSERT INTO facts VALUES (?, ?)", ((n, json.dumps(v)) for n, v in identity.items()))
        elif schema == SCHEMA:
            self._read(database)
            # a write, so that SQLite removes the journal of a killed process, and says now if it can't write
            database.execute(f"PRAGMA user_version = {FORMAT}")
        else:
            raise self._damaged("it has other tables")

    def _read(self, database: "sqlite3.Connection") -> None:
        try:
            stored = {name: json.loads(value) for name, value in database.execute("SELECT * FROM facts")}
            seed = root_seed(stored["seed"])
            self._players = dict(stored.pop(PLAYERS, {}))
            for number, result in database.execute("SELECT * FROM jobs"):
                self.results[number] = result if isinstance(result, bytes) else json.loads(result)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise self._damaged(described(error)) from None
        if self._is_drawn:
            self.seed = seed
        require_equal(stored, {**self._identity, "seed": self.seed}, f"checkpoint {self.path} holds another experiment")

    def _damaged(self, reason: str) -> CheckpointError:
        return CheckpointError(f"checkpoint {self.path} is damaged, or is something else: {reason}")
