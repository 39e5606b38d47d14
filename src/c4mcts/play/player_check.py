"""Check a player before a competition: does it play legal moves in time, on all sizes, from both seats?

`c4mcts check` runs this.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, chain

import numpy as np

from .._validation import counted, nothing, positive, positive_seconds
from ..board.board import Board
from ..rules import Rules
from ..seeds import sequence
from .arena import Terms, play_through
from .player import AnyPlayer
from .player_process import end_idle
from .player_specs import Contestant, contestant
from .seats import Forfeit

ASKED_AGAIN = 3  # positions of each size


@dataclass(frozen=True, slots=True)
class Trial:
    """A part of a check: a few games on one board, or positions in which the player is asked twice."""

    name: str
    failure: str  # why the player would have lost a game; else empty
    seconds: float  # the longest turn
    note: str = ""

    def __str__(self) -> str:
        notes = [self.failure or self.note, f"longest turn {self.seconds:.3f} s"]
        return f"{'FAILS' if self.failure else 'ok'}  {self.name}: {', '.join(filter(None, notes))}"


def check_player(
    player: AnyPlayer | Contestant,
    sizes: Sequence[Rules] = (Rules(),),
    *,
    games: int = 2,
    seconds: float = 2.0,
    overage: float = 0.0,
    seed: int | None = None,
) -> Iterator[Trial]:
    """Try a player in a process of its own: on each size moving first and second against random moves, against itself,
    and twice in a few of these positions.

    player: as for play_tournament. games: in each of the trials. seconds: for a turn; overage: more of them for a game.
    Losing is no failure. Nor is another answer to the same question, which `note` counts: it can be meant.
    """
    games, seeds = positive("games", games), sequence(seed)
    terms = Terms(None, positive_seconds("seconds", seconds), overage)
    try:
        for rules in sizes:
            tested, rival = contestant(player, rules), contestant("random", rules)
            positions: list[Board] = []  # positions in which the player has moved
            for name, sides in {"moving first": (0,), "moving second": (1,), "against itself": (0, 1)}.items():
                pair = [tested if side in sides else rival for side in (0, 1)]
                results = [_played(rules, pair, sides, terms, seeds.spawn(1)[0]) for _ in range(games)]
                failures, longest, boards = zip(*results, strict=True)
                yield Trial(f"{rules} {name}", next(filter(None, failures), ""), max(longest))
                positions += chain(*boards)
            again = positions[:: max(1, len(positions) // ASKED_AGAIN)][:ASKED_AGAIN]
            yield _repeat_trial(f"{rules} asked twice", tested, terms, again, seeds)
    finally:
        end_idle()


def _played(
    rules: Rules, pair: Sequence[Contestant], sides: Sequence[int], terms: Terms, seed: np.random.SeedSequence
) -> tuple[str, float, list[Board]]:
    """Play a game. Of the tested player, who has these sides: why it forfeits the game or "", its longest turn, and
    the positions in which it has moved.
    """
    seats, moves = [terms.seat(one.make, nothing) for one in pair], list[int]()
    with suppress(Forfeit):
        play_through(Board(rules), seats, seed, moves.append)
    own = [seats[side] for side in sides]
    boards = [*accumulate(moves, Board.after, initial=Board(rules))][:-1]
    failure = next((seat.reason for seat in own if seat.reason), "")
    return failure, max(seat.longest for seat in own), [board for board in boards if board.turn in sides]


def _repeat_trial(
    name: str, tested: Contestant, terms: Terms, boards: Sequence[Board], seeds: np.random.SeedSequence
) -> Trial:
    equal, longest = 0, 0.0
    for board in boards:
        answers, seed = [], seeds.spawn(1)[0]
        for _ in range(2):
            seat = terms.seat(tested.make, nothing)
            try:
                answers.append(seat.answer(board.copy(), seed))
            except Forfeit as error:
                return Trial(name, str(error), seat.longest)
            longest = max(longest, seat.longest)
        equal += answers[0] == answers[1]
    return Trial(name, "", longest, f"the same answer in {equal} of {counted(len(boards), 'position')}")
