"""Train a policy until it never gives a win away: cd examples && python -m network.first_player FOLDER

The policy moves first on 7x6 and plays its most probable column, without a search. It is to play as the proof of the
package does: the moves that proofs/7x6.c4p lists, and where its rule decides, any that it allows. Each round plays the
network against every reply. It learns from the positions in which it gives the win away, now and in earlier rounds;
from those in which its move is right but barely; and from others by lot, evenly from those with as many discs. Other
winning moves that it has chosen count too, but less. Only the weights of the moves learn, as they are after rounding:
the value stays the package's.

first_player.cpp does this, compiled on this machine. It ends once the network gives nothing away in any position with
more than 12 discs that it reaches; in the few others, where it would take long to judge another move, only those of the
proof are right: c4mcts exploit has the last word. FOLDER keeps the state, from which the same command continues after
each round; the network (network.npz); and the curve (curve.csv): of each round whether it met all positions, whether it
took sure moves from the round before, positions, in how many with more than 12 discs the network gives the win away,
and seconds of CPU time. Needs a C++ compiler.
"""

import argparse
import os
import subprocess
from pathlib import Path

import numpy as np
from alphazero import files
from alphazero.layers import HIDDEN, UNIT, Weights, integers

from c4mcts import PolicyValueNetwork
from c4mcts.solver.certificate import Certificate, read_moves, shipped

SOURCE = Path(__file__).with_name("first_player.cpp")
COLUMNS = ("round", "all", "trusting", "positions", "errors", "seconds")
MATHS = ("-fno-math-errno", "-fno-trapping-math", "-ffinite-math-only", "-fno-signed-zeros")  # same sums in any run
SAMPLED, SAMPLE = 12, 600_000  # rounds that play on a sample, and on how many positions with as many discs
RATE = 4e-4  # of learning in the first round; it falls by 5 % from round to round


def weights_of(network: PolicyValueNetwork) -> Weights:
    """The inverse of `integers`."""
    arrays = {name: array.astype(np.float32) / UNIT for name, array in network.weights.items()}
    return {
        "position": np.concatenate([arrays["lines"], arrays["columns"]]),
        "bias": arrays["bias"],
        "value_second": arrays["value_second"].T.copy(),
        "value_second_bias": arrays["value_second_bias"] / UNIT,
        "value": arrays["value"],
        "value_bias": arrays["value_bias"] / UNIT,
        "moves": np.concatenate([arrays["through"], arrays["above"], arrays["landing"]]),
        "move_second": arrays["move_second"].T.copy(),
        "move_second_bias": arrays["move_second_bias"] / UNIT,
        "move": arrays["move"],
    }


def parts_of(weights: Weights) -> list[Weights]:
    """The arrays that learn, as views, in the order of first_player.cpp."""
    return [
        weights["position"][:, HIDDEN:],
        weights["moves"],
        weights["bias"][HIDDEN:],
        weights["move_second"],
        weights["move_second_bias"],
        weights["move"],
    ]


def packed(arrays: list) -> bytes:
    """Each array with its size before it."""
    return b"".join(np.uint64(array.size).tobytes() + np.ascontiguousarray(array).tobytes() for array in arrays)


def strategy() -> bytes:
    """The moves that the proof lists, by position: see CertificateReader."""
    certificate = Certificate.load(shipped())
    claim, rules = certificate.claims[0], certificate.board.rules
    moves = read_moves(certificate.board, claim.player, claim.score, claim.moves, "auto", rules.cells)[2]
    return packed([np.array(list(moves), np.uint64), np.array(list(moves.values()), np.uint8)])


def trained(path: Path, first: PolicyValueNetwork) -> PolicyValueNetwork:
    """The network with weights that first_player.cpp wrote."""
    weights, numbers = weights_of(first), path.read_bytes()
    for part in parts_of(weights):
        size, numbers = int(np.frombuffer(numbers, np.uint64, 1)[0]), numbers[8:]
        part[...] = np.frombuffer(numbers, np.float32, size).reshape(part.shape)
        numbers = numbers[4 * size :]
    return PolicyValueNetwork(integers(weights))


def compiled(folder: Path) -> Path:
    """The program for this machine."""
    program = folder / "first_player"
    if not program.exists() or program.stat().st_mtime < SOURCE.stat().st_mtime:
        command = [os.environ.get("CXX", "c++"), "-std=c++17", "-O3", "-march=native", *MATHS, "-o", program, SOURCE]
        subprocess.run(command, check=True)
    return program


def run(
    folder: Path,
    rounds: int,
    first: PolicyValueNetwork,
    lookahead: bool,
    sampled: int = SAMPLED,
    sample: int = SAMPLE,
    rate: float = RATE,
) -> None:
    """Continue with the state of the folder, up to this number of rounds."""
    folder.mkdir(parents=True, exist_ok=True)
    curve = folder / "curve.csv"
    if not curve.exists():
        files.write(folder / "strategy.bin", strategy())
        files.write(folder / "weights.bin", packed(parts_of(weights_of(first))))
        files.write(curve, (",".join(COLUMNS) + "\n").encode())
    command = [compiled(folder), folder, rounds, int(lookahead), sampled, sample, rate]
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
    parser.add_argument(
        "--lookahead", action="store_true", help="the player wins and blocks by itself: see NetworkPlayer"
    )
    parser.add_argument(
        "--sampled", type=int, default=SAMPLED, metavar="N", help="rounds on a sample of positions (default 12)"
    )
    parser.add_argument("--rate", type=float, default=RATE, help="of learning in the first round (default 0.0004)")
    options = parser.parse_args()
    first = PolicyValueNetwork.load(options.network)
    run(options.folder, options.rounds, first, options.lookahead, options.sampled, rate=options.rate)


if __name__ == "__main__":
    main()
