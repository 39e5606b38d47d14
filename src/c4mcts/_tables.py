"""Tables as files, in the CSV format or as Parquet."""

import io
from collections.abc import Iterable, Mapping
from typing import Any

from ._files import write
from ._named import installed_by


def write_table(path: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows that have the same keys: to a .parquet file, which needs pyarrow, else in the CSV format. None and NaN
    become empty fields. ModuleNotFoundError, OSError.
    """
    table = [{name: _cell(value) for name, value in row.items()} for row in rows]
    if is_parquet(path):
        file = io.BytesIO()
        pyarrow().parquet.write_table(pyarrow().Table.from_pylist(table), file)
        write(path, file.getvalue())
        return
    import csv

    text = io.StringIO()
    writer = csv.DictWriter(text, list(table[0]) if table else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    write(path, text.getvalue().encode())


def _cell(value: Any) -> Any:
    """A cell of a table. The names of files may have surrogates, which become JSON's escapes."""
    if isinstance(value, str):
        return value.encode(errors="backslashreplace").decode()
    return None if value != value else value


def is_parquet(path: str) -> bool:
    return path.lower().endswith(".parquet")


def pyarrow() -> Any:
    """The module. ModuleNotFoundError, which says how to install it."""
    with installed_by("parquet"):
        import pyarrow
        import pyarrow.parquet
    return pyarrow
