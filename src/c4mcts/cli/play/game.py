"""A game between the user and the computer: its moves, how it ended, and its line in a file."""

from typing import Any

from ...board.board import Board
from ...play.game_files import GameTree, SavedGame
from ...play.played_game import End, PlayedGame
from .clocks import GameClock

YOU = "you"  # the user's name in saved games


class UserGame:
    """A game from a start position. `side` is the player, 0 or 1, whom the user plays."""

    def __init__(self, start: Board, side: int, clock: GameClock | None = None) -> None:
        self.start = start
        self.board = start.copy()
        self.side = side
        self.clock = clock
        if clock is not None:
            clock.reset()
        self._early: PlayedGame | None = None  # by resignation or on time

    @property
    def ending(self) -> PlayedGame | None:
        """How the game ended; None while it is not over."""
        if self._early is not None:
            return self._early
        return PlayedGame.over(self.board) if self.board.is_over() else None

    def lose(self, player: int, end: End) -> None:
        """End the game before it is over on the board."""
        self._early = PlayedGame(self.board, self.board.moves, 1 - player, end)

    @property
    def has_moves(self) -> bool:
        """Whether anything was played since the start position."""
        return len(self.board.moves) > len(self.start.moves)

    def play(self, column: int | None) -> bool:
        """Play a legal column, counted from 0; False if the time of the player to move is over, who then loses."""
        if self.clock is not None:
            if self.clock.remaining(self.board.turn) == 0:
                self.lose(self.board.turn, End.TIME)
                return False
            self.clock.stop(moved=True)
        assert column is not None  # while there is time
        self.board.push(column)
        return True

    def undo(self) -> str | None:
        """Take back the user's last move and the answer to it, or a resignation; returns why that can't be done.

        Clocks are not set back, and a flag that has fallen stays down.
        """
        if self._early is not None:
            if self._early.end == End.TIME:
                return "a loss on time can't be taken back"
            self._early = None
            return None
        back = 2 if self.board.turn == self.side else 1
        if len(self.board.moves) < len(self.start.moves) + back:
            return "there is no move of yours to take back"
        for _ in range(back):
            self.board.pop()
        return None

    def to_file(self, names: tuple[str, str], seed: int) -> SavedGame:
        """The game as a file has it. names: of both players."""
        ending = self.ending
        headers = {
            "first": names[0],
            "second": names[1],
            "result": "*" if ending is None else ending.result,
            "end": "unfinished" if ending is None else ending.end,
            "opening": len(self.start.moves),
            "seed": seed,
        }
        return SavedGame(GameTree(self.board), headers)

    @classmethod
    def from_file(cls, saved: SavedGame, clock: GameClock | None) -> "UserGame":
        """The game of a file. The user plays the side that they had, or else the one to move."""
        end, headers = saved.board, saved.headers
        start = end.copy()
        while len(start.moves) > saved.opening:
            start.pop()
        sides: dict[Any, int] = {headers.get("second"): 1, headers.get("first"): 0}
        game = cls(start, sides.get(YOU, end.turn), clock)
        game.board = end
        how = headers.get("end")
        if saved.winner is not None and how in (End.RESIGNATION, End.TIME) and not end.is_over():
            game.lose(1 - saved.winner, End(how))
        return game

    def closing(self) -> list[str]:
        """The summary of the game: its moves, and the command that reviews or continues it."""
        if not self.has_moves:
            return []
        verb, purpose = ("play", "to continue") if self.ending is None else ("review", "to review it")
        moves = ("" if self.board.rules.width <= 9 else " ").join(str(column + 1) for column in self.board.moves)
        return [f"moves: {moves}", f"{purpose}: c4mcts {verb} {self.board.format('address')}"]
