"""Change single weights of a policy until it gives nothing away: cd examples && python -m network.repair BEFORE AFTER

BEFORE is a network of network.counterexamples that still gives the win away in a few positions; AFTER one that does so
in none, as c4mcts exploit or, for other tasks, network.reach can prove. A turn takes some minutes of CPU time: it asks
the network in all positions that it reaches, and for each error changes the weights by which it would not be met, there
or some moves before, unless that makes errors elsewhere. Prints for each turn the positions, the errors among them, and
the steps of weights so far. repair.cpp does this in two threads, compiled on this machine. Exit code 1 if errors are
left. Needs a C++ compiler, and 4 GB of memory.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

from c4mcts import PolicyValueNetwork

from .counterexamples import by_places, compiled, lesson, packed_weights, trained
from .tasks import TASKS, Task, add_task


def repaired(network: PolicyValueNetwork, turns: int, task: Task) -> tuple[PolicyValueNetwork, bool]:
    """The network with a few weights changed, and whether it errs in no position that it reaches."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "strategy.bin").write_bytes(lesson(task))
        (folder / "weights.bin").write_bytes(packed_weights(by_places(network)))
        code = subprocess.run([compiled(folder, "repair"), folder, str(turns)], check=False).returncode
        return trained(folder / "weights.bin", network), code == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, metavar="BEFORE", help="a network by places")
    parser.add_argument("after", type=Path, metavar="AFTER", help="where to write the network")
    parser.add_argument("--turns", type=int, default=20, metavar="N", help="at most (default 20)")
    add_task(parser)
    options = parser.parse_args()
    network, errs_nowhere = repaired(PolicyValueNetwork.load(options.before), options.turns, TASKS[options.task])
    network.save(options.after)
    return int(not errs_nowhere)


if __name__ == "__main__":
    raise SystemExit(main())
