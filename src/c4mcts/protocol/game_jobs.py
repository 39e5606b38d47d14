"""Jobs for people who play and learn: the move of a level, the review of a game, a search step by step."""

import math
import secrets

import numpy as np

from .._backend import BackendName, load
from .._timer import Timer
from ..board.board import Board
from ..facts import review_facts
from ..play.levels import LevelPlayer
from ..play.review import review
from ..search.steps import simulation_steps
from . import replies, tree_replies
from .jobs import Job, KeptTree, Send, WorkCancelled
from .replies import Reply
from .requests import Play, ReviewGame, Steps


class PlayJob(Job):
    """Choose the move of a level."""

    def __init__(self, request: Play, turn: int, board: Board) -> None:
        super().__init__(request, turn, board)
        self._request = request

    def run(self, tree: KeptTree, backend: BackendName, send: Send) -> Reply:
        """Choose a move; a new player for each, since a client may take moves back."""
        request, timer = self._request, Timer(self._request.seconds)
        seed = secrets.randbits(32) if request.seed is None else request.seed

        def look() -> None:
            if timer.is_over() or not self.goes_on():
                raise WorkCancelled

        player = LevelPlayer(request.level.number, backend=backend, on_progress=look)
        player.begin(np.random.SeedSequence(seed))
        try:
            column = player.choose(self.board)
        except WorkCancelled:
            return replies.no_results(self.id, self.turn)
        return replies.move(self.id, self.turn, column, request.level, seed)


class ReviewJob(Job):
    """Review a game."""

    def __init__(self, request: ReviewGame, turn: int, board: Board) -> None:
        super().__init__(request, turn, board)
        self._request = request

    def run(self, tree: KeptTree, backend: BackendName, send: Send) -> Reply:
        """Review the game from its end; reports say how many moves are done."""
        timer = Timer(self._request.seconds, self._request.report_every or math.inf)

        def look(reviewed: int, moves: int) -> None:
            if timer.poll(lambda: send(replies.reviewing(self.id, self.turn, reviewed, moves))) or not self.goes_on():
                raise WorkCancelled

        try:
            found = review(self.board, backend=backend, on_progress=look)
        except WorkCancelled:
            return replies.no_results(self.id, self.turn)
        return replies.review(self.id, self.turn, review_facts(found, backend=load(backend).name))


class StepsJob(Job):
    """Tell the first simulations of a search one by one."""

    def __init__(self, request: Steps, turn: int, board: Board) -> None:
        super().__init__(request, turn, board)
        self._request = request

    def run(self, tree: KeptTree, backend: BackendName, send: Send) -> Reply:
        """Make the simulations, as many as there are until the job is cancelled or time is up."""
        request, timer = self._request, Timer(self._request.seconds)
        seed = secrets.randbits(32) if request.seed is None else request.seed
        made = []
        for step in simulation_steps(self.board, request.params, simulations=request.simulations, seed=seed):
            made.append(step)
            if timer.is_over() or not self.goes_on():
                break
        return tree_replies.steps(self.id, self.turn, self.board, request.params, made, seed)
