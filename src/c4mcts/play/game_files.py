"""Games with variations and comments, their text, and text files with a line for each game.

    44"the centre"5(3"a mistake"2(6)7)3

A column is a digit from 1; on boards of more than 9 columns, columns are numbers from 0 with commas in between:
`3,11(10,3),2`. After a move comes perhaps a comment, a string of JSON, and then each alternative to that move with its
continuation in parentheses. A comment before the first move belongs to the start position. The text of a game without
variations and comments is the list of its moves.

page/static/js/game-text.js reads the same texts: tests/data/game_texts.json has a table for both.
"""

import json
import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

from .._files import path_of
from .._validation import an_instance, between, brief, members, naming, real_number, string
from ..board.arguments import AnyBoard, a_board
from ..board.board import Board
from ..board.notation import PONS_COLUMNS, rules_of
from ..errors import IllegalMoveError, NotationError
from ..rules import Rules
from .played_game import RESULTS, End, PlayedGame

MOST_MOVES = 20_000  # of all lines together
STRING = r'"(?:[^"\\]|\\.)*"'
OPEN_STRING = STRING + "?"  # or one without an end, which is looked for once
HEAD = re.compile(r'[^"(:]*:')  # rules or a FEN
TREE = re.compile(rf'(?=[^"(]*["(])(?:{HEAD.pattern})?(?:(?:{STRING}|[0-9,()\s])*|\s*["0-9].*)')  # has more than moves


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
    def board(self) -> Board:
        """A board with the position and its moves."""
        columns, node = [], self
        while node.parent is not None and node.column is not None:
            columns.append(node.column)
            node = node.parent
        assert isinstance(node, GameTree)
        return node.start.copy()._play(reversed(columns))

    def add(self, column: int, comment: str = "") -> "GameNode":
        """Add a move behind those that are there, and return its position; one that is there is returned as it is.

        IllegalMoveError.
        """
        if column not in self._children:
            column = self.board.after(column).moves[-1]
            self._children[column] = GameNode(self, column, string("comment", comment))
        return self._children[column]

    def main_line(self) -> Iterator["GameNode"]:
        """The positions that follow on the main line."""
        node = self
        while node._children:
            node = next(iter(node._children.values()))
            yield node


class GameTree(GameNode):
    """The start position of a game with variations.

    board: its moves are the main line (default: no moves on the standard board).

    >>> tree = GameTree.from_text('44"the centre"5(3)')
    >>> [node.column for node in tree.main_line()]
    [3, 3, 4]
    >>> tree[3][3].comment
    'the centre'
    >>> tree[3][3].add(0, comment="another try").board
    Board.from_moves([3, 3, 0])
    >>> tree.to_text()
    '44"the centre"5(3)(1"another try")'
    """

    __slots__ = ("start",)

    def __init__(self, board: AnyBoard | None = None) -> None:
        super().__init__(None, None)
        self.start = Board() if board is None else a_board(board).copy()
        columns = [self.start.pop() for _ in self.start.moves]
        node: GameNode = self
        for column in reversed(columns):
            node._children[column] = node = GameNode(node, column)

    @classmethod
    def from_text(cls, text: str, start: AnyBoard | None = None) -> Self:
        """The game of a text as `to_text` writes it, from a position (default: the empty standard board).

        NotationError or IllegalMoveError, which name the character, counted from 1.
        """
        tree = cls(None if start is None else Board.from_fen(a_board(start, "start").to_fen()))
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
    match = re.match(rf'(?:{STRING}|[^{{"])*(?:"[\s\S]*)?', line)  # to the end from a string without an end
    end = match.end() if match else 0
    return line[:end].strip(), line[end:].strip()


class _Reader:
    """Reads the moves of a text into a tree, whose start position has none."""

    def __init__(self, tree: GameTree, text: str) -> None:
        self._tree, self._text = tree, text
        self._node: GameNode = tree
        self._board = tree.start.copy()
        self._main: list[tuple[GameNode, Board]] = []  # the moves to which the open variations are alternatives
        self._after: Literal["start", "move", "comment", "(", ")", ","] = "start"
        has_commas = "," in re.sub(OPEN_STRING, "", text)  # outside of comments
        self._is_wide = tree.start.rules.width > PONS_COLUMNS or has_commas
        self._left = MOST_MOVES

    def read(self) -> None:
        token = re.compile(rf"{STRING}|{'[0-9]+' if self._is_wide else '[0-9]'}|.", re.DOTALL)
        for match in token.finditer(self._text):
            try:
                self._take(match[0])
            except (NotationError, IllegalMoveError) as error:
                raise type(error)(f"character {match.start() + 1}{error}") from None
        if self._main:
            raise NotationError(f"character {len(self._text)}: a parenthesis is not closed")

    def _take(self, token: str) -> None:
        """Take the next token. NotationError and IllegalMoveError, to be put after the place."""
        if token[0] == '"':
            if self._after not in ("start", "move"):
                raise NotationError(": a comment must follow its move")
            try:
                self._node.comment, self._after = json.loads(token), "comment"
            except ValueError:
                raise NotationError(": the comment is not a string of JSON") from None
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

    def _open(self) -> None:
        parent = self._node.parent
        if parent is None or not self._is_after_move:
            raise NotationError(": a variation must follow the move to which it is an alternative")
        self._main.append((self._node, self._board))
        self._board = self._board.copy()
        self._board.pop()
        self._node, self._after = parent, "("

    def _close(self) -> None:
        if not self._main or self._after == "(":
            raise NotationError(", ')', closes nothing" if not self._main else ": the variation has no moves")
        (self._node, self._board), self._after = self._main.pop(), ")"

    def _move(self, token: str) -> None:
        first = 0 if self._is_wide else 1
        if not re.fullmatch("[0-9]{1,9}" if self._is_wide else "[1-9]", token):
            requirement = (
                "the number of a column (0-based)" if self._is_wide else "a column: columns are the digits 1 to 9"
            )
            raise NotationError(f", {brief(token)}, is not {requirement}")
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
        self._node, self._after = node, "move"


def _quoted(comment: str) -> str:
    return json.dumps(comment, ensure_ascii=False) if comment else ""


def line_of(moves: str, headers: dict[str, Any]) -> str:
    return f"{moves} {json.dumps(headers, ensure_ascii=False)}\n"


def encoded(lines: str) -> bytes:
    """The bytes of lines. The names of files may have surrogates, which become JSON's escapes."""
    return lines.encode(errors="backslashreplace")


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game of a text file: its moves with variations and comments, and what else its line says."""

    tree: GameTree
    headers: dict[str, Any]

    @property
    def board(self) -> Board:
        """The board at the end of the main line, with its moves."""
        return [self.tree, *self.tree.main_line()][-1].board

    @property
    def opening(self) -> int:
        """How many of the first moves of the main line nobody chose."""
        return int(self.headers.get("opening", 0))

    @property
    def winner(self) -> int | None:
        """The winner by the result of the line, 0 or 1; None for a draw, and without a result."""
        result = self.headers.get("result")
        return next((winner for winner, text in RESULTS.items() if text == result), None)

    def line(self) -> str:
        """The line of the file, which `read_game` reads."""
        start = self.tree.start
        place = {"start": start.to_fen()} if start.ply else {}
        return line_of(self.tree.to_text(), {**self.headers, **place, "rules": str(start.rules)})


def read_game(line: str, rules: Rules | None = None) -> SavedGame:
    """A game from a line: its moves as `Board.parse` or `GameTree.from_text` reads them; then perhaps headers as JSON.

    Rules or a FEN may precede moves with variations, too: "20x14x5:0,9(3)". The headers may have `rules`, as "7x6x4" or
    as an object with the fields of Rules, and `start`, the FEN of the start position; without moves they must have
    `rules`, or the line is JSON that `Board.parse` reads. The headers of a Kaggle episode are the names of the players
    and how it ended. rules: if the headers have none.

    NotationError or IllegalMoveError.
    """
    moves, rest = split_moves(string("a game", line).lstrip("\N{ZERO WIDTH NO-BREAK SPACE}"))
    if rest and not moves:
        from ..board.json_texts import is_episode, loaded  # patterns, for this kind of text only

        if is_episode(headers := loaded(rest)):
            board = Board.parse(rest, rules)
            with naming("the Kaggle episode: ", NotationError):
                return SavedGame(GameTree(board), _headers_of_episode(headers, board))
    else:
        headers = _headers_of(rest)
    has_moves = re.sub(OPEN_STRING, "", moves).strip()
    if not (has_moves or "rules" in headers) or not (headers or TREE.fullmatch(moves)):
        return SavedGame(GameTree(Board.parse(moves or rest, rules)), {})
    for name in ("start", "first", "second", "result", "end", "reason"):
        if name in headers and not isinstance(headers[name], str):
            raise NotationError(f"{name} must be a string, not {brief(headers[name])}")
    rules = rules_of(headers["rules"]) if "rules" in headers else rules
    start = Board.from_fen(headers["start"], rules) if "start" in headers else Board(rules)
    if head := HEAD.match(moves):
        start = Board.parse(head[0], rules if "rules" in headers else None)
        if "start" in headers:
            raise NotationError(f"the start position is there twice, as {brief(head[0])} and as start")
        moves = " " * len(head[0]) + moves[len(head[0]) :]  # errors name the character of the line
    tree = GameTree.from_text(moves, start)
    with naming("", NotationError):
        between("opening", headers.get("opening", 0), 0, len(list(tree.main_line())))
    return SavedGame(tree, headers)


def _headers_of(text: str) -> dict[str, Any]:
    """The JSON after the moves of a line. NotationError."""
    try:
        headers = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        raise NotationError(f"the text after the moves is not JSON: {error}") from None
    return dict(headers)


def _headers_of_episode(episode: dict[str, Any], board: Board) -> dict[str, Any]:
    """Who played a Kaggle episode, and how it ended. A player who made no legal move in time has forfeited it.

    TypeError, ValueError.
    """
    info = episode.get("info") or {}
    agents = [agent.get("Name") for agent in _pair("Agents", info) if isinstance(agent, dict)]
    names = agents if len(agents) == 2 else _pair("TeamNames", info)
    headers: dict[str, Any] = dict(zip(("first", "second"), map(str, names), strict=False))
    if board.is_over():
        game = PlayedGame.over(board)
        return {**headers, "result": game.result, "end": game.end}
    rewards = [-math.inf if each is None else real_number("rewards", each) for each in _pair("rewards", episode)]
    if len(rewards) != 2 or rewards[0] == rewards[1]:
        return {**headers, "result": "*", "end": "unfinished"}
    loser = int(rewards[0] > rewards[1])
    statuses = [str(status).lower() for status in (*_pair("statuses", episode), "done", "done")]
    reason = statuses[loser] if statuses[loser] != "done" else "no legal move"
    return {**headers, "result": RESULTS[1 - loser], "end": End.FORFEIT, "reason": reason}


def _pair(name: str, values: dict[str, Any]) -> list[Any]:
    """What an episode has of its two players, if anything. TypeError."""
    return members(name, values.get(name) or (), "a list", 2)


def append_game(path: str | os.PathLike[str], game: SavedGame) -> None:
    """Add a game to the end of a text file, which need not exist. OSError."""
    line = encoded(an_instance("game", game, SavedGame, "a SavedGame").line())
    with open(path_of("path", path), "a+b") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write(line)
