"""The exported submissions, which take seconds to compress, made once a session; the file of an agent."""

import pytest

from c4mcts import SearchParams
from c4mcts.adapters.kaggle_submission.archive import check_core, export, package_files

COUNTING = """
import random
import numpy as np
turns = 0
def helper():
    return 5
def play(observation, configuration):
    global turns
    turns += 1
    assert turns == 1 + observation["step"] // 2
    columns = [column for column in range(configuration["columns"]) if observation.board[column] == 0]
    return random.choice(columns) if turns % 2 else int(np.random.choice(columns))
"""


@pytest.fixture
def counting_agent(tmp_path):
    """A file with an agent that counts its turns, so that it can't play two games, and draws its moves."""
    (tmp_path / "agent.py").write_text(COUNTING)
    return tmp_path / "agent.py"


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
