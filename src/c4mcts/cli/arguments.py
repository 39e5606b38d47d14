"""Options that several commands share, and the objects built from them."""

import argparse
import json
import os
import re
import secrets
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib.util import find_spec
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any, get_args

from .. import _backend
from .._layout import MAX_THREADS
from .._named import named_object
from ..errors import CheckpointError, SaveError
from ..executors.background import AnyExecutor
from ..search.engine import Engine
from ..search.evaluation import Evaluator
from ..search.limits import COLUMNS, Limits
from ..search.params import PRESETS, SearchParams
from .process import FAILED, USAGE, say

MAX_JOBS = 1_000_000  # games or searches of one command; each takes 3 kB of memory
BACKENDS = get_args(_backend.BackendName)
PLAYABLE = [name for name, params in PRESETS.items() if not params.needs_evaluator]  # those that need no evaluator
EVALUATOR_PRESET = "alphazero"  # default of the commands with --evaluator, if that is given
CONNECT_SECONDS = 10  # timeout for connecting to a cluster

SHARED: dict[str, dict[str, Any]] = {  # options that mean the same in every command
    "backend": {
        "choices": BACKENDS,
        "default": "auto",
        "help": "native or pure-Python code (default auto: native if it is installed)",
    },
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
    "json": {"action": "store_true", "help": "print JSON instead of text"},
    "seed": {"type": int, "metavar": "N", "help": "seed of the random numbers (default: drawn at random)"},
    "threads": {"type": int, "default": 1, "metavar": "N", "help": "threads that share one search (default 1)"},
}


def count(text: str) -> int:
    """Parse an integer, which may be written as 100_000 or 1e5. ValueError."""
    try:
        return int(text)
    except ValueError:
        number = float(text)
        if not number.is_integer():  # false for inf, and for numbers too large for a float
            raise
        return int(number)


class CommandError(Exception):
    """An error reported in one line; `status` is the exit code."""

    status = FAILED


class UsageError(CommandError):
    """The command line is invalid."""

    status = USAGE


@contextmanager
def usage_errors(prefix: str = "") -> Iterator[None]:
    """Turn a TypeError or ValueError of the library into a UsageError.

    prefix: put before its message, unless that names a file. After dashes the first word is an option, written with
    dashes too.
    """
    try:
        yield
    except (CheckpointError, SaveError) as error:
        raise UsageError(f"{error}") from None
    except (TypeError, ValueError) as error:
        first, space, rest = str(error).partition(" ")
        named = first.replace("_", "-") if prefix.endswith("-") else first
        raise UsageError(f"{prefix}{named}{space}{rest}") from None


def reason(error: Exception) -> object:
    """What an error says, without the error number and the file name of an OSError."""
    return getattr(error, "strerror", None) or error


@contextmanager
def resumable(args: argparse.Namespace, out: Path) -> Iterator[tuple[AnyExecutor | None, Path]]:
    """An executor, and the checkpoint next to `out`, from which an interrupted command says that it continues."""
    checkpoint = out.with_name(out.name + ".jsonl")
    try:
        with executor_of(args) as executor:
            yield executor, checkpoint
    except KeyboardInterrupt:
        say(f"c4mcts {args.command}: stopped; the same command continues from {checkpoint}")
        raise


def require_output(option: str, name: str, endings: Sequence[str] = ()) -> None:
    """Check, before the work begins, that a file can be written when it is done. UsageError, CommandError."""
    path = Path(name)
    if endings and path.suffix.lower() not in endings:
        raise UsageError(f"{option} {name}: the name must end in {', '.join(endings)}")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"{option} {name}: there is no folder {path.parent}")
    if path.suffix.lower() == ".parquet" and find_spec("pyarrow") is None:
        raise CommandError(f"{option} {name} needs pyarrow: pip install 'c4mcts[parquet]'")


def require_between(args: argparse.Namespace, **bounds: tuple[int, float]) -> None:
    """Raise UsageError unless every named option that was given lies within its (lowest, highest) bounds."""
    for name, (low, high) in bounds.items():
        value = getattr(args, name)
        if value is not None and not low <= value <= high:
            raise UsageError(f"--{name.replace('_', '-')} must be {low} to {high}, not {value}")


def add_options(parser: argparse._ActionsContainer, *names: str) -> None:
    for name in names:
        parser.add_argument(f"--{name}", **SHARED[name])


def print_json(fields: dict[str, Any]) -> None:
    print(json.dumps(fields, allow_nan=False), flush=True)


def backend_of(args: argparse.Namespace) -> str:
    """The backend that the options select, "native" or "pure". CommandError if it can't be loaded."""
    try:
        return _backend.load(args.backend).name
    except ImportError as error:
        raise CommandError(f"the {args.backend} backend can't be loaded: {error}") from None


def simulations(text: str) -> int | str:
    """Parse a number of simulations, or the word for one per open column. ValueError."""
    return COLUMNS if text == COLUMNS else count(text)


def add_limits(
    parser: argparse.ArgumentParser, title: str = "limits (the search ends at the first one reached)"
) -> None:
    limits = parser.add_argument_group(title)
    limits.add_argument("--seconds", type=float, metavar="S", help="wall-clock time")
    words = "number of simulations (reproducible with --seed and one thread), or 'columns' for one per open column"
    limits.add_argument("--simulations", type=simulations, metavar="N", help=words)
    limits.add_argument("--nodes", type=count, metavar="N", help="size of the tree, in nodes")


def add_search(parser: argparse.ArgumentParser) -> None:
    """Add the options of one search: limits, parameters, seed, backend, threads and evaluator."""
    add_limits(parser)
    search = add_params(parser, presets=tuple(PRESETS))
    add_options(search, "seed", "backend", "threads", "evaluator")


def add_params(
    parser: argparse.ArgumentParser, preset: str = PLAYABLE[0], *, presets: Sequence[str] = PLAYABLE
) -> argparse._ArgumentGroup:
    """Add --preset and --set in a separate group, and return the group."""
    search = parser.add_argument_group("search")
    parser.set_defaults(default_preset=preset)
    search.add_argument("--preset", choices=presets, help=f"named set of parameters (default: {preset})")
    add_settings(search)
    return search


def add_settings(
    group: argparse._ActionsContainer,
    option: str = "--set",
    words: str = "any parameter of the search: exploration=0.7, choice=value, rewards=1,0,-1",
) -> None:
    """Add an option that sets a parameter, by default one of the search."""
    words += "; may be repeated"
    group.add_argument(option, type=setting, action="append", default=[], metavar="NAME=VALUE", help=words)


def setting(text: str) -> tuple[str, Any]:
    """Parse NAME=VALUE: the name of a field, and its value. ArgumentTypeError."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"must be name=value, not {text!r}")
    return name.strip(), setting_value(value.strip())


def setting_value(text: str) -> Any:
    """A number, True, False, None, a tuple of these, or else the text itself."""
    if "," in text:
        return tuple(setting_value(part.strip()) for part in text.split(","))
    if text.lower() in ("true", "false", "none"):
        return {"true": True, "false": False, "none": None}[text.lower()]
    for parse in (count, float):
        with suppress(ValueError):
            return parse(text)
    return text


def limits_of(args: argparse.Namespace, **default: float) -> dict[str, Any]:
    """The limits for Engine.search from the options; `default` if none is given."""
    given = {name: getattr(args, name) for name in ("simulations", "seconds", "nodes")}
    limits = {name: value for name, value in given.items() if value is not None} or default
    with usage_errors("--"):
        Limits(**limits)
    return limits


def limits_text(limits: dict[str, Any]) -> str:
    """Limits in words: "1,000 simulations and 2 seconds"."""
    return " and ".join(_limit_text(name, value) for name, value in limits.items())


def _limit_text(name: str, value: Any) -> str:
    if value == COLUMNS:
        return "one simulation per open column"
    return f"{value:,} {name.removesuffix('s') if value == 1 else name}".replace(".0 ", " ")


def preset_of(args: argparse.Namespace) -> str:
    """The name of the preset that the options select."""
    if args.preset is not None:
        return str(args.preset)
    return EVALUATOR_PRESET if getattr(args, "evaluator", None) is not None else str(args.default_preset)


def params_of(args: argparse.Namespace, preset: str | None = None) -> SearchParams:
    """The parameters of a preset, by default that of the options, changed by --set."""
    with usage_errors("--set: "):
        return SearchParams.preset(preset or preset_of(args)).changed(**settings_of(args.set, "--set"))


def settings_of(given: Sequence[tuple[str, Any]], option: str) -> dict[str, Any]:
    """The values of an option that add_settings has added, by name. UsageError for a name that is given twice."""
    settings: dict[str, Any] = {}
    for name, value in given:
        if name in settings:
            raise UsageError(f"{option} {name}: the parameter is given twice")
        settings[name] = value
    return settings


def engine_of(args: argparse.Namespace, evaluator: Evaluator | None = None) -> tuple[Engine, int]:
    """A new engine and its seed. A seed is drawn if none is given, so that it can be printed and used again."""
    backend_of(args)
    params = params_of(args)
    seed = secrets.randbits(32) if args.seed is None else args.seed
    with usage_errors("--"):
        engine = Engine(params, seed=seed, backend=args.backend, threads=args.threads, evaluator=evaluator)
    return engine, seed


def evaluator_of(args: argparse.Namespace, params: SearchParams) -> Evaluator | None:
    """The object that --evaluator names; None without the option. Modules are found as by `python -m`.

    Raises UsageError if the parameters take no evaluator, or need one that is missing; and anything the user's module
    raises.
    """
    if (args.evaluator is None) == params.needs_evaluator:
        wanted = "needs" if args.evaluator is None else "does not take"
        raise UsageError(f"--preset {preset_of(args)} {wanted} --evaluator module:name")
    if args.evaluator is None:
        return None
    with usage_errors(f"--evaluator {args.evaluator}: "):
        found: Evaluator = named_object(args.evaluator)
    if not callable(found):
        raise UsageError(f"--evaluator {args.evaluator}: must be callable, not {type(found).__name__}")
    return found


@contextmanager
def errors_of_others(what: str | None) -> Iterator[None]:
    """Turn any exception into a CommandError, since code of the user may raise anything.

    what: the option or the argument that names this code; None if there is none.
    """
    try:
        yield
    except (CommandError, BrokenPipeError):
        raise
    except Exception as error:
        if what is None:
            raise
        raise CommandError(f"{what}: {type(error).__name__}: {error}") from None


def evaluator_errors(args: argparse.Namespace) -> AbstractContextManager[None]:
    """Turn any exception into a CommandError, if there is an evaluator."""
    return errors_of_others(None if args.evaluator is None else f"--evaluator {args.evaluator}")


@contextmanager
def executor_of(args: argparse.Namespace) -> Iterator[AnyExecutor | None]:
    """The executor that --executor selects; None for one thread per processor. UsageError, CommandError."""
    if "://" in args.executor:
        with _dask(args.executor) as cluster:
            yield cluster
        return
    kind, colon, number = args.executor.partition(":")
    if kind not in ("threads", "processes") or (colon and re.fullmatch("[0-9]{1,9}", number) is None):
        wanted = "threads, processes, either with a number as threads:4, or an address as tcp://host:8786"
        raise UsageError(f"--executor must be {wanted}, not {args.executor!r}")
    workers = int(number) if colon else None
    if workers is not None and not 1 <= workers <= MAX_THREADS:
        raise UsageError(f"--executor {args.executor}: the number must be 1 to {MAX_THREADS}, not {workers}")
    if kind == "processes":
        context = get_context("spawn")  # a fork of a process with threads may hang
        with ProcessPoolExecutor(workers, context, initializer=_begin_worker) as processes:
            with _interrupts_blocked():
                for _ in range(workers or os.cpu_count() or 1):
                    processes.submit(int)  # starts one of them
            yield processes
    elif workers is None:
        yield None
    else:
        with ThreadPoolExecutor(workers) as threads:
            yield threads


def _begin_worker() -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the main process; and end with that process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the end of the main process, and end this one, which would otherwise wait for its jobs for ever.

    The system closes the pipe that is watched here however the main process ends. PR_SET_PDEATHSIG of Linux would do
    this too early: with the thread that has started the process.
    """
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(FAILED)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Processes that are started in the block never get SIGINT, not even before their initializer has run.

    This one gets it at the end of the block. Windows has no such mask.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _dask(address: str) -> Iterator[AnyExecutor]:
    try:
        from distributed import Client
    except ImportError:
        raise CommandError("--executor with an address needs Dask: pip install 'c4mcts[dask]'") from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        raise CommandError(f"--executor {address}: {str(error) or type(error).__name__}") from None
    with client:
        yield client
