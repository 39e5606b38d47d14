"""A game with variations and comments, and its text.

    44"the centre"5(3"a mistake"2(6)7)3

A column is a digit from 1; on boards of more than 9 columns, columns are numbers from 0 with commas in between:
`3,11(10,3),2`. After a move comes perhaps a comment, a string of JSON, and then each alternative to that move with its
continuation in parentheses. A comment before the first move belongs to the start position. The text of a game without
variations and comments is the list of its moves.

web/static/js/game-text.js reads the same texts: tests/data/game_texts.json has a table for both.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Literal, Self

from .._validation import shown, string
from ..board.board import Board
from ..board.notation import PONS_COLUMNS
from ..errors import IllegalMoveError, NotationError

MOST_MOVES = 20_000  # of all lines together
STRING = r'"(?:[^"\\]|\\.)*"'


class GameNode:
    """A position of a tree of games. The first child is on the main line, the others are alternatives to it."""

    __slots__ = ("_children", "column", "comment", "parent")

    def __init__(self, parent: "GameNode | None", column: int | None, comment: str = "") -> None:
        self.parent, self.column, self.comment = parent, column, comment
        self._children: dict[int, GameNode] = {}

    @property
    def children(self) -> tuple["GameNode", ...]:
        """The positions after each of the moves, the main line first."""
        return tuple(self._children.values())

    def __getitem__(self, column: int) -> "GameNode":
        """The position after a move. KeyError."""
        return self._children[column]

    def __contains__(self, column: int) -> bool:
        return column in self._children

    @property
    def moves(self) -> list[int]:
        """The columns played since the start position of the tree."""
        columns = []
        node = self
        while node.parent is not None and node.column is not None:
            columns.append(node.column)
            node = node.parent
        return columns[::-1]

    @property
    def root(self) -> "GameTree":
        """The start position of the tree."""
        node = self
        while node.parent is not None:
            node = node.parent
        if not isinstance(node, GameTree):
            raise ValueError("the position was removed from its tree")
        return node

    @property
    def board(self) -> Board:
        """A board with the position and its moves."""
        board = self.root.start.copy()
        for column in self.moves:
            board.push(column)
        return board

    def add(self, column: int, comment: str = "") -> "GameNode":
        """Add a move behind those that are there, and return its position; one that is there is returned as it is.

        IllegalMoveError.
        """
        if column not in self._children:
            self.add_line([column]).comment = comment
        return self._children[column]

    def add_line(self, columns: Iterable[int]) -> "GameNode":
        """Add moves one after the other, and return the last position. IllegalMoveError; no move is added then."""
        board = self.board
        played = len(board.moves)
        for column in columns:
            board.push(column)
        node = self
        for column in board.moves[played:]:
            node = node._children.setdefault(column, GameNode(node, column))
        return node

    def main_line(self) -> Iterator["GameNode"]:
        """The positions that follow on the main line."""
        node = self
        while node._children:
            node = next(iter(node._children.values()))
            yield node

    def promote(self) -> None:
        """Make the moves that lead here the main line."""
        node = self
        while node.parent is not None and node.column is not None:
            siblings = node.parent._children
            node.parent._children = {node.column: siblings.pop(node.column), **siblings}
            node = node.parent

    def remove(self) -> None:
        """Take this position and all that follow from the tree. ValueError for the start position."""
        if self.parent is None or self.column is None:
            raise ValueError("the start position can't be removed")
        del self.parent._children[self.column]
        self.parent = None


class GameTree(GameNode):
    """The start position of a game with variations.

    board: its moves are the main line (default: no moves on the standard board).

    >>> tree = GameTree.from_text('44"the centre"5(3)')
    >>> [node.column for node in tree.main_line()]
    [3, 3, 4]
    >>> tree[3][3].comment
    'the centre'
    >>> tree[3][3].add(0, comment="another try").promote()
    >>> tree.to_text()
    '44"the centre"1"another try"(5)(3)'
    """

    __slots__ = ("start",)

    def __init__(self, board: Board | None = None) -> None:
        super().__init__(None, None)
        self.start = Board() if board is None else board.copy()
        columns = [self.start.pop() for _ in self.start.moves]
        node: GameNode = self
        for column in reversed(columns):
            node._children[column] = node = GameNode(node, column)

    @classmethod
    def from_text(cls, text: str, start: Board | None = None) -> Self:
        """The game of a text as `to_text` writes it, from a position (default: the empty standard board).

        NotationError or IllegalMoveError, which name the character, counted from 1.
        """
        tree = cls(Board.from_fen(start.to_fen()) if start is not None and start.moves else start)
        _Reader(tree, string("a game", text)).read()
        return tree

    def to_text(self) -> str:
        """The moves with variations and comments in one line."""
        first, comma = (0, ",") if self.start.rules.width > PONS_COLUMNS else (1, "")
        parts = [_quoted(self.comment)]
        todo: list[GameNode | str] = [self]  # texts, and positions for what follows them; the next one is the last
        while todo:
            node = todo.pop()
            if isinstance(node, str):
                parts.append(node)
                continue
            pieces: list[list[GameNode | str]] = [
                [f"{column + first}{_quoted(child.comment)}", *((comma, child) if child.children else ())]
                for column, child in node._children.items()
            ]
            if pieces:
                (main, *continuation), *others = pieces
                alternatives = [part for other in others for part in ("(", *other, ")")]
                todo += reversed([main, *alternatives, *continuation])
        return "".join(parts)


def split_moves(line: str) -> tuple[str, str]:
    """The moves of a line, and the rest, which begins with the first "{" that is not in a comment."""
    found = re.match(rf"(?:{STRING}|[^{{])*", line)
    end = found.end() if found else 0
    return line[:end].strip(), line[end:].strip()


def is_tree(text: str) -> bool:
    """Whether a text of moves has variations or comments."""
    return re.search('["(]', text) is not None


def _has_commas(text: str) -> bool:
    """Whether columns are numbers with commas in a text of moves."""
    return "," in re.sub(STRING, "", text)


class _Reader:
    """Reads the moves of a text into a tree, whose start position has none."""

    def __init__(self, tree: GameTree, text: str) -> None:
        self._tree, self._text = tree, text
        self._node: GameNode = tree
        self._board = tree.start.copy()
        self._main: list[GameNode] = []  # the moves to which the open variations are alternatives
        self._after: Literal["start", "move", "comment", "(", ")", ","] = "start"
        self._is_wide = tree.start.rules.width > PONS_COLUMNS or _has_commas(text)
        self._left = MOST_MOVES

    def read(self) -> None:
        """Read all of the text."""
        token = re.compile(rf"{STRING}|{'[0-9]+' if self._is_wide else '[0-9]'}|.", re.DOTALL)
        for found in token.finditer(self._text):
            try:
                self._take(found[0])
            except (NotationError, IllegalMoveError) as error:
                raise type(error)(f"character {found.start() + 1}{error}") from None
        if self._main:
            raise NotationError(f"character {len(self._text)}: a parenthesis is not closed")

    def _take(self, token: str) -> None:
        """Take the next token. NotationError and IllegalMoveError, to be put after the place."""
        if token[0] == '"':
            self._comment(token)
        elif token == "(":
            self._open()
        elif token == ")":
            self._close()
        elif token == "," and self._is_wide:
            if not self._is_after_move:
                raise NotationError(": a comma must follow a move")
            self._after = ","
        elif not token.isspace():
            self._move(token)

    @property
    def _is_after_move(self) -> bool:
        """Whether the last token belongs to a move: not before the first one, in a new variation or after a comma."""
        return self._node is not self._tree and self._after not in ("(", ",")

    def _comment(self, token: str) -> None:
        try:
            comment = json.loads(token)
        except ValueError:
            raise NotationError(": the comment is not a string of JSON") from None
        if self._after not in ("start", "move"):
            raise NotationError(": a comment must follow its move")
        self._node.comment, self._after = comment, "comment"

    def _open(self) -> None:
        parent = self._node.parent
        if parent is None or not self._is_after_move:
            raise NotationError(": a variation must follow the move to which it is an alternative")
        self._main.append(self._node)
        self._board.pop()
        self._node, self._after = parent, "("

    def _close(self) -> None:
        if not self._main or self._after == "(":
            raise NotationError(", ')', closes nothing" if not self._main else ": the variation has no moves")
        main = self._main.pop()
        while self._node is not main.parent:
            self._board.pop()
            self._node = self._node.parent  # type: ignore[assignment]  # the start position is no descendant
        self._board.push(main.column)  # type: ignore[arg-type]
        self._node, self._after = main, ")"

    def _move(self, token: str) -> None:
        first = 0 if self._is_wide else 1
        if not re.fullmatch("[0-9]{1,9}" if self._is_wide else "[1-9]", token):
            wanted = "the number of a column (0-based)" if self._is_wide else "a column: columns are the digits 1 to 9"
            raise NotationError(f", {shown(token)}, is not {wanted}")
        if self._is_wide and self._is_after_move:
            raise NotationError(": a comma is missing before the move")
        column = int(token) - first
        if column in self._node:
            raise NotationError(f": column {token} is there already as an alternative")
        self._left -= 1
        if self._left < 0:
            raise NotationError(f": a game has at most {MOST_MOVES:,} moves in all variations")
        try:
            self._board._push(column, first)
        except IllegalMoveError as error:
            raise IllegalMoveError(f": {error}") from None
        node = self._node._children[column] = GameNode(self._node, column)
        self._node = node
        self._after = "move"


def _quoted(comment: str) -> str:
    return json.dumps(comment, ensure_ascii=False) if comment else ""
