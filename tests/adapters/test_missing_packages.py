"""An adapter whose package is missing names the extra that installs it."""

import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = {  # of each module that needs one: the package, and the extra
    "c4mcts.adapters.gymnasium": ("gymnasium", "gymnasium"),
    "c4mcts.adapters.mcp": ("mcp", "mcp"),
    "c4mcts.adapters.openspiel": ("pyspiel", "openspiel"),
    "c4mcts.adapters.pettingzoo": ("pettingzoo", "pettingzoo"),
    "c4mcts.widget": ("anywidget", "notebook"),
}
NO_GYMNASIUM = find_spec("gymnasium") is None  # which the adapter for PettingZoo imports first


@pytest.mark.parametrize("module", PACKAGES)
def test_the_extra_is_named(module):
    package, extra = PACKAGES[module]
    code = f"import sys; sys.modules[{package!r}] = None; import {module}"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    top = "gymnasium" if extra == "pettingzoo" and NO_GYMNASIUM else package
    assert done.stderr.splitlines()[-1] == f"ModuleNotFoundError: {top} is not installed: pip install 'c4mcts[{extra}]'"
    assert extra in PROJECT["project"]["optional-dependencies"]


@pytest.mark.parametrize("module", ["kaggle", "pgx"])
def test_the_others_need_none(module):
    code = (
        f"import sys; sys.modules.update(kaggle_environments=None, pgx=None, jax=None); import c4mcts.adapters.{module}"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
