"""Check a player before a competition: does it play legal moves in time, on all sizes, from both seats?

`c4mcts check` runs this.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

import numpy as np

from .._validation import positive
from ..board.board import Board
from ..rules import Rules
from ..seeds import sequence
from .arena import Terms, play_through
from .player_process import end_idle
from .player_specs import Contestant, contestant
from .players import AnyPlayer
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
        """One line."""
        facts = [self.failure or self.note, f"longest turn {self.seconds:.3f} s"]
        return f"{'FAILS' if self.failure else 'ok'}  {self.name}: {', '.join(filter(None, facts))}"


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

    Raises TypeError or ValueError naming the argument.
    """
    games, seeds, terms = positive("games", games), sequence(seed), Terms(None, seconds, overage)
    try:
        for rules in sizes:
            tested, rival = contestant(player, rules), contestant("random", rules)
            asked: list[Board] = []  # positions in which the player is asked
            for name, sides in {"moving first": (0,), "moving second": (1,), "against itself": (0, 1)}.items():
                pair = [tested if side in sides else rival for side in (0, 1)]
                found = [_played(rules, pair, sides, terms, seeds.spawn(1)[0], asked) for _ in range(games)]
                failure = next((reason for reason, _ in found if reason), "")
                yield Trial(f"{rules} {name}", failure, max(longest for _, longest in found))
            yield _asked_twice(
                f"{rules} asked twice", tested, terms, asked[:: max(1, len(asked) // ASKED_AGAIN)], seeds
            )
    finally:
        end_idle()


def _played(
    rules: Rules,
    pair: Sequence[Contestant],
    sides: Sequence[int],
    terms: Terms,
    seed: np.random.SeedSequence,
    asked: list[Board],
) -> tuple[str, float]:
    """Play a game; why the tested player, who has these sides, forfeits it or "", and its longest turn."""
    seats = [terms.seat(one.make, _unchecked) for one in pair]
    board, before, longest = Board(rules), [0.0, 0.0], 0.0

    def note_turns() -> None:
        nonlocal longest
        longest = max([longest, *(seats[side].seconds - before[side] for side in sides)])
        before[:] = [seat.seconds for seat in seats]

    def note(move: int) -> None:
        if board.turn in sides:
            asked.append(board.copy())
        board.push(move)
        note_turns()

    with suppress(Forfeit):
        play_through(board.copy(), seats, seed, note)
    note_turns()  # of a move that failed
    return next((seats[side].reason for side in sides if seats[side].reason), ""), longest


def _asked_twice(
    name: str, tested: Contestant, terms: Terms, boards: Sequence[Board], seeds: np.random.SeedSequence
) -> Trial:
    """Ask two new players with the same seed for their moves."""
    equal, longest, count = 0, 0.0, 0
    for board in islice(boards, ASKED_AGAIN):
        answers, seed = [], seeds.spawn(1)[0]
        for _ in range(2):
            seat = terms.seat(tested.make, _unchecked)
            try:
                seat.begin(seed)
                answers.append(seat.choose(board.copy()))
            except Forfeit as error:
                return Trial(name, str(error), seat.seconds)
            finally:
                seat.end()
            longest = max(longest, seat.seconds)
        count, equal = count + 1, equal + (answers[0] == answers[1])
    return Trial(name, "", longest, f"the same answer in {equal} of {count} positions")


def _unchecked() -> None:
    """Nobody interrupts a check but Ctrl-C."""
