"""Self-play as a Parquet file: a column for each array; lists for those with several numbers in a row."""

import io
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from ..executors.checkpoint import Facts
from .rows import Rows

if TYPE_CHECKING:
    import pyarrow


def content(sources: Sequence[Facts], shards: Sequence[Rows]) -> bytes:
    """The bytes of the file, a row group for each shard; the sources are in its metadata, as JSON under "c4mcts"."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ImportError("to_parquet needs pyarrow: pip install 'c4mcts[parquet]'") from None
    columns = [{name: _column(values) for name, values in shard.items()} for shard in shards]
    tables = [pyarrow.table(shard).replace_schema_metadata({"c4mcts": json.dumps(list(sources))}) for shard in columns]
    file = io.BytesIO()
    with pyarrow.parquet.ParquetWriter(file, tables[0].schema) as writer:
        for table in tables:
            writer.write_table(table)
    return file.getvalue()


def _column(values: npt.NDArray[Any]) -> "pyarrow.Array":
    import pyarrow

    flat = pyarrow.array(values.reshape(-1))
    return flat if values.ndim == 1 else pyarrow.FixedSizeListArray.from_arrays(flat, values.shape[1])
