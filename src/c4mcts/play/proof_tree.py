"""The first moves of a proof as a game with variations, to be walked through."""

from .._backend import BackendName
from .._validation import an_instance, between, positive
from ..board.board import Board
from ..errors import ProofError
from ..solver.certificate import Certificate, words
from .game_files import MOST_MOVES, GameNode, GameTree
from .strategy import Strategy

BY_RULE = ("win", "follow up", "threat")  # reasons with which a branch ends


def proof_tree(certificate: Certificate, plies: int, *, number: int = 0, backend: BackendName = "auto") -> GameTree:
    """The moves of a proof, and all replies to them.

    plies: how many, from the position of the proof. number: the index of the claim in `certificate.claims`, whose proof
    is checked first. Comments say what is proven, and where a rule ends the proof.

    >>> from c4mcts import Board
    >>> from c4mcts.solver import prove
    >>> tree = proof_tree(prove(Board.from_pons("444444"), "win"), plies=3)
    >>> tree.to_text()
    '"the first player wins"31"a rule decides"(26)(3"a rule decides")(55)(6"a rule decides")(7"a rule decides")'

    Raises ProofError if the claim is not proven, TypeError or ValueError naming the argument; ValueError also if there
    are more than 20,000 moves.
    """
    certificate = an_instance("certificate", certificate, Certificate, "a Certificate")
    plies = positive("plies", plies)
    claim = certificate.claims[between("number", number, 0, len(certificate.claims) - 1)]
    board = certificate.board.copy()
    try:
        strategy = Strategy(board, claim, plies, backend)
    except ValueError as error:
        raise ProofError(f"claim {number}: {error}") from None
    tree, left = GameTree(Board.from_fen(board.to_fen())), MOST_MOVES
    tree.comment = words(board, claim.player, claim.score)

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
