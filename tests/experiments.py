"""A short call of everything that takes a checkpoint, for attacks on the results in it."""

from functools import partial

from c4mcts import Board, Rules, SearchParams, solve_many, study
from c4mcts.games import TicTacToe
from c4mcts.play.tournament import play_tournament
from c4mcts.play.fixtures import Terms
from c4mcts.solver.book_building import build_book

UCT = SearchParams.preset("uct")
SMALL = Rules(4, 4, 3)
FULL = Board.from_pons("1111", SMALL)  # the first column is full
SHORT = {"simulations": [3, 9], "runs": 2, "seed": 1}
CALLS = {
    "action_frequency": partial(study.action_frequency, FULL, UCT, runs=3, simulations=5, seed=1),
    "convergence": partial(study.convergence, FULL, UCT, **SHORT),
    "convergence of a game": partial(study.convergence, TicTacToe(), UCT, **SHORT),
    "regret": partial(study.regret, FULL, UCT, **SHORT),
    "win_rate": partial(study.win_rate, FULL, UCT, budgets=[5], games=3, seed=1),
    "head_to_head": partial(study.head_to_head, FULL, {"a": UCT, "b": UCT}, budgets=[5], games=3, seed=1),
    "optimality": partial(study.optimality, FULL, UCT, values=[1.0], simulations=5, runs=3, seed=1),
    "optimality of a game": partial(
        study.optimality, TicTacToe(), UCT, values=[1.0], simulations=5, runs=3, optimal=[4], seed=1
    ),
    "rules_change": partial(study.rules_change, [SMALL], UCT, simulations=5, runs=2, seed=1),
    "solve_many": partial(solve_many, [FULL, Board(SMALL)], book=False),
    "solve_many with columns": partial(solve_many, [FULL, Board(SMALL)], columns=True, book=False),
    "build_book": partial(build_book, SMALL, 2),
    "tournament": partial(
        play_tournament,
        ["random", "uct@9"],
        games=4,
        rules=SMALL,
        openings=["12", "3"],
        terms=Terms(adjudicate=9),
        seed=1,
    ),
}
