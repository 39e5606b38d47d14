"""join: a proof of a position, made of proofs of the positions after its moves."""

from collections.abc import Iterable
from typing import Any

from .._backend import load
from .._validation import an_instance, members, naming
from ..board.arguments import AnyBoard, unfinished
from ..board.board import Board
from ..errors import ProofError
from .certificate import Certificate, Claim, read_moves, sides_of

MOST = 1000  # certificates


def join(board: AnyBoard, certificates: Iterable[Certificate]) -> Certificate:
    """A proof of a position, made of proofs of positions after one move, or taken out of one of an earlier position.

    So a proof can be made in parts, on many machines. A position after a move may be the mirror image. For the player
    to move the best of the parts is enough. The opponent needs parts after all moves, except where a rule decides, and
    reaches the lowest score in them. Of the position itself or an earlier one of the game one part is enough, if its
    claimants' moves lead here. Nothing is trusted: the parts are checked, and so is the proof made of them. It takes
    minutes for 10,000 moves.

    Raises ProofError for a part that proves nothing, or if there are too few; ValueError for one of another position;
    GameOverError for a finished game; TypeError.
    """
    board = unfinished(board).copy()
    after = {column: board.after(column) for column in board.legal_columns}
    earlier = [board.start.after(*board.moves[:count]) for count in range(len(board.moves) + 1)]
    claims: list[tuple[list[int], Board, Claim]] = []  # after which columns, and of which board
    joined: list[Claim | None] = []
    for i, part in enumerate(members("certificates", certificates, "a list of certificates", MOST)):
        with naming(f"certificates[{i}]: "):
            an_instance("it", part, Certificate, "a Certificate").check()
            if part.board in earlier:
                is_whole = part.board == board
                joined += [c if is_whole else _written(board, c, _answers(part.board, c)) for c in part.claims]
                continue
            columns = [column for column in after if part.board in (after[column], after[column].mirror())]
            if not columns:
                raise ValueError(f"{part.board.to_fen()} is no position after a move in {board.to_fen()}")
            claims += [(columns, part.board, claim) for claim in part.claims]
    claims.sort(key=lambda part: _rank(part[2]))
    last = {(part[2].player, *part[0]): part for part in claims}.values()  # of the same moves the best
    parts = {player: [part for part in last if part[2].player == player] for player in (board.turn, 1 - board.turn)}
    joined += [_claim(board, player, pieces) for player, pieces in parts.items() if pieces]
    best: dict[int, Claim] = {}
    for claim in filter(None, joined):
        best[claim.player] = max(claim, best.get(claim.player, claim), key=_rank)
    if not best:
        covered = {column for columns, _, _ in parts[1 - board.turn] for column in columns}
        lacking = ", ".join(after[column].format("address") for column in after if column not in covered)
        raise ProofError(f"the certificates prove nothing of this position: there is none of {lacking}")
    return Certificate(board, tuple(best.values()))


def _rank(claim: Claim) -> tuple[int, int]:
    """The better of two claims of a player has the higher score, or lists fewer moves."""
    return claim.score, -len(claim.moves)


def _claim(board: Board, player: int, parts: list[tuple[list[int], Board, Claim]]) -> Claim | None:
    """The score that a player reaches, by the claims of the parts; None if the opponent's moves lack some."""
    is_to_move = board.turn == player
    best = max(parts, key=lambda part: _rank(part[2]))
    score = best[2].score if is_to_move else min(claim.score for _, _, claim in parts)
    answers: dict[int, int] = {}  # as a CertificateReader has them
    for _, after, claim in [best] if is_to_move else parts:  # a proof of a higher score has the moves for a lower one
        answers |= _answers(after, claim)
    return _written(board, Claim(player, score, b"", 0), answers, best[0][0] if is_to_move else None)


def _answers(board: Board, claim: Claim) -> dict[int, int]:
    return read_moves(board, claim.player, claim.score, claim.moves, "auto", board.rules.cells)[2]


def _written(board: Board, claim: Claim, answers: dict[int, int], column: int | None = None) -> Claim | None:
    """The claim for a board, with the moves among the answers. column: the first one; None: among them, too."""
    own, other, is_to_move = sides_of(board, claim.player)
    writer = _writer(board, claim.score, answers)
    if column is not None:
        rules = load("pure").certificate
        answers[rules.key_of(writer.claim, own, other)] = rules.oriented(writer.claim, own, other, column)
    try:
        positions, _ = writer.read(own, other, is_to_move, bytearray())
    except ValueError:  # a move is missing
        return None
    return Claim(claim.player, claim.score, bytes(writer.moves), positions)


def _writer(board: Board, score: int, answers: dict[int, int]) -> Any:
    """A CertificateReader to whose moves the answers are added where it needs them, before it reads them."""
    rules: Any = load("pure").certificate

    class Writer(rules.CertificateReader):  # type: ignore[misc]
        def is_new(self, own: int, other: int) -> bool:
            key, node = rules.key_of(self.claim, own, other), rules.ProofNode()
            if not super().is_new(own, other):
                return False
            node.own, node.other = own, other
            if key in answers and rules.look(self.claim, node) != rules.FORCED:
                self.moves.append(rules.oriented(self.claim, own, other, answers[key]))
            return True

    return Writer(board.rules, score)
