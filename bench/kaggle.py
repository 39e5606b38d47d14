"""Games of a submission against the agents "negamax" and "random" of kaggle-environments, from both seats.

c4mcts export-kaggle
python bench/kaggle.py submission.tar.gz

An installed c4mcts is hidden: the submission uses only what is in the file. Exits with 1 if the submission has lost a
game on 7x6, or lost any game on time, by an error or by an illegal move. Needs kaggle-environments (pip install
--no-deps kaggle-environments jsonschema requests numpy).
"""

import argparse
import copy
import gc
import json
import sys
import tarfile
import tempfile
import warnings
from collections import Counter
from importlib.machinery import PathFinder
from pathlib import Path

SIZES = ["7x6x4", "6x5x4", "8x7x5"]
UNLIMITED = 1e6  # seconds for the opponents, which are slow on large boards


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("submission", help="a .tar.gz or a .py file")
    parser.add_argument("--games", type=int, default=20, help="in each row of the table (default 20)")
    parser.add_argument("--opponents", nargs="+", default=["negamax", "random"], help="(default: negamax random)")
    parser.add_argument("--sizes", nargs="+", default=SIZES, metavar="WxHxK", help=f"(default: {' '.join(SIZES)})")
    parser.add_argument("--act-timeout", type=float, default=2.0, help="seconds per move (default 2, as on Kaggle)")
    parser.add_argument("--overage", type=float, default=60.0, help="extra seconds per game (default 60, as on Kaggle)")
    parser.add_argument("--json", metavar="FILE", help="also write JSON to FILE; - prints it instead")
    return parser.parse_args()


class HideInstalled:
    """Finds c4mcts only in the folders of the submission."""

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        if name != "c4mcts":
            return None
        inside = [place for place in sys.path if place == self.folder or Path(place).name.startswith("c4mcts-")]
        spec = PathFinder.find_spec(name, inside)
        if spec is None:
            raise ModuleNotFoundError(f"no {name} in {inside}")
        return spec


def environment(size, seat, options):
    """A function that makes the environment of one game, in which the submission has the seat."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import kaggle_environments

    connectx = copy.deepcopy(kaggle_environments.environments["connectx"])
    overage = [options.overage, UNLIMITED] if seat == 0 else [UNLIMITED, options.overage]
    connectx["specification"]["observation"]["remainingOverageTime"] = {"type": "number", "defaults": overage}
    columns, rows, inarow = map(int, size.split("x"))
    configuration = {"columns": columns, "rows": rows, "inarow": inarow, "actTimeout": options.act_timeout}
    return lambda: kaggle_environments.make(copy.deepcopy(connectx), configuration)


def play(env, agents, seat):
    """How a game ended for the agent in that seat, and its longest turn in seconds."""
    steps = env.run(agents)
    state, other = steps[-1][seat], steps[-1][1 - seat]
    assert other.status == "DONE", other.status
    turns = [logs[seat].get("duration", 0.0) for logs in env.logs[1:] if len(logs) > seat]
    end = state.status if state.status != "DONE" else {1: "won", 0: "drawn", -1: "lost"}[state.reward]
    return end, max(turns)


def rows_of(agent, options):
    """A row for each size, opponent and seat."""
    for size in options.sizes:
        for opponent in options.opponents:
            for seat in (0, 1):
                make = environment(size, seat, options)
                ends, longest = Counter(), 0.0
                for _ in range(options.games):
                    end, seconds = play(make(), [agent, opponent] if seat == 0 else [opponent, agent], seat)
                    ends[end] += 1
                    gc.collect()  # the tree of the last game
                    longest = max(longest, seconds)
                failed = options.games - ends["won"] - ends["drawn"] - ends["lost"]
                row = {"size": size, "opponent": opponent, "seat": seat + 1}
                row |= {name: ends[name] for name in ("won", "drawn", "lost")}
                yield row | {"failed": failed, "longest turn, s": round(longest, 3)}


def main():
    options = parsed()
    agent = options.submission
    with tempfile.TemporaryDirectory() as folder:
        if agent.endswith(".tar.gz"):
            with tarfile.open(agent) as tar:
                tar.extractall(folder, filter="data")
            agent = str(Path(folder) / "main.py")
        sys.meta_path.insert(0, HideInstalled(folder))
        rows = []
        for row in rows_of(agent, options):
            rows.append(row)
            if options.json != "-":
                print("  ".join(f"{name} {value}" for name, value in row.items()), flush=True)
    if options.json is not None:
        loaded = sys.modules["c4mcts"]
        native = "c4mcts._native.search" in sys.modules
        text = json.dumps({"c4mcts": loaded.__path__[0], "native": native, "rows": rows})
        sys.stdout.write(text) if options.json == "-" else Path(options.json).write_text(text)
    return int(any(row["failed"] or (row["lost"] and row["size"] == "7x6x4") for row in rows))


if __name__ == "__main__":
    sys.exit(main())
