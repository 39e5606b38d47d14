"""Checks of boards, executors and numbers of jobs given as arguments; each error names the argument and the value."""

from typing import Any, TypeVar

from .._validation import positive, refused, shown
from ..errors import GameOverError
from .board import Board

T = TypeVar("T")
MAX_JOBS = 10_000_000  # the seeds and the results of all jobs are in memory at once


def an_instance(name: str, value: object, kind: type[T], wanted: str) -> T:
    """Check that the value is an instance of `kind`. wanted: its name in the error. TypeError."""
    if not isinstance(value, kind):
        raise TypeError(refused(name, wanted, value))
    return value


def a_board(board: object, name: str = "board") -> Board:
    """Check that the value is a Board. TypeError."""
    given = an_instance(name, board, Board, "a Board")
    if not hasattr(given, "_won"):
        raise TypeError(f"{name} must be a Board, not an object without a position")
    return given


def unfinished(board: object, name: str = "board") -> Board:
    """A copy of an unfinished board, so that the caller may change the original meanwhile. TypeError, ValueError."""
    try:
        copy = a_board(board, name).copy()
    except ValueError as error:
        raise ValueError(f"{name} is damaged, or was changed by another thread while it was read: {error}") from None
    if copy.is_over():
        raise GameOverError(f"{name}: the game is over: {shown(copy)}")
    return copy


def job_count(name: str, value: object) -> int:
    """Check a number of games or searches. TypeError, ValueError."""
    return positive(name, value, MAX_JOBS)


def an_executor(executor: Any) -> Any:
    """Check that the value is None or has the `submit` method of an executor. TypeError."""
    if not (executor is None or callable(getattr(executor, "submit", None))):
        raise TypeError(refused("executor", "a concurrent.futures.Executor or None", executor))
    return executor
