"""Compares Board with the naive game under random sequences of all its methods."""

import copy
import pickle

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from oracles.board import Game

from c4mcts import Board, IllegalMoveError, Outcome, Rules

RULES = [
    Rules(),
    Rules(5, 4, 3),
    Rules(6, 5, 4, diagonals=False),
    Rules(9, 9, 5),
    Rules(20, 14),
    Rules(1, 8),
    Rules(8, 1),
    Rules(4, 3, 5),
    Rules(3, 3, 2),
    Rules(64, 64),
]


class BoardMachine(RuleBasedStateMachine):
    """start: number of moves that the board does not know, because it was set up from an array."""

    game_rules: Rules

    @initialize(moves=st.lists(st.integers(0, 63), max_size=60))
    def new_game(self, moves):
        self.board = Board(self.game_rules)
        self.game = Game(
            self.game_rules.width, self.game_rules.height, self.game_rules.connect, self.game_rules.diagonals
        )
        self.start = 0
        self.push_many(moves)

    def push_many(self, moves):
        for move in moves:
            columns = self.board.legal_columns
            if columns:
                self.board.push(columns[move % len(columns)])
                self.game.drop(columns[move % len(columns)])

    @rule(moves=st.lists(st.integers(0, 63), max_size=12))
    def play_on(self, moves):
        self.push_many(moves)

    @rule(column=st.integers(-2, 65))
    def push_any(self, column):
        legal = column in self.game.legal_columns()
        assert self.board.is_legal(column) == legal
        if legal:
            self.board.push(column)
            self.game.drop(column)
            return
        before = (self.board.own, self.board.mask, self.board.moves, self.board.outcome())
        with pytest.raises(IllegalMoveError, match=f"{column}"):
            self.board.push(column)
        assert (self.board.own, self.board.mask, self.board.moves, self.board.outcome()) == before

    @rule(count=st.integers(1, 6))
    def pop(self, count):
        for _ in range(min(count, len(self.game.history) - self.start)):
            assert self.board.pop() == self.game.undo()

    @precondition(lambda self: len(self.game.history) == self.start)
    @rule()
    def pop_nothing(self):
        with pytest.raises(IndexError):
            self.board.pop()

    @rule(way=st.sampled_from([Board.copy, copy.copy, copy.deepcopy, lambda board: pickle.loads(pickle.dumps(board))]))
    def clone(self, way):
        old, self.board = self.board, way(self.board)
        assert (old.moves, old.rules, old.own, old.mask) == (
            self.board.moves,
            self.board.rules,
            self.board.own,
            self.board.mask,
        )
        while old.moves:
            old.pop()  # does not reach the copy: the invariant looks

    @rule()
    def mirror(self):
        self.board = self.board.mirror()
        self.game.cells.reverse()
        self.game.history = [self.game_rules.width - 1 - column for column in self.game.history]

    @rule(kind=st.sampled_from(["fen", "uci", "drawing"]))
    def set_up(self, kind):
        if kind == "fen":
            self.board = Board.from_fen(self.board.to_fen())
        else:
            given = self.board.format(kind)
            self.board = Board.parse(given, self.game_rules)
            assert self.board.format(kind) == given
        self.start = len(self.game.history)

    @precondition(lambda self: self.start == 0)
    @rule(form=st.sampled_from(["moves", "text", "pons"]))
    def replay(self, form):
        if form == "pons" and self.game_rules.width > 9:
            return
        self.board = getattr(Board, f"from_{form}")(getattr(self.board, f"to_{form}")(), self.game_rules)

    @rule()
    def evaluate_repr(self):
        again = eval(repr(self.board), {"Board": Board, "Rules": Rules})
        assert again == self.board
        assert hash(again) == hash(self.board)

    @invariant()
    def same_position(self):
        board, game = self.board, self.game
        assert board.to_array().tolist() == game.rows()
        assert board.moves == tuple(game.history[self.start :])
        assert (board.ply, board.turn) == (len(game.history), game.turn())
        assert board.ply == board.mask.bit_count()

    @invariant()
    def same_end(self):
        board, game = self.board, self.game
        assert board.legal_columns == game.legal_columns()
        assert board.is_over() == game.over()
        if not game.over():
            assert board.outcome() is None
            if self.game_rules.cells < 100:
                assert board.winning_columns() == game.winning_columns(game.turn())
                assert board.threatened_columns() == game.winning_columns(1 - game.turn())
            return
        assert board.outcome() == Outcome(game.winner(), tuple(sorted(game.line_cells())))
        assert board.winning_columns() == board.threatened_columns() == []


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_board_behaves_as_the_naive_game(rules):
    large = rules.cells > 100
    run_state_machine_as_test(
        type("Machine", (BoardMachine,), {"game_rules": rules}),
        settings=settings(
            max_examples=10 if large else 25,
            stateful_step_count=20,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
