"""Both backends read proofs alike: those that were found, and others."""

import random

import pytest
from random_boards import random_board

from c4mcts import Rules
from c4mcts._backend import load
from c4mcts.solver.certificate import sides_of

pytestmark = pytest.mark.native

RULES = [Rules(4, 4, 3), Rules(3, 5, 3), Rules(4, 3, 3, diagonals=False), Rules(3, 3, 2), Rules(4, 2, 3)]


def read(name, rules, goal, sides, moves):
    """What a backend says of the moves, and the answers that it notes in positions with few discs."""
    reader = load(name).certificate.CertificateReader(rules, goal)
    try:
        return reader.read(*sides, bytes(moves), 4), reader.answers
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("goal", [-2, -1, 0, 1, 2])
def test_proofs_are_read_alike(rules, goal):
    """Proofs before and after they were made smaller; and the same with some moves changed, most of which are none."""
    native = load("native")
    solver, chance = native.new_solver(rules), random.Random(goal)

    def ask(own, mask, nodes):
        assert nodes > 0
        return solver.solve(own ^ mask, mask, -goal, 1 - goal, 1 << 62, lambda: False)[1] <= -goal

    for _ in range(4):
        board = random_board(rules, chance.randrange(5), chance)
        for player in (0, 1):
            sides = sides_of(board, player)
            search = native.proof_search.ProofSearch(rules, goal, ask, lambda visits, positions: None)
            if not search.prove(*sides):
                assert isinstance(read("pure", rules, goal, sides, range(rules.width)), str)
                continue
            proofs = [search.moves(*sides)]
            native.proof_improvement.ProofImprovement(search).improve(*sides)
            proofs.append(search.moves(*sides))
            (before, _), (after, _) = (read("pure", rules, goal, sides, moves) for moves in proofs)
            assert [before[1], after[1]] == [len(moves) for moves in proofs], "all moves were used"
            assert before[0] >= after[0]
            for _ in range(20):
                moves = list(chance.choice(proofs))
                if moves:
                    moves[chance.randrange(len(moves))] = chance.randrange(rules.width + 1)
                proofs.append(moves[: chance.randint(len(moves) - 1, len(moves) + 1)])
            for moves in proofs:
                assert read("native", rules, goal, sides, moves) == read("pure", rules, goal, sides, moves)
