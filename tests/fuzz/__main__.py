"""Attack all targets in turn, with a new seed each time; see the module `tests.fuzz`."""

import argparse
import random
import sys
import time
from pathlib import Path

from .runner import attack
from .target import write
from .targets import TARGETS

CASES = Path(__file__).with_name("cases")
ROUND = 10.0  # seconds for a target before it is the next one's turn


def main() -> int:
    """Print what is found; returns the exit code: 1 if a case did harm."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long (default 1)")
    parser.add_argument("--seed", type=int, help="of the first round (default: drawn at random)")
    parser.add_argument("--only", choices=TARGETS, action="append", help="attack this target; may be repeated")
    options = parser.parse_args()
    seed = random.SystemRandom().randrange(2**32) if options.seed is None else options.seed
    names = options.only or list(TARGETS)
    tried = dict.fromkeys(names, 0)
    known: set[tuple[str, ...]] = set()  # last lines of the findings, so that one fault is not found a hundred times
    end = time.monotonic() + 60 * options.minutes
    print(f"seed {seed}", flush=True)
    while time.monotonic() < end:
        for name in names:
            seconds = min(ROUND, 60 * options.minutes / len(names))
            number, finding = attack(name, seed, 0, None, seconds)
            tried[name] += number
            last = () if finding is None else tuple(finding.words.splitlines()[-3:])
            if finding is not None and last not in known:
                known.add(last)
                path = write(CASES, name, TARGETS[name].case(seed, finding.number))
                print(f"{path}: {finding.words}", flush=True)
        seed += 1
    for name, number in tried.items():
        print(f"{name:16} {number:9,} cases")
    return 1 if known else 0


if __name__ == "__main__":
    sys.exit(main())
