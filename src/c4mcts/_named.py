"""Objects named by a text: the user's own, and players of other packages; and packages that are missing."""

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from typing import Any

from ._validation import brief


def named_object(text: str) -> Any:
    """The object that `module:name` names; the name may have dots. Modules are found as by `python -m`.

    Raises ValueError if there is none, and any exception that importing the module raises.
    """
    module, _, name = text.partition(":")
    if not all([*module.split("."), *name.split(".")]):
        raise ValueError(f"must be module:name, not {brief(text)}")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # permanently: the module may import others later
    try:
        thing = importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ValueError(f"{error}") from None
    try:
        return attrgetter(name)(thing)
    except AttributeError:
        raise ValueError(f"{module} has no {name}") from None


@contextmanager
def installed_by(extra: str) -> Iterator[None]:
    """If an import in the block fails, say which extra installs the package. ModuleNotFoundError."""
    try:
        yield
    except ModuleNotFoundError as error:
        package, _, _ = (error.name or f"{error}").partition(".")
        raise ModuleNotFoundError(
            f"{package} is not installed: pip install 'c4mcts[{extra}]'", name=error.name
        ) from None
