"""Both backends in the same random sequence of searches, moves, jumps and resets."""

import pickle

from forging import packed, unpacked
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from strategies import RULES, boards, params
from trees import assert_same, check_tree, require_whole

from c4mcts import Board, Engine, GameOverError, IllegalMoveError

NAMES = ("native", "pure")


class Lives(RuleBasedStateMachine):
    @initialize(params=params(), seed=st.integers(0, 2**64), board=boards())
    def begin(self, params, seed, board):
        self.engines = [Engine(params, seed=seed, backend=name) for name in NAMES]
        self.board = board
        self.searched = False

    def on_both(self, call):
        """The same call in both backends gives the same value or the same error."""
        outcomes = []
        for engine in self.engines:
            try:
                outcomes.append(call(engine))
            except (ValueError, TypeError) as error:
                outcomes.append((type(error), str(error)))
        assert outcomes[0] == outcomes[1]
        return outcomes[0]

    @rule(simulations=st.integers(1, 150), nodes=st.none() | st.integers(1, 1000))
    def search(self, simulations, nodes):
        params = self.engines[0].params
        max_simulations = 60 if params.probes else 15_000 // (self.board.rules.cells + 20)
        simulations = max(1, min(simulations, max_simulations))
        board = self.board

        def call(engine):
            return {**engine.search(board, simulations=simulations, nodes=nodes).to_dict(), "seconds": 0}

        answer = self.on_both(call)
        if board.is_over():
            assert answer[0] is GameOverError
        else:
            assert answer["column"] in board.legal_columns
            assert (0 if params.proofs else 1) <= answer["simulations"] <= simulations
            self.searched = True

    @rule(data=st.data())
    def play(self, data):
        if not self.board.is_over():
            self.board.push(data.draw(st.sampled_from(self.board.legal_columns)))

    @rule()
    def take_back(self):
        if self.board.moves:
            self.board.pop()

    @rule(column=st.integers(-2, 70))
    def advance(self, column):
        root = self.engines[0].board
        answer = self.on_both(lambda engine: engine.advance(column))
        if root is None:
            assert answer[0] is ValueError
        elif column in root.legal_columns:
            assert answer is None
        else:
            assert answer[0] is IllegalMoveError

    @rule(board=boards())
    def jump(self, board):
        self.board = board

    @rule(rules=st.sampled_from(RULES))
    def change_rules(self, rules):
        self.board = Board(rules)

    @rule(swap=st.booleans())
    def save_and_load(self, swap):
        """Each backend continues from its own save, or from the other's."""
        engines = [pickle.loads(pickle.dumps(engine)) for engine in self.engines]
        if swap:
            engines = [unpacked(packed(engine), name) for engine, name in zip(engines[::-1], NAMES, strict=True)]
        self.engines = engines

    @invariant()
    def sound(self):
        self.on_both(lambda engine: require_whole(engine))

    @rule()
    def reset(self):
        self.on_both(lambda engine: engine.reset())

    @invariant()
    def twins(self):
        assert_same(*self.engines)

    @invariant()
    def whole(self):
        tree = self.engines[0].tree()
        if len(tree):
            check_tree(tree, shared=self.engines[0].params.transpositions)


TestLives = Lives.TestCase
TestLives.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)
