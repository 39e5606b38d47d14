"""Import time beyond NumPy's, in fresh interpreters, without the start of the interpreter.

`import c4mcts` alone loads next to nothing, so the rows below it give the cost of the first use of a name.
"""

import os
import statistics
import subprocess
import sys

from measure import Report, parser, spread

STATEMENTS = {
    "numpy": "import numpy",
    "numpy.random": "import numpy.random",
    "c4mcts": "import c4mcts, numpy",
    "c4mcts.Board": "import c4mcts; c4mcts.Board",
    "c4mcts.Engine": "import c4mcts; c4mcts.Engine",
    "all names of c4mcts": "from c4mcts import *",
    "c4mcts and a first search": "import c4mcts; c4mcts.Engine(seed=1).search(c4mcts.Board(), simulations=1)",
}
PROGRAM = """
import time
wall, cpu = time.perf_counter(), time.process_time()
{}
print(time.perf_counter() - wall, time.process_time() - cpu)
"""


def run(statement: str) -> dict[str, float]:
    """Wall-clock and CPU milliseconds of a statement in a fresh interpreter."""
    command = [sys.executable, "-c", PROGRAM.format(statement)]
    # without the threads of NumPy's linear algebra, whose start makes CPU times vary
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # otherwise each run would compile our modules, but not NumPy's
    wall, cpu = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment).stdout.split()
    return {"wall": 1000 * float(wall), "cpu": 1000 * float(cpu)}


def main() -> None:
    options = parser(__doc__, repeats=15).parse_args()
    for statement in STATEMENTS.values():
        run(statement)  # warm up: write bytecode, fill the disk cache
    rounds = [{name: run(statement) for name, statement in STATEMENTS.items()} for _ in range(options.repeats)]
    report = Report(
        "Import time in milliseconds, median (min - max)",
        {"what": "imported", "cpu": "CPU time", "wall": "wall clock", "beyond": "beyond numpy", "ratio": "/ numpy"},
    )
    for name in STATEMENTS:
        report.add(
            what=name,
            cpu=spread(one[name]["cpu"] for one in rounds),
            wall=spread(one[name]["wall"] for one in rounds),
            beyond=statistics.median(one[name]["cpu"] - one["numpy"]["cpu"] for one in rounds),
            ratio=statistics.median(one[name]["cpu"] / one["numpy"]["cpu"] for one in rounds),
        )
    report.notes.append("beyond numpy, / numpy: medians of the differences and ratios of CPU time within each repeat")
    report.finish(options)


if __name__ == "__main__":
    main()
