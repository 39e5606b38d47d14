"""A review on a whole screen: one page for each move, and the course of the game below."""

from rich.console import Group
from rich.text import Text

from ...play.review import MARKS, NAMES, MoveReview, Review, percent
from ..board_display import PLAYERS, BoardDisplay, Terminal
from ..review import losses, numbers, worth

STEPS = {"left": -1, "up": -1, "right": 1, "down": 1, " ": 1, "page up": -10, "page down": 10}
COURSE = 60  # moves of the course that are shown


class ReviewPages:
    """The pages of a review; one is open."""

    def __init__(self, terminal: Terminal, review: Review) -> None:
        """Begins at the first move that changed the result, or else at the last move."""
        self._terminal = terminal
        self._review = review
        turning = [index for index, move in enumerate(review.moves) if move in review.turning_points]
        self._index = turning[0] if turning else len(review.moves) - 1

    def turn(self, key: str) -> None:
        """Open another page: the next or previous move, the first or last, or the next turning point."""
        last = len(self._review.moves) - 1
        ends = {"home": 0, "end": last}
        self._index = min(max(ends.get(key, self._index + STEPS.get(key, 0)), 0), last)
        if key == "t":
            points = [index for index, move in enumerate(self._review.moves) if move in self._review.turning_points]
            later = [index for index in points if index > self._index]
            self._index = (later or points or [self._index])[0]

    def page(self) -> Group:
        """The board after the move, what it was worth, and the figures of the game."""
        review, move = self._review, self._review.moves[self._index]
        board = review.board.copy()
        for _ in review.moves[self._index + 1 :]:
            board.pop()
        lines = [self._words(move), *self._better(move), Text(), self._course()]
        lines += [
            Text(f"{NAMES[player]}: {percent(review, player)} accuracy, {losses(review, player)}") for player in (0, 1)
        ]
        if not review.is_exact:
            lines.append(Text("values between 0 and 1 are estimates by search", "dim"))
        lines.append(Text("left, right: moves   t: next turning point   q: back", "dim"))
        used = sum(len(line.wrap(self._terminal, self._terminal.width)) for line in lines)
        free = self._terminal.height - used
        display = BoardDisplay(self._terminal, board, is_large=True)
        if display.width > self._terminal.width or display.height > free:
            display = BoardDisplay(self._terminal, board, height=free)
        return Group(display.lines(), *lines)

    def _words(self, move: MoveReview) -> Text:
        """The move and its kind."""
        mark = MARKS.get(move.kind, "")
        return Text.assemble(
            f"move {move.ply + 1} of {self._review.board.ply}: ",
            self._terminal.disc(move.player),
            (f" {NAMES[move.player]} {move.column + 1}{mark}  {move.kind}", "bold"),
            f"  ({worth(move)})",
        )

    def _better(self, move: MoveReview) -> list[Text]:
        """What should have been played, if it was not."""
        if move.line:
            return [Text(f"better: {numbers(move.line)}")]
        return [] if move.column in move.best else [Text(f"best: {numbers(move.best)}")]

    def _course(self) -> Text:
        """For each move a bar: how well the first player stands after it. The open page is marked."""
        levels = self._terminal.symbols.levels
        start = max(0, self._index - COURSE // 2)
        course = Text("course ", no_wrap=True, overflow="crop")
        for index, move in enumerate(self._review.moves[start : start + COURSE], start=start):
            value = move.value_after if move.player == 0 else 1 - move.value_after
            style = f"{PLAYERS[0]} reverse" if index == self._index else PLAYERS[0]
            course.append(levels[round(value * (len(levels) - 1))], style)
        return course
