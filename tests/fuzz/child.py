"""The process that tries the cases of one target; runner.py starts it."""

import os
import sys
import tempfile
import time
import warnings
from itertools import count
from pathlib import Path

from .targets import TARGETS


def main() -> None:
    """Arguments: target, seed, first number, number of cases or -, seconds or -, the file for the current number."""
    name, seed, first, cases, seconds, file = sys.argv[1:]
    target = TARGETS[name]
    counter = os.open(file, os.O_WRONLY)
    end = time.monotonic() + float(seconds) if seconds != "-" else float("inf")
    last = int(first) + int(cases) if cases != "-" else float("inf")
    warnings.simplefilter("error")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # for all files that a case writes
        for number in count(int(first)):
            os.lseek(counter, 0, os.SEEK_SET)
            os.write(counter, str(number).encode())
            if number >= last or time.monotonic() >= end:
                break
            target.check(target.case(int(seed), number))
        os.chdir(Path(folder).anchor)


if __name__ == "__main__":
    main()
