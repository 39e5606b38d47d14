"""Sweep: every line of play against a player that answers many positions at once, ply by ply."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Protocol, runtime_checkable

import numpy as np

from .._timer import Timer
from .._validation import brief
from ..board.board import Board
from ..errors import PlayerError
from ..rules import Rules
from ..solver.bitboards import Bitboards, Positions
from .player import Player
from .worst_case import WorstCase

LARGEST = 1 << 25  # positions of a ply: with more, the sweep ends, as at a limit
CHUNK = 1 << 16  # positions that the player is asked about at once: between them the limits are looked at


@runtime_checkable
class BatchPlayer(Player, Protocol):
    """A player that also answers many positions at once, and always so: its move depends on the position alone."""

    def choose_many(self, rules: Rules, own: Bitboards, mask: Bitboards, /) -> Any:
        """The columns for n unfinished positions, an array of shape (n,).

        own, mask: arrays of shape (n,), as Board.own and Board.mask, of uint64, or of Python integers for boards of
        more than 64 bits.
        """


class Sweep:
    """The search for the quickest line that beats the player on one side: all positions that it can reach."""

    def __init__(self, case: WorstCase, player: BatchPlayer) -> None:
        self._case, self._player = case, player

    def run(self, positions: float, seconds: float | None, on_progress: Callable[[WorstCase], object]) -> WorstCase:
        """Go on to the first ply at which the opponent can have won, to the end of all games, or to a limit."""
        timer, case = Timer(seconds), self._case
        here, wins = Positions.of(case.rules, [0], [0]), True
        if case.turn:
            here = all_after(here)
        if case.turn == case.rules.cells:  # there is no move left for the player
            return replace(case, least=None, wins=False)

        while 0 < len(here) <= LARGEST:
            parts, asked = [], 0
            while asked < len(here):
                left = int(min(CHUNK, positions - case.positions))
                if left <= 0 or timer.poll(partial(on_progress, case)):
                    return case
                part = here[asked : asked + left]
                parts.append(self._answers(part))
                asked += len(part)
                case = replace(case, positions=case.positions + len(part))
            after = Positions.joined(parts)
            is_won = after.are_won()
            wins = wins and bool((is_won | (after.plies < case.rules.cells)).all())
            here = all_after(after[~is_won & (after.plies < case.rules.cells)])
            is_lost = here.are_won()
            ply = int(here.plies[0]) if len(here) else 0
            if is_lost.any():
                row = int(is_lost.argmax())
                line = self._line_to(int(here.own[row]), int(here.mask[row]))
                return replace(case, line=line, least=ply, wins=False)
            is_full = here.plies == case.rules.cells
            wins = wins and not is_full.any()
            here = here[~is_full]
            case = replace(case, least=ply + 2 if len(here) else None)
        return replace(case, wins=wins) if case.is_exact else case

    def _answers(self, positions: Positions) -> Positions:
        """The positions after the player's moves. ValueError for an illegal one."""
        columns = np.asarray(self._player.choose_many(positions.rules, positions.own, positions.mask))
        is_one_each = columns.shape == (len(positions),)
        played = [np.flatnonzero(columns == column) for column in range(positions.rules.width) if is_one_each]
        parts = [positions[rows].after(column).positions for column, rows in enumerate(played)]
        if sum(map(len, parts)) < len(positions):
            text = "must choose an open column for each of n positions"
            raise ValueError(f"player {self._case.player} {text}, not {brief(columns)}")
        return Positions.joined(parts)

    def _line_to(self, own: int, mask: int) -> tuple[int, ...]:
        """The moves of a game that ends with these discs. PlayerError if the player no longer makes its own."""
        rules, turn = self._case.rules, self._case.turn
        boards, seen = [Board(rules)], set[Board]()
        while boards:
            board = boards.pop()
            if board.mask == mask:
                return board.moves
            if board in seen or board.is_over():
                continue
            seen.add(board)
            position = Positions.of(rules, [board.own], [board.mask])
            asks = board.turn == turn
            answers = self._player.choose_many(rules, position.own, position.mask) if asks else board.legal_columns
            for after in (board.after(column) for column in board.legal_columns if column in answers):
                mine = after.own if (mask.bit_count() - after.ply) % 2 == 0 else after.own ^ after.mask
                if not (mine & ~own or (after.mask ^ mine) & ~(own ^ mask)):
                    boards.append(after)
        raise PlayerError(f"player {self._case.player} answers otherwise when it is asked about a position again")


def all_after(positions: Positions) -> Positions:
    """The different positions after one more move."""
    after = Positions.joined([positions.after(column).positions for column in range(positions.rules.width)])
    _, rows = np.unique(after.keys(), return_index=True)
    return after[rows]
