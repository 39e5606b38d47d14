"""Both backends find the same proofs in the same number of visits, and read them alike."""

import random

import pytest

from c4mcts import Board, Rules
from c4mcts._backend import load
from c4mcts.solver.certificate import sides_of
from c4mcts.solver.solver import new_solver

pytestmark = pytest.mark.native

RULES = [Rules(4, 4, 3), Rules(3, 5, 3), Rules(4, 3, 3, diagonals=False), Rules(3, 3, 2), Rules(4, 2, 3)]


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("goal", [-2, -1, 0, 1, 2])
def test_the_same_proofs(rules, goal):
    solver, chance = new_solver(load("native"), rules), random.Random(goal)

    def ask(own, mask, nodes):
        assert nodes > 0
        return solver.solve(own ^ mask, mask, -goal, 1 - goal, 1 << 62, lambda: False)[1] <= -goal

    for _ in range(4):
        board = Board(rules)
        for _ in range(chance.randrange(5)):
            board.push(chance.choice(board.legal_columns))
            if board.is_over():
                board.pop()
                break
        for player in (0, 1):
            found = []
            for name in ("native", "pure"):
                backend = load(name)
                search = backend.proof_search.ProofSearch(rules, goal, ask, lambda visits, positions: None)
                reader, sides = backend.certificate.CertificateReader(rules, goal), sides_of(board, player)
                moves, read = [], []
                if search.prove(*sides):
                    moves.append(search.moves(*sides))
                    backend.proof_improvement.ProofImprovement(search).improve(*sides)
                    moves.append(search.moves(*sides))
                    read = [reader.read(*sides, each) for each in moves]
                    assert [used for _, used in read] == [len(each) for each in moves]
                    assert read[0][0] >= read[1][0]
                found.append((moves, search.visits, read))
            assert found[0] == found[1]


def test_positions_that_the_native_backend_drops_change_no_proof():
    """The solver is asked the same questions, too; the first time about a position, it does not know the answer."""
    rules = Rules(5, 4)
    solver, sides = new_solver(load("native"), rules), sides_of(Board(rules), 0)
    found, most = [], []
    for name in ("native", "pure"):
        backend, in_memory, asked = load(name), [], []

        def ask(own, mask, nodes, asked=asked):
            is_new = all((own, mask) != question[:2] for question in asked)
            answer = solver.solve(own ^ mask, mask, 0, 1, 1 << 62, lambda: False)[1] <= 0
            asked.append((own, mask, nodes, None if is_new else answer))
            return asked[-1][-1]

        search = backend.proof_search.ProofSearch(rules, 0, ask, lambda *counts, seen=in_memory: seen.append(counts[1]))
        assert search.prove(*sides)
        first = search.visits, search.moves(*sides)
        backend.proof_improvement.ProofImprovement(search).improve(*sides)
        found.append((first, search.visits, search.moves(*sides), asked))
        most.append(max(in_memory))
        assert {answer for *_, answer in asked} == {None, True, False}
    assert found[0] == found[1]
    assert 3 * most[0] < 2 * most[1]  # the pure backend drops nothing
