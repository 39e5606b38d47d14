"""The exported submissions, which take seconds to compress, made once a session."""

import pytest

from c4mcts import SearchParams
from c4mcts.adapters.kaggle_submission.archive import check_core, export, package_files


@pytest.fixture(scope="session")
def core():
    """Skips where the installed core is not the one that Kaggle runs."""
    try:
        check_core(package_files())
    except RuntimeError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def submissions(core, tmp_path_factory):
    """A folder with submission.tar.gz, of the preset perfect, and submission.py, of the preset network."""
    folder = tmp_path_factory.mktemp("submissions")
    size = export(folder / "submission.tar.gz", SearchParams.preset("perfect"))
    assert size == (folder / "submission.tar.gz").stat().st_size
    export(folder / "submission.py", SearchParams.preset("network"), single_file=True)
    return folder
