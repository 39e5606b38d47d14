"""join: a proof of a position, made of proofs of the positions after its moves."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .._backend import load
from .._validation import an_instance, members, naming
from ..board.arguments import AnyBoard, unfinished
from ..board.board import Board
from ..errors import ProofError
from .certificate import Certificate, Claim, read_moves, sides_of

MOST = 1000  # certificates


def join(board: AnyBoard, certificates: Iterable[Certificate]) -> Certificate:
    """A proof of a position, made of proofs of positions after one move, or of their mirror images.

    So a proof can be made in parts, on many machines. For the player to move the best of the parts is enough. The
    opponent needs parts after all moves, except where a rule decides, and reaches the lowest score in them. Nothing is
    trusted: the parts are checked, and so is the proof made of them. It takes minutes for 10,000 moves.

    Raises ProofError for a part that proves nothing, or if there are too few; ValueError for one of another position;
    GameOverError for a finished game; TypeError.
    """
    board = unfinished(board).copy()
    after = {column: board.after(column) for column in board.legal_columns}
    claims: list[tuple[list[int], Board, Claim]] = []  # after which columns, and of which board
    for i, part in enumerate(members("certificates", certificates, "a list of certificates", MOST)):
        with naming(f"certificates[{i}]: "):
            an_instance("it", part, Certificate, "a Certificate").check()
            columns = [column for column in after if part.board in (after[column], after[column].mirror())]
            if not columns:
                raise ValueError(f"{part.board.to_fen()} is no position after a move in {board.to_fen()}")
            claims += [(columns, part.board, claim) for claim in part.claims]
    parts = {player: [part for part in claims if part[2].player == player] for player in (board.turn, 1 - board.turn)}
    joined = [_claim(board, player, found) for player, found in parts.items() if found]
    if not any(joined):
        covered = {column for columns, _, _ in parts[1 - board.turn] for column in columns}
        lacking = ", ".join(after[column].format("address") for column in after if column not in covered)
        raise ProofError(f"the certificates prove nothing of this position: there is none of {lacking}")
    return Certificate(board, tuple(claim for claim in joined if claim))


def _claim(board: Board, player: int, parts: list[tuple[list[int], Board, Claim]]) -> Claim | None:
    """The score that a player reaches, by the claims of the parts; None if the opponent's moves lack some."""
    is_to_move = board.turn == player
    best = max(parts, key=lambda part: part[2].score)
    score = best[2].score if is_to_move else min(claim.score for _, _, claim in parts)
    rules: Any = load("pure").certificate
    walk = _Walk(rules, rules.claim_of(board.rules, score))
    for _, after, claim in [best] if is_to_move else parts:  # a proof of a higher score has the moves for a lower one
        walk.answers |= read_moves(after, player, claim.score, claim.moves, "auto", board.rules.cells)[2]
    own, other, _ = sides_of(board, player)
    try:
        if is_to_move:
            walk.answers[rules.key_of(walk.goal, own, other)] = rules.oriented(walk.goal, own, other, best[0][0])
            walk.move(own, other)
        else:
            walk.replies(own, other)
    except LookupError:
        return None
    positions, _, _ = read_moves(board, player, score, bytes(walk.moves), "auto")
    return Claim(player, score, bytes(walk.moves), positions)


@dataclass
class _Walk:
    """The walk of a CertificateReader, with the moves of the parts. LookupError where they have none."""

    rules: Any  # of certificates
    goal: Any
    answers: dict[int, int] = field(default_factory=dict)  # as a CertificateReader has them
    moves: bytearray = field(default_factory=bytearray)
    seen: set[int] = field(default_factory=set)

    def move(self, own: int, other: int) -> None:
        """A position in which the claimant is to move."""
        rules, goal, node = self.rules, self.goal, self.rules.ProofNode()
        node.own, node.other = own, other
        state = rules.look(goal, node)
        if state != rules.HELD and self._is_new(key := rules.key_of(goal, own, other)):
            cell = node.moves
            if state != rules.FORCED:
                column = rules.oriented(goal, own, other, self.answers[key])
                self.moves.append(column)
                cell &= rules.column_cells(goal, column)
            self.replies(own | cell, other)

    def replies(self, own: int, other: int) -> None:
        """A position in which the opponent is to move."""
        geometry = self.goal.geometry
        free = (own | other) + geometry.bottom & geometry.board
        if self._is_new(self.rules.key_of(self.goal, own, other)):
            for column in range(geometry.width):
                if cell := free & self.rules.column_cells(self.goal, column):
                    self.move(own, other | cell)

    def _is_new(self, key: int) -> bool:
        """Whether a position has not been met; notes it."""
        before = len(self.seen)
        self.seen.add(key)
        return len(self.seen) > before
