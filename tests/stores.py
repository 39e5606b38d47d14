"""Reads and forges checkpoints by SQLite alone."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path


def connected(path):
    return closing(sqlite3.connect(Path(path).absolute().as_uri() + "?mode=rw", uri=True, isolation_level=None))


def facts_in(path):
    """The facts of a checkpoint by name."""
    with connected(path) as database:
        return {name: json.loads(value) for name, value in database.execute("SELECT name, value FROM facts")}


def results_in(path):
    """The results of a checkpoint by number of the job."""
    with connected(path) as database:
        rows = database.execute("SELECT number, result FROM jobs ORDER BY number").fetchall()
    return {number: result if isinstance(result, bytes) else json.loads(result) for number, result in rows}


def put_results(path, results):
    """Replace all results of a checkpoint."""
    rows = [(n, result if isinstance(result, bytes) else json.dumps(result)) for n, result in results.items()]
    with connected(path) as database:
        database.execute("DELETE FROM jobs")
        database.executemany("INSERT INTO jobs VALUES (?, ?)", rows)
