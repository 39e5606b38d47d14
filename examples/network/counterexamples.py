"""Train a policy until it never gives a win away: cd examples && python -m network.counterexamples FOLDER

The policy plays its most probable column on 7x6, without a search. It moves first; or with --task second after the
first moves after which the second player wins, and with --task draw after those after which that player draws. It is to
play as the certificates in proofs/ do: the moves that they list, and where their rule decides, any that it allows. Each
round plays the network against every reply, and it learns from the positions that it meets: the move of the proof where
it gives the win or the draw away or its best logit has a small lead, else the move that it plays; and from all its
errors so far. Other good moves that it has chosen count, but less. In rounds on all positions right moves stay as they
are, and it learns one of eight sure ones. Only the weights of the moves learn, as they are after rounding: the value
stays. The network gets rows for each place of 7x6: see PolicyValueNetwork.

counterexamples.cpp does this in two threads, compiled on this machine. It ends once the network gives nothing away in
any position with more than 12 discs that it reaches; network.repair helps it over the last errors, and c4mcts exploit
has the last word. FOLDER keeps the state, from which the same command continues after each round; the network
(network.npz); and the curve (curve.csv): of each round whether it met all positions, whether it took sure moves from
the round before, positions, in how many with more than 12 discs the network errs, and seconds of CPU time. Needs a C++
compiler.
"""

import argparse
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from alphazero import files

from c4mcts import PolicyValueNetwork
from c4mcts._layout import HIDDEN, LINE_ROWS, NETWORK_TABLES, PARITIES, PLACES
from c4mcts.solver.certificate import Certificate, read_moves

from .tasks import PROOFS, RULES, TASKS, Task, add_task

Arrays = dict[str, npt.NDArray[Any]]

SOURCES = Path(__file__).parent
COLUMNS = ("round", "all", "trusting", "positions", "errors", "seconds")
UNIT = 64  # as what an array holds 1
PARTS = (  # tables of counterexamples.cpp: arrays of the network that follow each other, and as what they hold 1
    (("lines", "columns"), UNIT),
    (("through", "above", "landing"), UNIT),
    (("bias",), UNIT),
    (("move_second",), UNIT),
    (("move_second_bias",), UNIT * UNIT),
    (("move",), UNIT),
)
MATHS = ("-fno-math-errno", "-fno-trapping-math", "-ffinite-math-only", "-fno-signed-zeros")  # same sums in any run
SAMPLED, SAMPLE = 12, 600_000  # rounds that play on a sample, and on how many positions with as many discs
RATE = 1.5e-4  # of learning in the first round; it falls by a tenth from round to round


def by_places(network: PolicyValueNetwork) -> Arrays:
    """Copies of the arrays of a network by places, or of one that has for each place the rows of its parity."""
    arrays = {name: array.copy() for name, array in network.weights.items()}
    for name in NETWORK_TABLES if not network.is_by_place else ():
        rows = arrays[name].reshape(3 if len(arrays[name]) == LINE_ROWS else 1, -1, arrays[name].shape[1])
        arrays[name] = np.tile(rows, (1, PLACES // PARITIES, 1)).reshape(-1, rows.shape[2])
    return arrays


def part_of(arrays: Arrays, name: str) -> npt.NDArray[Any]:
    """What learns of an array, as a view."""
    part = arrays[name][..., -HIDDEN:]
    return part.T if name == "move_second" else part


def packed_weights(arrays: Arrays) -> bytes:
    parts = [np.concatenate([part_of(arrays, name) / unit for name in names]) for names, unit in PARTS]
    return packed([part.astype(np.float32) for part in parts])


def packed(arrays: list) -> bytes:
    """Each array with its size before it."""
    return b"".join(np.uint64(array.size).tobytes() + np.ascontiguousarray(array).tobytes() for array in arrays)


def lesson(task: Task) -> bytes:
    """What it learns from: the goal; the moves that proofs list, by position (see CertificateReader); the roots."""
    moves: dict[int, int] = {}
    for name in task.proofs:
        certificate = Certificate.load(PROOFS / f"{name}.c4p")
        claim = next(claim for claim in certificate.claims if claim.player == task.roots[0].turn)
        moves |= read_moves(certificate.board, claim.player, claim.score, claim.moves, "auto", RULES.cells)[2]
    keys, columns = np.array(list(moves), np.uint64), np.array(list(moves.values()), np.uint8)
    roots = task.positions().positions
    discs = np.stack([roots.own, roots.own ^ roots.mask], axis=1).view([("own", "u8"), ("other", "u8")])
    return packed([np.array([task.goal], np.uint8), keys, columns, discs])


def rows_of_lines() -> npt.NDArray[np.intp]:
    """By row of a table of lines: where counterexamples.cpp has it, which joins mirror images of lines across."""
    rows = np.arange(LINE_ROWS // PARITIES * PLACES)
    across = rows[: len(rows) // 3].reshape(4, 6, 3, 4, 4, 4, 4)  # column, row, whose discs, states of the cells
    across[2:] = across[1::-1].transpose(0, 1, 2, 6, 5, 4, 3)
    return rows


def trained(path: Path, first: PolicyValueNetwork) -> PolicyValueNetwork:
    """The network with weights that counterexamples.cpp wrote."""
    arrays, numbers, lines = by_places(first), path.read_bytes(), rows_of_lines()
    for names, unit in PARTS:
        size, numbers = int(np.frombuffer(numbers, np.uint64, 1)[0]), numbers[8:]
        weights = np.rint(np.frombuffer(numbers, np.float32, size) * unit)
        numbers = numbers[4 * size :]
        for name in names:
            part = part_of(arrays, name)
            learned, weights = weights[: part.size].reshape(part.shape), weights[part.size :]
            part[...] = learned[lines] if name in ("lines", "through", "above") else learned
    return PolicyValueNetwork(arrays)


def compiled(folder: Path, name: str) -> Path:
    """A program for this machine: counterexamples or repair."""
    program, source = folder / name, SOURCES / f"{name}.cpp"
    newest = max(path.stat().st_mtime for path in (source, *SOURCES.glob("cpp/*.hpp")))
    if not program.exists() or program.stat().st_mtime < newest:
        command = [
            os.environ.get("CXX", "c++"),
            "-std=c++17",
            "-O3",
            "-march=native",
            "-pthread",
            *MATHS,
            "-o",
            program,
            source,
        ]
        subprocess.run(command, check=True)
    return program


def run(
    folder: Path,
    rounds: int,
    first: PolicyValueNetwork,
    lookahead: bool,
    task: Task = TASKS["first"],
    sampled: int = SAMPLED,
    sample: int = SAMPLE,
    rate: float = RATE,
) -> None:
    """Continue with the state of the folder, up to this number of rounds."""
    folder.mkdir(parents=True, exist_ok=True)
    curve = folder / "curve.csv"
    if not curve.exists():
        files.write(folder / "strategy.bin", lesson(task))
        files.write(folder / "weights.bin", packed_weights(by_places(first)))
        files.write(curve, (",".join(COLUMNS) + "\n").encode())
    command = [compiled(folder, "counterexamples"), folder, rounds, int(lookahead), sampled, sample, rate]
    with subprocess.Popen([str(each) for each in command], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            files.write(curve, curve.read_bytes() + line.encode())
            trained(folder / "weights.bin", first).save(folder / "network.npz")
            print(line, end="", flush=True)
    trained(folder / "weights.bin", first).save(folder / "network.npz")
    if process.returncode < 0 or not (folder / "state.bin").exists():
        raise SystemExit(f"{command[0]} failed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="state, network and curve")
    parser.add_argument("--rounds", type=int, default=1000, metavar="N", help="at most, in all (default 1000)")
    parser.add_argument("--network", type=Path, metavar="FILE", help="to begin with, instead of the package's")
    add_task(parser)
    parser.add_argument(
        "--lookahead", action="store_true", help="the player wins and blocks by itself: see NetworkPlayer"
    )
    parser.add_argument(
        "--sampled", type=int, default=SAMPLED, metavar="N", help="rounds on a sample of positions (default 12)"
    )
    parser.add_argument("--rate", type=float, default=RATE, help="of learning in the first round (default 0.00015)")
    options = parser.parse_args()
    first, task = PolicyValueNetwork.load(options.network), TASKS[options.task]
    run(options.folder, options.rounds, first, options.lookahead, task, options.sampled, rate=options.rate)


if __name__ == "__main__":
    main()
