"""The replies as types: the JSON Schema of replies follows from them, and from that the types of the page.

In an annotation, a text is a description, and a pair a keyword of JSON Schema. Columns are 0-based. Values, scores and
proofs are for the player to move.
"""

from typing import Annotated, Literal, NotRequired, TypedDict

from .._layout import MAX_SIDE
from ..play.exam import Theme as ExamTheme
from ..play.levels import LEVELS
from ..play.puzzles import Theme
from ..play.review import Kind, MoveReview
from ..play.strategy import Reason
from ..rules import Outcome, Rules
from ..search.params import Rollout, Selection
from ..search.steps import Backup
from ..solver.verdict import Bound, Proof
from . import messages

Id = Annotated[messages.Id, ("minLength", 1), ("maxLength", messages.MAX_ID)]
Natural = Annotated[int, ("minimum", 0)]
Positive = Annotated[int, ("minimum", 1)]
Column = Annotated[int, ("minimum", 0), ("maximum", MAX_SIDE - 1)]
LevelNumber = Annotated[int, ("minimum", 1), ("maximum", len(LEVELS))]
Share = Annotated[float, ("minimum", 0), ("maximum", 1)]
Seconds = Annotated[float, ("minimum", 0)]
Player = Annotated[int, ("enum", (0, 1)), "0: the first player (x), 1: the second (o)."]
Value = Annotated[Share | None, "Mean reward; null if nothing was tried."]
Score = Annotated[int | None, "Exact score on Pascal Pons' scale; null if it is not known."]
Fen = Annotated[str, ("pattern", "^[xo0-9/]+ [xo] [0-9]+x[0-9]+x[0-9]+( no-diagonals)?$")]
Backend = Annotated[str, ("enum", ("native", "pure"))]
Cell = Annotated[tuple[int, int], "[column, row], row 0 at the bottom."]
Node = Annotated[int, ("minimum", 0), "Index of a node in Engine.tree(); 0 is the root."]


class Head(TypedDict):
    """The first keys of replies about a position of a query. isDuringSearch: whether the work goes on."""

    id: Id
    turnNumber: Natural
    isDuringSearch: bool


class Proven(TypedDict):
    proof: Annotated[Proof | None, "The proven result."]
    distance: Annotated[Natural | None, "Plies to the end of the game, if that is proven."]
    bound: Annotated[Bound | None, "What the distance is; at most: the winner may be faster."]


class MoveInfo(Proven):
    move: Column
    order: Natural
    visits: Natural
    winrate: Value
    prior: Share | None
    pv: list[Column]


class RootInfo(Proven):
    currentPlayer: Player
    winrate: Value
    visits: Natural
    simulations: Natural
    nodes: Natural
    bytes: Natural
    seconds: Seconds
    seed: Natural


class AnalysisReply(Head):
    moveInfos: Annotated[list[MoveInfo], ("minItems", 1)]
    rootInfo: RootInfo


class ThreatInfo(TypedDict):
    """An empty cell in which a player would complete a line."""

    player: Player
    cell: Cell
    isOdd: Annotated[bool, "Whether the row is odd, counted from 1."]


class SolutionReply(Head):
    currentPlayer: Player
    score: Score
    distance: Annotated[Natural | None, "Plies to the end of the game."]
    columns: Annotated[list[Score] | None, 'Null for a full column, and with "columns": false.']
    best: list[Column]
    nodes: Natural
    seconds: Seconds
    pv: Annotated[list[Column], 'With "includePv": best play, to the end if it has `distance` moves.']
    zugzwang: Annotated[ThreatInfo | None, "The cell in which `pv` is won on top of a disc that the loser had to play."]


class SolvingReply(Head):
    nodes: Natural


class NoResultsReply(Head):
    noResults: Literal[True]


class MoveReply(Head):
    move: Column
    level: LevelNumber
    name: str
    seed: Natural


class PlayerReview(TypedDict):
    accuracy: Annotated[float | None, ("minimum", 0), ("maximum", 100), "In percent; null without moves."]
    lost_half_points: Natural
    counts: dict[Kind, Natural]


class GameReview(TypedDict):
    """Scores and values are for the player who made the move."""

    line: NotRequired[Annotated[Natural, "Of the file, from 1."]]
    game: NotRequired[str]
    first: NotRequired[Annotated[str, "The name of a player, as its file has it; and so on."]]
    second: NotRequired[str]
    result: NotRequired[str]
    end: NotRequired[str]
    reason: NotRequired[Annotated[str, "Why the loser forfeited the game."]]
    version: str
    backend: Backend
    preset: None
    params: None
    limits: dict[Literal["simulations"], Positive]
    threads: Literal[1]
    seed: int
    rules: Rules
    point_of_view: Literal["player_to_move"]
    start: Fen
    board: Fen
    exact: Annotated[bool, "Whether all scores are exact; otherwise some values come from a search."]
    exact_from: Annotated[Natural, "Scores are exact from this number of discs on; all discs if the last score is not."]
    moves: list[MoveReview]
    players: Annotated[list[PlayerReview], ("minItems", 2), ("maxItems", 2)]


class ReviewReply(Head):
    review: GameReview


class ReviewingReply(Head):
    reviewed: Natural
    moves: Natural
    found: Annotated[list[MoveReview], "Those reviewed since the last report, the last one of the game first."]


class PlanAnswer(TypedDict):
    reply: Annotated[Column | None, "The opponent's; null if the winner is to move."]
    move: Annotated[Column, "The winner's."]
    reason: Reason
    zugzwang: Annotated[ThreatInfo | None, 'Of "follow up": the cell that wins; null: the answers make a line.']


class PlanReply(Head):
    answers: Annotated[list[PlanAnswer], "Empty where the plan does not lead."]


class ChildInfo(TypedDict):
    move: Column
    visits: Natural
    value: Value
    ucb: Annotated[float | Literal["inf", "-inf"] | None, "On the scale of the values; null if none are compared."]


class TreeChild(ChildInfo, Proven):
    prior: Share | None


class TreeReply(Proven):
    id: Id
    searchId: Annotated[Id | None, "Of the query that is growing the tree; null for a kept tree."]
    path: list[Column]
    fen: Fen
    currentPlayer: Player
    visits: Natural
    value: Value
    exploration: float
    children: list[TreeChild]


class Candidate(ChildInfo):
    node: Node


class SelectedNode(TypedDict):
    node: Node
    visits: Natural
    move: Column
    children: Annotated[list[Candidate], ("minItems", 1)]


class NewChild(TypedDict):
    node: Node
    move: Column


class ExpandedNode(TypedDict):
    node: Node
    children: Annotated[list[NewChild], ("minItems", 1)]


class ProofInfo(Proven):
    """A new proof of a node, for the player who moved into it; distances count from before that move."""

    node: Node


class Step(TypedDict):
    """One simulation."""

    number: Positive
    path: list[Column]
    selected: list[SelectedNode]
    expanded: list[ExpandedNode]
    leaf: Column | None
    isProven: bool
    rollout: list[Column]
    winner: Player | None
    reward: Share
    proofs: list[ProofInfo]
    backup: Annotated[list[Backup], ("minItems", 1)]


class StepsReply(Head):
    fen: Fen
    currentPlayer: Player
    selection: Selection
    exploration: float
    rolloutPolicy: Rollout
    steps: list[Step]
    seed: Natural


class DescriptionReply(TypedDict):
    id: Id
    turnNumber: Natural
    rules: Rules
    start: Annotated[Fen, "The position before the first of the moves."]
    moves: list[Column]
    fen: Fen
    board: Annotated[list[list[int]], "Rows from the top; 0 empty, 1 first player, 2 second."]
    ply: Natural
    currentPlayer: Player
    legalMoves: list[Column]
    winningMoves: Annotated[list[Column], "Columns with which the player to move wins immediately."]
    threatenedMoves: Annotated[list[Column], "Columns with which the opponent would win immediately."]
    threats: Annotated[list[ThreatInfo], "Of both players; those that can be played now, too."]
    movesBelowThreats: Annotated[list[Column], "Columns that let the opponent win on top of the disc."]
    isZugzwang: Annotated[bool, "Whether the player to move loses only because of having to move."]
    lastCell: Cell | None
    outcome: Outcome | None


class BookMove(TypedDict):
    move: Column
    score: Annotated[int, "Exact score for the player who makes the move."]
    distance: Annotated[Positive, "Plies to the end of the game, this one included."]
    replies: Annotated[Natural, "The number of moves that the opponent then has."]
    holding: Annotated[Natural | None, "How many of them keep the result; null if they lead out of the book."]
    name: Annotated[str | None, "Of the position after the move; null without one."]


class NamedOpening(TypedDict):
    name: str
    text: str
    ply: Annotated[Natural, "Discs of the position."]


class OpeningReply(TypedDict):
    id: Id
    turnNumber: Natural
    currentPlayer: Player
    score: Score
    moves: Annotated[list[BookMove], "Those that the book of the package knows, in column order."]
    opening: Annotated[NamedOpening | None, "The last position with a name that the game has gone through."]


class PuzzleInfo(TypedDict):
    """A position with exactly one right move."""

    moves: Annotated[list[Column], "Columns from the empty board."]
    line: Annotated[list[Column], "Best play; the first column is the right move."]
    depth: Positive
    level: LevelNumber
    rating: int
    themes: list[Theme]


class PuzzlesReply(TypedDict):
    id: Id
    puzzles: list[PuzzleInfo]


class ExamQuestion(TypedDict):
    """A position in which one move keeps the result."""

    moves: list[Column]
    theme: ExamTheme


class ExamReply(TypedDict):
    id: Id
    questions: list[ExamQuestion]


class LevelInfo(TypedDict):
    level: LevelNumber
    name: str
    rating: Annotated[int, "Elo on 7x6, four in a row."]


class VersionReply(TypedDict):
    id: Id
    action: Literal["query_version"]
    version: str
    protocol: Literal[1]
    backend: Backend
    workers: Positive
    presets: list[str]
    rolloutPresets: list[str]
    levels: list[LevelInfo]
    limits: Annotated[dict[str, float], "The most that a client may ask for, by name."]


class ErrorReply(TypedDict):
    error: str
    field: NotRequired[Annotated[str, "The key at fault."]]
    id: NotRequired[Id]
    turnNumber: NotRequired[Natural]
