"""The import of the package, and of what needs another one that is missing: it names the extra that installs it."""

import subprocess
import sys
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

import c4mcts
from c4mcts import errors


def test_from_an_archive_it_is_refused(tmp_path):
    """Its binaries and its data must be files."""
    package = Path(c4mcts.__file__).parent
    with zipfile.ZipFile(tmp_path / "packages.zip", "w") as archive:
        archive.write(package / "__init__.py", "c4mcts/__init__.py")
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'packages.zip')!r}); import c4mcts"
    done = subprocess.run([sys.executable, "-S", "-c", code], stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.stderr.splitlines()[-1].startswith("ImportError: c4mcts can't be imported from an archive, ")


def test_all_exceptions_are_in_the_tree():
    """A program catches all of them with C4mctsError, which is a ValueError; the docstring draws each one."""
    classes = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    assert all(issubclass(kind, c4mcts.C4mctsError) and f"── {kind.__name__}\n" in errors.__doc__ for kind in classes)
    assert len(classes) == errors.__doc__.count("── ")
    assert issubclass(c4mcts.C4mctsError, ValueError)


PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
NEEDS = {  # what a program does: the package, and the extra
    "import c4mcts.adapters.gymnasium": ("gymnasium", "gymnasium"),
    "import c4mcts.adapters.mcp": ("mcp", "mcp"),
    "import c4mcts.adapters.openspiel": ("pyspiel", "openspiel"),
    "import c4mcts.adapters.pettingzoo": ("pettingzoo", "pettingzoo"),
    "from c4mcts.view import AnalysisBoard": ("anywidget", "notebook"),
    "from c4mcts.evaluators import *; TorchEvaluator(None)": ("torch", "torch"),
    "from c4mcts.evaluators import *; OnnxEvaluator('x')": ("onnxruntime", "onnx"),
    "from c4mcts.evaluators import *; JaxEvaluator(None, {})": ("jax", "jax"),
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
