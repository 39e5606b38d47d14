"""prove: a certificate of the value of a position."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Literal

from .._backend import Backend, BackendName, load_native
from .._layout import UNLIMITED
from .._timer import Timer
from .._validation import an_instance, callback, counted, flag, positive, positive_seconds, word
from ..board.arguments import AnyBoard, unfinished
from ..board.board import Board
from ..errors import FalseClaimError, UnfinishedProofError
from ..rules import fits_word
from .book import Book, book_option
from .certificate import Certificate, Claim, read_moves, sides_of
from .scores import Scores
from .solver import INFINITY
from .verdict import Verdict, sign

LAST_PASSES = 2  # of shorten, in which the best move is chosen
Value = Literal["win", "draw", "loss", "no win", "no loss"]
# The lowest and the highest sign of the score that a claim allows, for the player to move.
ALLOWED: dict[Value, tuple[int, int]] = {
    "win": (1, 1),
    "draw": (0, 0),
    "loss": (-1, -1),
    "no win": (-1, 0),
    "no loss": (0, 1),
}


def prove(
    board: AnyBoard,
    claim: Value | None = None,
    *,
    distance: bool = False,
    book: bool | Book = True,
    seconds: float | None = None,
    max_positions: int | None = None,
    on_progress: Callable[[int], object] | None = None,
    backend: BackendName = "auto",
) -> Certificate:
    """Find a proof of the value of a position that others can check.

    claim: what to prove of the player to move, "win", "draw", "loss", "no win" or "no loss"; by default the value.
    distance: prove also in how many plies a win or loss comes: that the winner needs no more and, without a claim, that
    the loser holds out as long, which may need a far larger proof. The claim must then be "win", "draw", "loss" or
    None. book: as for solve. seconds: a limit, by default none.
    max_positions: the number of positions in memory at which the search ends, by default none; each takes 32 to 64
    bytes, and while the table grows half as much again. on_progress is called with the number of visits during the
    work, and ends it as the limits do if it returns true.

    The proof lists one move for each position of the player who claims something, after every reply of the opponent. It
    leaves out what a checker finds by a rule, such as that a player who answers each disc in the same column does not
    lose (https://github.com/c4mcts/c4mcts/blob/main/docs/guide/proofs.md). The search prefers small proofs, and then
    makes the one that it has found smaller, until a limit; it does not find the smallest. The solver only tells it
    where to look: `Certificate.check` does not need it.

    Only the native backend finds proofs, on boards of at most 64 bits, width * (height + 1); `Certificate.check` works
    with both.

    Raises FalseClaimError with the true value, UnfinishedProofError with what is open when a limit is reached,
    GameOverError for a finished game.
    """
    native = load_native(backend, "prove", "it can only check proofs, with Certificate.check")
    board = unfinished(board).copy()
    if not fits_word(board.rules):
        raise ValueError(f"rules must be of at most 64 bits, width * (height + 1), for a proof, not {board.rules}")
    claim = None if claim is None else word("claim", claim, tuple(ALLOWED))
    distance = flag("distance", distance)
    if distance and claim is not None and claim.startswith("no "):
        raise ValueError(f"claim must be 'win', 'draw' or 'loss' with distance=True, not {claim!r}")
    seconds = None if seconds is None else positive_seconds("seconds", seconds)
    most = inf if max_positions is None else positive("max_positions", max_positions)
    on_progress = callback("on_progress", on_progress)
    scores = Scores(board.rules, book_option(book), partial(native.new_solver, board.rules))
    search = _Search(board, scores, Timer(seconds), most, on_progress, native)
    claims = search.goals(claim, distance)
    return Certificate(board, tuple(search.proof(player, score) for player, score in claims))


def shorten(certificate: Certificate, passes: int = 60, *, backend: BackendName = "auto") -> Certificate:
    """A certificate of the same claims that lists fewer moves; the same one if none is found.

    passes: how often each move of the proof is chosen again, at random and ever more strictly (simulated annealing).
    More make it shorter, and take longer: 60 for 20,000 moves take about a minute. It is for boards of at most 64 bits.

    Raises ProofError for a certificate that proves nothing, TypeError or ValueError naming the argument.
    """
    native = load_native(backend, "shorten", "it can only check proofs, with Certificate.check")
    an_instance("certificate", certificate, Certificate, "a Certificate").check(backend=backend)
    passes = positive("passes", passes)
    temperatures = [1 - done / passes for done in range(passes)] + [0] * LAST_PASSES
    claims = []
    for claim in certificate.claims:
        position = sides_of(certificate.board, claim.player)
        ask, poll = (lambda own, mask, nodes: None), (lambda visits, positions: None)
        search = native.proof_search.ProofSearch(certificate.board.rules, claim.score, ask, poll)
        search.adopt(*position, claim.moves)
        native.proof_improvement.ProofImprovement(search).anneal(*position, temperatures)
        moves = bytes(search.moves(*position))
        positions, _, _ = read_moves(certificate.board, claim.player, claim.score, moves, "native")
        claims.append(min(claim, replace(claim, moves=moves, positions=positions), key=lambda each: len(each.moves)))
    return replace(certificate, claims=tuple(claims))


@dataclass
class _Search:
    board: Board
    scores: Scores
    timer: Timer
    max_positions: float
    on_progress: Callable[[int], object]
    native: Backend
    visits: int = 0
    what_is_open: str = "its value is not known"

    def goals(self, claim: Value | None, distance: bool) -> list[tuple[int, int]]:
        """The players and scores to prove. FalseClaimError, UnfinishedProofError."""
        far = INFINITY if distance else 1
        score, _ = self.bounds(self.board.own, self.board.mask, -far, far)
        score = score if distance else sign(score)
        least, most = (score, score) if claim is None else ALLOWED[claim]
        if not least <= sign(score) <= most and claim is not None:
            raise FalseClaimError(f"the claim {claim!r} is false: {self._value(score, distance)}")
        if distance:
            least, most = score, score
        mover, other = self.board.turn, 1 - self.board.turn
        at_least = [(mover, least)] if least > -1 or (distance and claim != "loss") else []
        at_most = [(other, -most)] if most < 1 or (distance and claim != "win") else []
        return at_least + at_most

    def _value(self, score: int, distance: bool) -> str:
        empty = self.board.rules.cells - self.board.ply
        verdict = Verdict(score, score, empty)
        plies = f" in {counted(verdict.plies(), 'ply', 'plies')}" if distance and score else ""
        return f"the position is a {verdict.proof}{plies} for the player to move"

    def proof(self, player: int, score: int) -> Claim:
        """A proof that a player reaches a score."""
        own, other, is_to_move = sides_of(self.board, player)

        def ask(own: int, mask: int, nodes: int) -> bool | None:
            lower, upper = self.bounds(own ^ mask, mask, -score, 1 - score, nodes)
            return None if lower <= -score < upper else upper <= -score

        search = self.native.proof_search.ProofSearch(self.board.rules, score, ask, self._poll)
        name = ("first", "second")[player]
        self.what_is_open = f"no proof yet that the {name} player scores at least {score}"
        try:
            is_proven = search.prove(own, other, is_to_move)
        except UnfinishedProofError:
            replies = [] if is_to_move else search.open_replies(own, other)
            after = ", ".join(self.board.after(column).format("address") for column in replies)
            raise UnfinishedProofError(self.what_is_open + (f" after {after}" if after else "")) from None
        assert is_proven, "the solver has said that there is a proof"
        with contextlib.suppress(UnfinishedProofError):  # a limit: the proof is larger than it might be
            self.native.proof_improvement.ProofImprovement(search).improve(own, other, is_to_move)
        data = bytes(search.moves(own, other, is_to_move))
        positions, _, _ = read_moves(self.board, player, score, data, "native")
        return Claim(player, score, data, positions)

    def bounds(self, own: int, mask: int, low: int, high: int, nodes: int | None = None) -> tuple[int, int]:
        """Bounds of a score, see Scores; wider if the solver would take more than this number of nodes."""
        budget = UNLIMITED if nodes is None else self.scores.nodes() + nodes
        return self.scores.bounds(own, mask, low, high, budget, self._poll)

    def _poll(self, visits: int | None = None, positions: int = 0) -> bool:
        """Called by the search with its numbers, and by the solver without any. UnfinishedProofError at a limit."""
        self.visits = self.visits if visits is None else visits
        if self.on_progress(self.visits) or self.timer.is_over() or positions > self.max_positions:
            raise UnfinishedProofError(self.what_is_open)
        return False
