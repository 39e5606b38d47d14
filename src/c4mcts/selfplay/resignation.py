"""How often resigning would have been wrong, in games of self-play that continued."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .._validation import an_instance, number_between, positive
from .dataset import SelfPlay
from .play_params import MAX_PLIES
from .records import Ending


@dataclass(frozen=True, slots=True)
class ResignationErrors:
    """Errors that resigning would have made, in games that continued."""

    games: int  # that did not end by resignation
    lost: int  # of these: games in which a player would have resigned, and lost
    drawn: int  # and drew
    won: int  # and won

    @property
    def rate(self) -> float:
        """The share of false positives: of the games with a resignation, those that the player would not have lost.

        NaN if nobody would have resigned.
        """
        resigned = self.lost + self.drawn + self.won
        return (self.drawn + self.won) / resigned if resigned else float("nan")


def resignation_errors(data: SelfPlay, value: float | None = None, moves: int | None = None) -> ResignationErrors:
    """How often a player who resigns would not have lost, in the games that continued.

    Silver et al., "Mastering the game of Go without human knowledge" (2017), methods, keep this share below 5 %.

    value, moves: as PlayParams.resign_value and resign_moves, by default those with which the games were played. Other
    ones tell what they would do, which is exact for games without resignation, and for a lower value or more moves.

    Raises TypeError or ValueError naming the argument, ValueError if a default is needed and the games have none.
    """
    played = an_instance("data", data, SelfPlay, "a SelfPlay").about.get("play") or {}
    value = played.get("resign_value") if value is None else number_between("value", value, -1, 1)
    moves = played.get("resign_moves") if moves is None else positive("moves", moves, MAX_PLIES)
    if value is None or moves is None:
        raise ValueError("value and moves are needed: the games have no resign_value and resign_moves in common")
    rows = _resignations(data, value, moves)
    outcome = data.outcome[rows][data.ending[rows] != Ending.RESIGNED]
    lost, drawn, won = (int(np.count_nonzero(outcome == end)) for end in (-1, 0, 1))
    resigned = np.count_nonzero((data.ending == Ending.RESIGNED) & (data.plies_left == 1))
    return ResignationErrors(data.games - int(resigned), lost, drawn, won)


def _resignations(data: SelfPlay, value: float, moves: int) -> npt.NDArray[np.intp]:
    """For each game in which a player would resign: the first row at which that happens."""
    low = data.value.astype(float) < value
    resigns = low.copy()
    for step in range(2, 2 * moves, 2):  # the player's last positions
        resigns[:step] = False
        resigns[step:] &= low[:-step] & (data.game[step:] == data.game[:-step])
    rows = np.flatnonzero(resigns)
    first: npt.NDArray[np.intp] = rows[np.unique(data.game[rows], return_index=True)[1]]
    return first
