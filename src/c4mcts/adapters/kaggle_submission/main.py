"""A Kaggle ConnectX agent, made by `c4mcts export-kaggle`."""

import atexit
import base64
import io
import json
import os
import shutil
import sys
import tempfile
import types
import zipfile
from collections.abc import Callable
from time import monotonic
from typing import Any

OPTIONS = ""  # JSON: the options of the agent
PAYLOAD = ""  # the folder c4mcts as a zip archive in base 85; empty if the folder is next to this file

_file = os.path.abspath(sys._getframe().f_code.co_filename)  # Kaggle does not set __file__
_agent: Callable[..., int] | None = None


def _folder() -> str:
    """The folder that contains the folder c4mcts: the temporary one of a single file is removed at the end."""
    if not PAYLOAD:
        for folder in (os.path.dirname(_file), "/kaggle_simulations/agent"):
            if os.path.isdir(os.path.join(folder, "c4mcts")):
                return folder
        raise FileNotFoundError(f"the folder c4mcts must be next to {_file}")
    folder = tempfile.mkdtemp(prefix="c4mcts-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    zipfile.ZipFile(io.BytesIO(base64.b85decode(PAYLOAD.replace("\n", "")))).extractall(folder)
    return folder


def _new_agent() -> Callable[..., int]:
    """The agent of the native core, or, if the core or NumPy can't be loaded, of the standard library."""
    options = json.loads(OPTIONS)
    loaded: Any = sys.modules.get("c4mcts")  # by an earlier game in this process
    if loaded is not None and loaded.__version__ != options["version"]:
        raise ImportError(f"this agent is for c4mcts {options['version']}, the process has loaded {loaded.__version__}")
    folder = _folder() if loaded is None else os.path.dirname(loaded.__path__[0])
    sys.dont_write_bytecode = True  # nothing is written into the folder, now or later
    sys.path.insert(0, folder)
    try:
        from c4mcts.adapters.kaggle import agent_of

        return agent_of(options)
    except Exception as error:
        print(f"c4mcts: the native core can't be loaded, so the pure-Python one plays: {error!r}", file=sys.stderr)
        _avoid_numpy(folder, options["version"])
        from c4mcts.adapters.kaggle_submission.fallback import FallbackAgent

        return FallbackAgent(options["settings"])
    finally:
        sys.path.remove(folder)


def _avoid_numpy(folder: str, version: str) -> None:
    """Allow importing the modules of c4mcts without its __init__, which needs NumPy."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "c4mcts"]:
        del sys.modules[name]
    package: Any = types.ModuleType("c4mcts")
    package.__path__, package.__version__ = [os.path.join(folder, "c4mcts")], version
    sys.modules["c4mcts"] = package


def agent(observation: Any, configuration: Any) -> int:
    """The column to play."""
    global _agent
    started = monotonic()
    if _agent is None:
        _agent = _new_agent()
    return _agent(observation, configuration, started)
