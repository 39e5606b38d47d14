"""Options that several commands share, and the objects built from them."""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any, get_args

from .. import _backend
from .._files import folder_path, is_parquet, pyarrow
from .._layout import MAX_THREADS
from .._named import installed_by, named_object
from .._platform import processors
from .._validation import naming
from ..executors.executor import AnyExecutor
from ..play.seats import Forfeit
from ..search.engine import Engine
from ..search.params import PRESETS, SearchParams
from ..search.typed_values import count as count
from ..search.typed_values import setting as named_setting
from ..search.typed_values import simulations
from ..seeds import root_seed
from .messages import CommandError, UsageError, reason, say
from .output import show

PRESET = "strong"  # default of a search
EVALUATOR_PRESET = "alphazero"  # default if there is an evaluator
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
CONNECT_SECONDS = 10  # timeout for connecting to a cluster
MAX_WORKERS = {"threads": MAX_THREADS, "processes": 61 if sys.platform == "win32" else MAX_THREADS}


def setting(text: str) -> tuple[str, Any]:
    """See search.typed_values.setting. ArgumentTypeError."""
    try:
        return named_setting(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error}") from None


def size(text: str) -> int:
    """Parse a number of bytes, such as 512M. ValueError."""
    number, unit = (text[:-1], UNITS[text[-1:].upper()]) if text[-1:].upper() in UNITS else (text, 1)
    return count(number) * unit


SHARED: dict[str, dict[str, Any]] = {  # options that mean the same in every command
    "backend": {
        "choices": get_args(_backend.BackendName),
        "default": "auto",
        "help": "native or pure-Python code (default auto: native if it is installed)",
    },
    "checkpoint": {"metavar": "FILE", "help": "keep finished games here; the same command continues from it"},
    "evaluator": {
        "metavar": "MODULE:NAME",
        "help": f"search with this function instead of rollouts; the default preset is then {EVALUATOR_PRESET}",
    },
    "executor": {
        "default": "threads",
        "metavar": "WHERE",
        "help": "threads (default) or processes, one per processor unless a number follows, as in threads:4; "
        "or the address of a Dask scheduler, tcp://host:8786",
    },
    "first": {"metavar": "SYMBOL", "help": "symbol of the player who began, in a drawing in which that is not clear"},
    "from": {
        "type": int,
        "choices": (0, 1),
        "default": 1,
        "dest": "digits_from",
        "help": "number of the leftmost column in strings of digits (default 1)",
    },
    "json": {"action": "store_true", "help": "print JSON instead of text"},
    "nodes": {"type": count, "metavar": "N", "help": "limit of the size of the tree, in nodes"},
    "preset": {"metavar": "NAME", "help": f"named set of parameters (default {PRESET}): {', '.join(PRESETS)}"},
    "seconds": {"type": float, "metavar": "S", "help": "limit of wall-clock time"},
    "seed": {"type": int, "metavar": "N", "help": "seed of the random numbers (default: drawn at random)"},
    "set": {
        "type": setting,
        "action": "append",
        "default": [],
        "metavar": "NAME=VALUE",
        "help": "any parameter of the search: exploration=0.7, choice=value, rewards=1,0,-1; may be repeated",
    },
    "simulations": {
        "type": simulations,
        "metavar": "N",
        "help": "number of simulations (reproducible with --seed and one thread), or 'columns' for one per open column",
    },
    "threads": {"type": int, "default": 1, "metavar": "N", "help": "threads that share one search (default 1)"},
}


def add_options(parser: argparse._ActionsContainer, *names: str, **changes: Any) -> None:
    """Add options of SHARED. changes: what is different of them."""
    for name in names:
        parser.add_argument(f"--{name}", **{**SHARED[name], **changes})


def usage_errors(prefix: str) -> AbstractContextManager[None]:
    """Turn a TypeError or ValueError of the library into a UsageError with a prefix."""
    return naming(prefix, UsageError)


@contextmanager
def errors_of_others(what: str | None) -> Iterator[None]:
    """Turn any exception into a CommandError, since code of the user may raise anything.

    what: the option or the argument that names this code; None if there is none.
    """
    try:
        yield
    except (CommandError, BrokenPipeError):
        raise
    except Forfeit as error:
        raise CommandError(f"{what}: {error}") from None
    except Exception as error:
        if what is None:
            raise
        raise CommandError(f"{what}: {type(error).__name__}: {error}") from None


def print_json(fields: dict[str, Any]) -> None:
    show(json.dumps(fields, allow_nan=False))


def backend_of(args: argparse.Namespace) -> str:
    """The name of the backend that is used, "native" or "pure". CommandError if it can't be loaded."""
    name = getattr(args, "backend", "auto")
    try:
        return _backend.load(name).name
    except ImportError as error:
        raise CommandError(f"the {name} backend can't be loaded: {error}") from None


def preset_of(args: argparse.Namespace) -> str:
    """The name of the preset that the options select."""
    if args.preset is not None:
        return str(args.preset)
    return PRESET if getattr(args, "evaluator", None) is None else EVALUATOR_PRESET


def params_of(args: argparse.Namespace, preset: str | None = None) -> SearchParams:
    """The parameters of a preset, by default the one of the options, changed by --set."""
    params = SearchParams.preset(preset or preset_of(args))
    with usage_errors("--set: "):
        return params.changed(**dict(args.set))


def limits_of(args: argparse.Namespace, **default: float) -> dict[str, Any]:
    """The limits for Engine.search from the options; `default` if none is given."""
    given = {name: getattr(args, name, None) for name in ("simulations", "seconds", "nodes")}
    return {name: value for name, value in given.items() if value is not None} or default


def evaluator_of(args: argparse.Namespace) -> Any:
    """The object that --evaluator names; None without the option. Raises anything that the user's module raises."""
    if args.evaluator is None:
        return None
    with usage_errors(f"--evaluator {args.evaluator}: "):
        return named_object(args.evaluator)


def engine_of(args: argparse.Namespace) -> tuple[Engine, int]:
    """A new engine and its seed. A seed is drawn if none is given, so that it can be printed and used again."""
    backend_of(args)
    seed = root_seed(args.seed)
    options = {"backend": args.backend, "threads": args.threads, "evaluator": evaluator_of(args)}
    return Engine(params_of(args), seed=seed, **options), seed


def require_output(args: argparse.Namespace, option: str, *endings: str) -> None:
    """Check, before the work begins, that the files of an option can be written when it is done. UsageError."""
    given = getattr(args, option)
    for name in [given] if isinstance(given, str) else given or ():
        path = Path(name)
        if endings and path.suffix.lower() not in endings:
            raise UsageError(f"--{option} {name}: the name must end in {', '.join(endings)}")
        if not path.absolute().parent.is_dir():
            raise UsageError(f"--{option} {name}: there is no folder {path.parent}")
        if path.is_dir():
            raise UsageError(f"--{option} {name}: this is a folder, not a file")
        if is_parquet(name):
            pyarrow()


def folder_of(args: argparse.Namespace) -> Path:
    """The folder of --out, which need not be there yet. UsageError."""
    if Path(args.out).is_file():
        raise UsageError(f"--out {args.out}: this is a file, not a folder")
    with usage_errors("--"):
        return Path(folder_path("out", args.out))


def save_all(args: argparse.Namespace, found: Any) -> None:
    """Write a result, by its `save`, to the files of --out. CommandError."""
    for name in args.out:
        try:
            found.save(name)
        except OSError as error:
            raise CommandError(f"--out {reason(error)}") from None


@contextmanager
def continued(args: argparse.Namespace, checkpoint: Path | str | None) -> Iterator[None]:
    """Say of work that is interrupted that the same command continues from its checkpoint."""
    try:
        yield
    except (KeyboardInterrupt, OSError, BrokenExecutor):
        if checkpoint is not None and Path(checkpoint).exists():
            say(f"c4mcts {args.command}: stopped; the same command continues from {checkpoint}")
        raise


def executor_of(args: argparse.Namespace) -> AbstractContextManager[AnyExecutor | None]:
    """The executor that --executor selects; None for one thread per processor. UsageError, CommandError."""
    if "://" in args.executor:
        with installed_by("dask"):
            from distributed import Client
        try:
            client: AbstractContextManager[AnyExecutor] = Client(args.executor, timeout=CONNECT_SECONDS)
            return client
        except (OSError, TimeoutError, ValueError) as error:
            raise CommandError(f"--executor {args.executor}: {str(error) or type(error).__name__}") from None
    found = re.fullmatch("(threads|processes)(?::([0-9]{1,9}))?", args.executor)
    if found is None:
        wanted = "threads, processes, either with a number as threads:4, or an address as tcp://host:8786"
        raise UsageError(f"--executor must be {wanted}, not {args.executor!r}")
    workers = None if found[2] is None else int(found[2])
    most = MAX_WORKERS[found[1]]
    if workers is not None and not 1 <= workers <= most:
        raise UsageError(f"--executor {args.executor}: the number must be 1 to {most}, not {workers}")
    if found[1] == "processes":
        return _processes(workers or min(processors(), most))
    return nullcontext() if workers is None else ThreadPoolExecutor(workers)


@contextmanager
def _processes(workers: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes, which end with this one, however it ends, and at once after an exception such as Ctrl-C."""
    from ..play.player_process import follow_parent

    context = get_context("spawn")  # a fork of a process with threads may hang
    with ProcessPoolExecutor(workers, context, initializer=follow_parent) as processes:
        try:
            yield processes
        except BaseException:
            # without its queue, or the end of a worker would be an error in the pool's thread for each cancelled job
            processes.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
            raise
