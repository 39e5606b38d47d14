"""Too little memory, and no memory for threads: MemoryError or a result, and what was there before still works."""

import os
import subprocess
import sys
from random import Random
from typing import Any

from .target import SANITIZED, Target

MB = 1 << 20
# of the C library: what is free is given back, and no address is reserved, so that the limit holds from the first byte
MALLOC = {"MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_ARENA_MAX": "1"}
CALLS = [  # after the limit is set; `engine` has searched, `board` is empty
    "engine.search(board, simulations=30_000)",
    "engine.search(board, seconds=0.05)",
    "c4mcts.Engine(seed=2, threads=3).search(board, simulations=5_000)",
    "c4mcts.Engine(c4mcts.SearchParams.preset('uct'), seed=2).search(board, simulations=300_000)",
    "c4mcts.solve(board, book=False, max_nodes=20_000, threads=3)",
    "c4mcts.solve(c4mcts.Board.from_pons('4455'), book=False, max_nodes=20_000)",
    "c4mcts.rollouts(board, 10_000)",
    "c4mcts.solve_many(['44', '4455'], columns=True)",
    "pickle.loads(pickle.dumps(engine))",
    "engine.tree()",
    "engine.save('engine.npz'); c4mcts.Engine.load('engine.npz')",
    "list(engine.analysis(board, simulations=2_000, interval=0.001))",
    "engine.ponder(board, simulations=5_000); engine.stop()",
    "c4mcts.build_book(c4mcts.Rules(5, 4), 3)",
    "c4mcts.perft(board, 5)",
    "c4mcts.play.review('4455667')",
    "c4mcts.Engine(preset='network', seed=2).search(board, simulations=30_000)",
    "c4mcts.Engine(seed=2, evaluator=even).search(board, simulations=30_000)",
    "c4mcts.Engine(c4mcts.GumbelParams(), seed=2, evaluator=even).search(board, simulations=30_000)",
    "c4mcts.selfplay.generate(4, c4mcts.GumbelParams(), evaluator=even, simulations=300, seed=1)",
]
PROGRAM = """
import os, pickle, resource, sys
import c4mcts, c4mcts.play, c4mcts.selfplay
def even(planes, legal):
    return legal / legal.sum(1, keepdims=True), legal[:, 0] * 0.0
board = c4mcts.Board()
engine = c4mcts.Engine(seed=1)
engine.search(board, simulations=500)
# what follows loads modules, for which the interpreter itself needs memory: without, it may be an ImportError
c4mcts.rollouts(board, 1)
c4mcts.Engine(preset='network').search(board, simulations=1)
c4mcts.selfplay.generate(1, c4mcts.GumbelParams(), evaluator=even, simulations=2)
c4mcts.solve_many(['44'])
c4mcts.build_book(c4mcts.Rules(3, 3), 1)
engine.save('engine.npz')
with open("/proc/self/statm") as file:
    taken = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
limits = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (taken + int(sys.argv[1]), limits[1]))
try:
    exec(sys.argv[2])
except MemoryError:
    pass
except RuntimeError as error:
    assert str(error) == "can't start new thread"
except c4mcts.SaveError as error:
    assert "more memory than there is" in str(error)
resource.setrlimit(resource.RLIMIT_AS, limits)
pickle.loads(pickle.dumps(engine))
assert engine.search(board, simulations=100).column == 3
"""


def make(chance: Random) -> list[Any]:
    """[bytes that are left, index of the call]."""
    return [int(chance.choice([0.1, 1, 8, 64, 300]) * chance.random() * MB), chance.randrange(len(CALLS))]


def check(case: list[Any]) -> None:
    command = [sys.executable, "-X", "faulthandler", "-W", "error", "-c", PROGRAM, str(case[0]), CALLS[case[1]]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, env={**os.environ, **MALLOC})
    assert (done.returncode, done.stderr) == (0, ""), (CALLS[case[1]], done.returncode, done.stderr)


TARGETS = {"memory": Target(make, check, 2)} if sys.platform == "linux" and not SANITIZED else {}
