"""PlayParams: how games of self-play begin, which moves are drawn, how long searches are, when games end early."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, Literal

from .. import _layout
from .._backend import load
from .._hints import with_hints
from .._validation import between, counted, members, must_be, naming, not_negative, number_between, positive
from ..board.board import Board
from ..board.notation import read_moves
from ..rules import Rules
from ..search.params import GumbelParams, PuctParams, SearchParams
from ..search.validators import above_0_to, from_to, one_of, optional, share, validate, validated

OpeningMoves = Literal["random", "policy"]
AfterProof = Literal["full", "fast", "stop"]

MAX_SIMULATIONS = 1_000_000  # for each move; so that the visits of a long game fit into 32 bits
MAX_OPENINGS = 1_000_000
MAX_PLIES = _layout.MAX_SIDE**2


def _plies(name: str, value: object) -> int | tuple[int, int]:
    if not isinstance(value, tuple | list):
        return between(name, value, 0, MAX_PLIES)
    if len(value) != 2:
        raise ValueError(must_be(name, "an integer, or a pair (fewest, most)", value))
    fewest, most = (between(name, number, 0, MAX_PLIES) for number in value)
    if fewest > most:
        raise ValueError(must_be(name, "a pair (fewest, most)", value))
    return fewest, most


def _temperatures(name: str, value: object) -> float | tuple[float, ...]:
    if not isinstance(value, list | tuple):
        return not_negative(name, value)
    return tuple(not_negative(name, each) for each in members(name, value, "numbers", MAX_PLIES, least=1))


def _openings(name: str, values: object) -> tuple[tuple[int, ...], ...]:
    """The columns of all openings. TypeError or ValueError naming the index."""
    items = members(name, values, "a list of openings", MAX_OPENINGS, least=0)
    return tuple(_columns(f"{name}[{i}]", opening) for i, opening in enumerate(items))


def _columns(name: str, opening: Any) -> tuple[int, ...]:
    requirement = 'a string of moves such as "4453", or a sequence of columns'
    if isinstance(opening, str):
        with naming(f"{name}: "):
            return tuple(read_moves(opening, Rules()))
    columns = members(name, opening, requirement, MAX_PLIES)
    return tuple(between(f"a column of {name}", column, 0, _layout.MAX_SIDE - 1) for column in columns)


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayParams:
    """How games of self-play begin, which moves are drawn, how long each search is, and when games end early.

    By default a game begins at the start position, the first ten moves are drawn, all searches are alike, and the game
    is played to its end.

    temperature, temperature_plies: the first `temperature_plies` moves of a game, after its opening, are drawn at
        random from the policy at this temperature (SearchResult.policy), so that games differ. Several temperatures
        hold for the first moves one by one, such as (1, 0.8, 0.6), and the last one for the others. At 0 a
        move is the search's own choice. The recorded policy always has temperature 1.
    last_temperature: for all later moves; 0, the default, leaves them to the search.

    full_share, fast_simulations: playout cap randomization (Wu, "Accelerating self-play learning in Go", 2019, section
        3.1; there 0.25, and a sixth of the simulations). Each search is a full one with the probability `full_share`,
        above 0. The others are fast ones: they make `fast_simulations`, without exploration at the root:
        root_noise, root_policy_temperature, forced_visits, gumbel_scale. So more games are played, whose outcomes are
        targets of the value.
    fast_weight: the `weight` of positions with a fast search; other positions have the weight 1. 0, as in the paper:
        `SelfPlay.training` leaves them out.
    openings: moves from the start position, for game i those with the index i modulo their number: strings such as
        "4453" or "3,3,4,2" (see Board.parse), or sequences of columns from 0, as
        c4mcts.play.openings lists them.
    opening_plies: how many more moves are made before the first search; or a pair (fewest, most), between which each
        game draws a number. There are fewer if every move would end the game: such moves are not made. The moves of
        the opening are in the record of a game (GameRecord.opening), but have no rows.
    opening_moves: how they are drawn: at "random", or from the raw "policy" of the evaluator (needs one).
    resign_value: a player resigns once the search has valued `resign_moves` consecutive positions of that player below
        this, on a scale from -1 to 1, for instance -0.9. None: nobody resigns.
    never_resign: the share of games in which nobody may resign, whose outcomes tell how often resigning
        is wrong (Silver et al., "Mastering the game of Go without human knowledge", 2017, methods).
    after_proof: what happens once the outcome of a searched position is proven (see SearchParams.proofs and checks).
        "full": nothing; a proven position is not searched any longer anyway. "fast": the other searches of the game
        are fast ones. "stop": the game ends with this outcome, which is exact.
    """

    temperature: float | Sequence[float] = validated(1.0, _temperatures)
    temperature_plies: int = validated(10, from_to(0, MAX_PLIES))
    last_temperature: float = validated(0.0, not_negative)
    full_share: float = validated(1.0, above_0_to(1))
    fast_simulations: int | None = validated(None, optional(from_to(1, MAX_SIMULATIONS)))
    fast_weight: float = validated(0.0, share)
    openings: Sequence[str | Sequence[int]] = validated((), _openings)
    opening_plies: int | tuple[int, int] = validated(0, _plies)
    opening_moves: OpeningMoves = validated("random", one_of(OpeningMoves))
    resign_value: float | None = validated(None, optional(partial(number_between, low=-1, high=1)))
    resign_moves: int = validated(3, partial(positive, maximum=MAX_PLIES))
    never_resign: float = validated(0.1, share)
    after_proof: AfterProof = validated("full", one_of(AfterProof))

    def __post_init__(self) -> None:
        validate(self)
        has_fast = self.full_share < 1 or self.after_proof == "fast"
        if has_fast and self.fast_simulations is None:
            raise ValueError("fast_simulations is needed with a full_share below 1, and with after_proof='fast'")
        if self.fast_simulations is not None and not has_fast:
            raise ValueError("fast_simulations has no effect: it needs a full_share below 1, or after_proof='fast'")
        if isinstance(self.temperature, tuple) and len(self.temperature) > self.temperature_plies:
            count = f"{len(self.temperature)} values for the first {counted(self.temperature_plies, 'move')}"
            raise ValueError(f"temperature has more values than temperature_plies: {count}")

    def temperatures(self) -> list[float]:
        """The temperatures of the first `temperature_plies` moves."""
        first = self.temperature if isinstance(self.temperature, Sequence) else [self.temperature]
        return [*first, *[first[-1]] * self.temperature_plies][: self.temperature_plies]


PlayParams.__init__ = with_hints(PlayParams.__init__)  # type: ignore[method-assign]


def play_settings(params: SearchParams, play: PlayParams, simulations: object) -> _layout.PlaySettings:
    """How the games of a pool are played, as native code reads it. TypeError or ValueError naming the argument."""
    if not isinstance(params, PuctParams | GumbelParams):
        raise ValueError(f"a pool needs PuctParams or GumbelParams, not {type(params).__name__}")
    if params.temperature:
        raise ValueError(f"a pool needs params with temperature=0, not {params.temperature}: see PlayParams")
    full = between("simulations", simulations, 1, MAX_SIMULATIONS)
    fast = full if play.fast_simulations is None else play.fast_simulations
    if fast > full:
        raise ValueError(must_be("fast_simulations", f"at most simulations, {full}", fast))
    same = {name: getattr(play, name) for name in _layout.PlaySettings._fields if hasattr(play, name)}
    own = {
        "simulations": full,
        "fast_simulations": fast,
        "after_proof": _layout.AFTER_PROOF[play.after_proof],
        "resign_value": -inf if play.resign_value is None else play.resign_value,
        "keep_tree": params.keep_tree,
    }
    return _layout.PlaySettings(**same | own)


def check_openings(play: PlayParams, start: Board) -> None:
    """ValueError if one of the given openings is impossible from this position, or ends the game."""
    for i, opening in enumerate(play.openings):
        with naming(f"openings[{i}]: "):
            is_over = start.after(*opening).is_over()
        if is_over:
            raise ValueError(f"openings[{i}] must be moves after which the game is not over, not {opening!r}")


def opening_of(play: PlayParams, start: Board, number: int, state: tuple[int, int]) -> tuple[Board, int]:
    """The position at which game `number` begins, and how many moves are still to be drawn from the raw policy.

    state: of the game's generator.
    """
    if not play.openings and not play.opening_plies:
        return start, 0
    board, plies = start.copy(), play.opening_plies
    if play.openings:
        board = board.after(*play.openings[number % len(play.openings)])
    fewest, most = plies if isinstance(plies, tuple) else (plies, plies)
    numbers = load("pure").numbers
    generator = numbers.substream(*state, _layout.OPENING)
    count = fewest + numbers.choice(generator, most - fewest + 1)
    if play.opening_moves == "policy":
        return board, count
    for _ in range(min(count, board.rules.cells - board.ply - 1)):  # the last cell ends the game
        winning = board.winning_columns()
        columns = [column for column in board.legal_columns if column not in winning]
        if not columns:
            break
        board.push(columns[numbers.choice(generator, len(columns))])
    return board, 0
