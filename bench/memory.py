"""Bytes per simulation of plain UCT on the empty 7x6 board, by c4mcts and others, each search in its own process.

"pool": 16 bytes for each node of the tree, including children without visits. "resident": growth of the resident memory
of the process. "peak": its highest growth, reached when the pool is copied into a larger one. Others free their tree
before we can look, so for them only the peak is known.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from measure import Report, Spread, parser, spread
from peers import PEERS

OURS = [("native", 10**5), ("native", 10**6), ("native", 10**7), ("pure", 10**4), ("pure", 10**5)]
THEIRS = {"OpenSpiel C++ MCTSBot": 10**5, "OpenSpiel Python MCTSBot": 10**4, "mctspy": 10**4, "mcts": 10**4}
NODE = 16
MEMORY = """
import json, sys

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

"""
SEARCH = """
from c4mcts import Board, Engine, SearchParams
engine = Engine(SearchParams.preset("uct"), seed=1, backend=sys.argv[1])
engine.search(Board(), simulations=1)
engine.reset()
before = memory()
nodes = engine.search(Board(), simulations=int(sys.argv[2])).nodes
"""
PEER_SEARCH = f"""
sys.path.insert(0, {str(Path(__file__).parent)!r})
from peers import PEERS
make, package = PEERS[sys.argv[1]]
try:
    make((), 10)()
except ImportError:
    print("null")
    sys.exit()
before, nodes = memory(), None
make((), int(sys.argv[2]))()
"""
ANSWER = """
after = memory()
start = before[1] if before[0] is None else before[0]
print(json.dumps([nodes] + [None if now is None else now - start for now in after]))
"""

Answer = list[int | None] | None


def run(search: str, name: str, simulations: int) -> Answer:
    """Nodes, growth and highest growth in bytes; None if the system does not tell, or for a missing package."""
    command = [sys.executable, "-c", MEMORY + search + ANSWER, name, str(simulations)]
    answer: Answer = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return answer


def main() -> None:
    options = parser(__doc__, repeats=3).parse_args()
    report = Report(
        "Plain UCT, empty board: bytes per simulation, median (min - max)",
        {
            "name": "search",
            "simulations": "simulations",
            "nodes": "nodes",
            "pool": "pool",
            "resident": "resident",
            "peak": "peak",
        },
    )
    for backend, simulations in OURS:
        answers = [run(SEARCH, backend, simulations) for _ in range(options.repeats)]
        nodes, resident, peak = zip(*answers, strict=True)  # type: ignore[arg-type]
        report.add(
            name=f"c4mcts {backend}",
            simulations=simulations,
            nodes=nodes[0],
            pool=NODE * nodes[0] / simulations if backend == "native" else None,
            resident=per_simulation(resident, simulations),
            peak=per_simulation(peak, simulations),
        )
    for name in PEERS:
        simulations = THEIRS[name]
        answers = [run(PEER_SEARCH, name, simulations) for _ in range(options.repeats)]
        if None in answers:
            report.notes.append(f"{name} is missing")
        else:
            peaks = [answer[2] for answer in answers if answer is not None]
            report.add(name=name, simulations=simulations, peak=per_simulation(peaks, simulations))
    report.finish(options)


def per_simulation(sizes: Sequence[int | None], simulations: int) -> Spread | None:
    """Bytes per simulation; None if the system does not tell."""
    known = [size / simulations for size in sizes if size is not None]
    return spread(known) if known else None


if __name__ == "__main__":
    main()
