"""Bytes per simulation of plain UCT on the empty 7x6 board, each search in a process of its own.

"pool": 16 bytes for each node of the tree, including children without visits. "resident": growth of the resident memory
of the process. "peak": its highest growth, reached when the pool is copied into a larger one.
"""

import json
import subprocess
import sys

from measure import Report, parser, spread

LINES = [("native", 10**5), ("native", 10**6), ("native", 10**7), ("pure", 10**4), ("pure", 10**5)]
NODE = 16
SEARCH = """
import json, sys
from c4mcts import Board, Engine, SearchParams

def memory():
    '''Resident bytes now (None if the system does not tell) and their maximum so far.'''
    try:
        with open("/proc/self/status") as lines:
            values = dict(line.split(":", 1) for line in lines)
        return [int(values[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM")]
    except OSError:
        pass
    try:
        from resource import RUSAGE_SELF, getrusage
        return [None, getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)]
    except ImportError:
        return [None, None]

engine = Engine(SearchParams.preset("uct"), seed=1, backend=sys.argv[1])
engine.search(Board(), simulations=1)
engine.reset()
before = memory()
nodes = engine.search(Board(), simulations=int(sys.argv[2])).nodes
after = memory()
start = before[1] if before[0] is None else before[0]
print(json.dumps([nodes] + [None if now is None else now - start for now in after]))
"""


def run(backend: str, simulations: int) -> list[int | None]:
    """Nodes, growth and highest growth in bytes; None if the system does not tell."""
    command = [sys.executable, "-c", SEARCH, backend, str(simulations)]
    answer: list[int | None] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return answer


def main() -> None:
    options = parser(__doc__, repeats=3).parse_args()
    report = Report(
        "Plain UCT, empty board: bytes per simulation, median (min - max)",
        {
            "backend": "backend",
            "simulations": "simulations",
            "nodes": "nodes",
            "pool": "pool",
            "resident": "resident",
            "peak": "peak",
        },
    )
    for backend, simulations in LINES:
        nodes, resident, peak = zip(*(run(backend, simulations) for _ in range(options.repeats)), strict=True)
        report.add(
            backend=backend,
            simulations=simulations,
            nodes=nodes[0],
            pool=NODE * nodes[0] / simulations if backend == "native" else None,
            resident=None if None in resident else spread(size / simulations for size in resident),
            peak=None if None in peak else spread(size / simulations for size in peak),
        )
    report.finish(options)


if __name__ == "__main__":
    main()
