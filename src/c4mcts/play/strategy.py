"""Strategy: the answer of a proof's claimant in each position that it covers, and the rule that decides there.

proof_tree: its first moves as a game with variations, to be walked through.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from .._backend import BackendName, load
from .._validation import an_instance, between, naming, positive
from ..board import cells
from ..board.board import Board
from ..board.threats import Threat, threats
from ..errors import ProofError
from ..solver.certificate import Certificate, Claim, claim_text, read_moves, shipped, sides_of
from .game_files import MOST_MOVES, GameNode, GameTree

# Why a move reaches the goal. "win": at once. "follow up": from now on each disc is answered on top of it, see
# follow_up. "threat": of a win at once, after the answer to which a rule decides. "all replies": after each of them one
# of these decides. "only move": the others lose at once. "proof": a move that the proof lists.
Reason = Literal["win", "follow up", "threat", "all replies", "only move", "proof"]
BY_RULE = ("win", "follow up", "threat")  # reasons with which a branch ends


@dataclass(frozen=True, slots=True)
class PlanMove:
    column: int
    reason: Reason
    # Of "follow up": the cell that wins on top of a disc which the opponent must play in the end; None: the discs of
    # the answers make a line.
    zugzwang: Threat | None = None


class Strategy:
    """The proof of a claim. ValueError if it is not proven.

    plies: how far from the position of the proof its moves are known; what a rule decides is known everywhere.
    """

    def __init__(self, board: Board, claim: Claim, plies: int, backend: BackendName = "auto") -> None:
        self.player = claim.player
        self._moves = read_moves(board, claim.player, claim.score, claim.moves, backend, board.ply + plies)[2]
        self._rules: Any = load("pure").certificate
        self._goal = self._rules.claim_of(board.rules, claim.score)

    def answer(self, board: Board) -> PlanMove | None:
        """The move in a position in which the claimant is to move.

        None: the proof does not lead there, or the opponent can't prevent the goal any more, whatever is played.
        """
        rules, goal, position = self._rules, self._goal, self._rules.ProofNode()
        position.own, position.other, _ = sides_of(board, self.player)
        state = rules.glance(goal, position)
        if state == rules.HELD:
            return self._by_rule(board, position)
        if cell := rules.quiet_move(goal, position):
            return PlanMove(rules.column_of(goal, cell), "all replies")
        column = self._moves.get(rules.key_of(goal, position.own, position.other))
        if column is None:
            return None
        reason: Reason = "only move" if state == rules.FORCED else "proof"
        return PlanMove(rules.oriented(goal, position.own, position.other, column), reason)

    def _by_rule(self, board: Board, position: Any) -> PlanMove | None:
        rules, goal = self._rules, self._goal
        if wins := board.winning_columns():
            return PlanMove(wins[0], "win")
        moves = position.moves
        columns = [*board.moves[-1:], *range(board.rules.width)]  # the answer on top of the last disc first
        for column in columns:
            position.moves = moves & rules.column_cells(goal, column)
            if rules.one_move_holds(goal, position):
                return PlanMove(column, "follow up", self._zugzwang(board.after(column)))
        for column in columns:
            position.moves = moves & rules.column_cells(goal, column)
            if rules.one_threat_holds(goal, position):
                return PlanMove(column, "threat")
        return None

    def _zugzwang(self, board: Board) -> Threat | None:
        """The lowest cell in which the claimant wins by answering on top of each disc."""
        own = [threat for threat in threats(board) if threat.player == self.player]
        pairs = (each for each in own if (each.row - cells.filled(board.mask, each.column, board.rules)) % 2)
        return min(pairs, key=lambda threat: threat.row, default=None)


@cache
def winning_plan(first: int | None = None) -> Strategy:
    """How the first player wins on 7 x 6, by a shipped proof; or the second, after a first move in column 0 or 1.

    The first call checks the proof, in a quarter of a second; without the native backend in a minute.
    """
    certificate = Certificate.load(shipped(first))
    return Strategy(certificate.board, certificate.claims[0], certificate.board.rules.cells)


def proof_tree(certificate: Certificate, plies: int, *, number: int = 0, backend: BackendName = "auto") -> GameTree:
    """The moves of a proof, and all replies to them.

    plies: how many, from the position of the proof. number: the index of the claim in `certificate.claims`, whose proof
    is checked first. Comments say what is proven, and where a rule ends the proof.

    >>> from c4mcts import Board
    >>> from c4mcts.solver import prove
    >>> tree = proof_tree(prove(Board.from_pons("444444"), "win"), plies=3)
    >>> tree.to_text()
    '"the first player wins"31"a rule decides"(26)(3"a rule decides")(55)(6"a rule decides")(7"a rule decides")'

    Raises ProofError if the claim is not proven; ValueError also if there are more than 20,000 moves.
    """
    certificate = an_instance("certificate", certificate, Certificate, "a Certificate")
    plies = positive("plies", plies)
    claim = certificate.claims[between("number", number, 0, len(certificate.claims) - 1)]
    board = certificate.board.copy()
    with naming(f"claim {number}: ", ProofError):
        strategy = Strategy(board, claim, plies, backend)
    tree, left = GameTree(Board.from_fen(board.to_fen())), MOST_MOVES
    tree.comment = claim_text(board, claim.player, claim.score)

    def grow(node: GameNode, plies: int) -> None:
        """Add what follows the position on the board, up to this many plies."""
        nonlocal left
        if plies == 0 or board.is_over():
            return
        for column in _answer(strategy, node, board) if board.turn == claim.player else board.legal_columns:
            left -= 1
            if left < 0:
                raise ValueError(f"plies must be smaller: there would be more than {MOST_MOVES:,} moves")
            board.push(column)
            grow(node.add(column), plies - 1)
            board.pop()

    grow(tree, plies)
    return tree


def _answer(strategy: Strategy, node: GameNode, board: Board) -> list[int]:
    """The column of the claimant's move; none if a rule ends the proof, which the position's comment says then."""
    answer = strategy.answer(board)
    if answer is not None and answer.reason not in BY_RULE:
        return [answer.column]
    node.comment = "a rule decides"
    if answer is not None and answer.reason == "win":
        node.comment = f"column {answer.column + 1} wins"
    return []
