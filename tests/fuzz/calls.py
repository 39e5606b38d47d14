"""Public calls with hostile arguments: TypeError or ValueError in one line, or a result."""

import contextlib
import inspect
import resource
import signal
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from .files import one_line
from .public_calls import CALLS, Call
from .target import SANITIZED, Target
from .values import VALUES

LIMIT = 0.3  # seconds until a call that is no error is interrupted
MEMORY = 3 << 30  # bytes that a call may take


def completed(name: str) -> Call:
    """The call with all its arguments."""
    call, given = CALLS[name]()
    parameters = inspect.signature(call).parameters.values()
    defaults = {each.name: each.default for each in parameters if each.default is not each.empty}
    if any(each.name == "options" and each.kind is each.VAR_KEYWORD for each in parameters):
        defaults |= {"seed": None, "executor": None, "progress": False, "checkpoint": None}
    return call, {**defaults, **given}


def make(chance: Random) -> list[Any]:
    """[function, {argument: name of a hostile value}]."""
    name = chance.choice(list(CALLS))
    arguments = list(completed(name)[1])
    chosen = chance.sample(arguments, min(len(arguments), chance.choice([1, 1, 1, 2])))
    return [name, {argument: chance.choice(list(VALUES)) for argument in chosen}]


def check(case: list[Any]) -> None:
    name, changes = case
    call, arguments = completed(name)
    changed = {**arguments, **{argument: VALUES[value]() for argument, value in changes.items()}}
    try:
        with limited():
            result = call(**changed)
            if isinstance(result, Iterator):
                list(islice(result, 1000))
    except (TypeError, ValueError, LookupError, OSError) as error:
        if not isinstance(error, OSError):
            one_line(error)
    except (KeyboardInterrupt, MemoryError):
        pass
    except ImportError as error:  # of an optional package
        if "pip install" not in str(error):
            raise


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Ctrl-C after LIMIT seconds, and not more than MEMORY bytes."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    old = signal.signal(signal.SIGALRM, signal.default_int_handler)
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, before[1]))
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
        resource.setrlimit(resource.RLIMIT_AS, before)


TARGETS = {"call": Target(make, check, 200)}
