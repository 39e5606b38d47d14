"""What needs a package that is missing names the extra that installs it."""

import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
NEEDS = {  # what a program does: the package, and the extra
    "import c4mcts.adapters.gymnasium": ("gymnasium", "gymnasium"),
    "import c4mcts.adapters.mcp": ("mcp", "mcp"),
    "import c4mcts.adapters.openspiel": ("pyspiel", "openspiel"),
    "import c4mcts.adapters.pettingzoo": ("pettingzoo", "pettingzoo"),
    "import c4mcts.page.widget": ("anywidget", "notebook"),
    "from c4mcts.evaluators import *; TorchEvaluator(None)": ("torch", "torch"),
    "from c4mcts.evaluators import *; OnnxEvaluator('x')": ("onnxruntime", "onnx"),
    "from c4mcts.evaluators import *; JaxEvaluator(None, {})": ("jax", "jax"),
    "import c4mcts; c4mcts.PolicyValueNetwork.load().to_onnx()": ("onnx", "onnx"),
    "from c4mcts.cli import main; sys.exit(main(['web']))": ("starlette", "web"),
    "from c4mcts.cli import main; sys.exit(main(['serve', '--http']))": ("starlette", "web"),
    "from c4mcts.cli import main; sys.exit(main(['serve', '--mcp']))": ("mcp", "mcp"),
    "from c4mcts.cli import main; sys.exit(main(['--print-completion', 'bash']))": ("shtab", "completion"),
}
NO_GYMNASIUM = find_spec("gymnasium") is None  # which the adapter for PettingZoo imports first


@pytest.mark.parametrize("code", NEEDS)
def test_the_extra_is_named(code):
    package, extra = NEEDS[code]
    code = f"import sys; sys.modules[{package!r}] = None; {code}"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=60)
    top = "gymnasium" if extra == "pettingzoo" and NO_GYMNASIUM else package
    assert (done.returncode, done.stdout) == (1, "")
    error = done.stderr.splitlines()[-1]  # Python 3.15 adds a name that is similar
    assert f" {top} is not installed: pip install 'c4mcts[{extra}]'" in error
    assert extra in PROJECT["project"]["optional-dependencies"]


@pytest.mark.parametrize("module", ["kaggle", "pgx"])
def test_the_others_need_none(module):
    code = (
        f"import sys; sys.modules.update(kaggle_environments=None, pgx=None, jax=None); import c4mcts.adapters.{module}"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
