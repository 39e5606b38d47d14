"""Attacks on what reads files and texts, guided by coverage (Linux, `pip install atheris`).

    python -m tests.fuzz.guided --minutes 30                    # each reader in turn, for an equal part of the time
    python -m tests.fuzz.guided --minutes 5 --only book-file

Atheris changes cases by chance and continues with those that reach new lines of c4mcts. Its bytes are put into one part
of a file, whose hashes are then made right, so that they reach the checks behind. It watches Python code: of the two
backends, which must refuse a tree in the same words, the pure one.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from .target import Target, write

HERE = Path(__file__).parent
LIMITS = ("-timeout=60", "-rss_limit_mb=4096", "-max_len=65536", "-len_control=0", "-print_final_stats=1")

Change = Callable[[bytes], bytes]


class Reader(NamedTuple):
    """A target whose cases Atheris may change. seeds: valid cases. changed: a case with one part changed."""

    target: Target
    seeds: Callable[[], list[Any]]
    changed: Callable[[Any, Change, Random], Any]


def readers() -> dict[str, Reader]:
    """By the name of the target. Imported here, since Atheris must see the modules while they are loaded."""
    from forging import members, zipped

    from . import files, folders, notations

    def in_archive(data: bytes, change: Change, chance: Random) -> bytes:
        contents = members(data)
        name = chance.choice(list(contents))
        return zipped({**contents, name: change(contents[name])})

    def in_folder(data: bytes, change: Change, chance: Random) -> bytes:
        return folders.stored(in_archive(data, change, chance))

    def in_proof(data: bytes, change: Change, chance: Random) -> bytes:
        return files.with_hash(change(data.partition(b"\n")[2]))

    def in_text(case: list[Any], change: Change, chance: Random) -> list[Any]:
        text = change(case[2].encode("utf-8", "surrogatepass")).decode("utf-8", "replace")
        return [chance.choice([case[0], *notations.TEXTS]), case[1], text]

    ways = {
        "engine-file": (lambda: [files.saved_engine(index, 30) for index in range(len(files.ENGINES))], in_archive),
        "book-file": (lambda: [files.small_book()], in_archive),
        "proof": (lambda: [files.proof(index) for index in range(len(files.PROVEN))], in_proof),
        "network-file": (lambda: [files.shipped_network()], in_archive),
        "selfplay-folder": (lambda: [folders.games()], in_folder),
        "notation": (lambda: [texts(Random(seed)) for seed in range(40)], in_text),
    }
    targets = files.TARGETS | folders.TARGETS | notations.TARGETS
    return {name: Reader(targets[name], *way) for name, way in ways.items()}


def texts(chance: Random) -> list[Any]:
    """A case of `notations` without a change."""
    from . import notations

    board, name = notations.a_board(chance), chance.choice(list(notations.TEXTS))
    return [name, notations.RULES.index(board.rules), notations.written(notations.TEXTS[name], board)]


def packed(case: Any) -> bytes:
    """A case as bytes."""
    return case if isinstance(case, bytes) else json.dumps(case).encode()


def unpacked(name: str, data: bytes) -> Any:
    """The inverse; ValueError if it has none."""
    return json.loads(data) if name == "notation" else data


def child(name: str, folder: Path, flags: list[str]) -> None:
    """Let Atheris change cases until one does harm; does not return. The working directory is filled with files."""
    import atheris

    warnings.simplefilter("error")
    with atheris.instrument_imports(include=["c4mcts"]):
        reader = readers()[name]
        seeds = reader.seeds()
        for number, seed in enumerate(seeds):
            reader.target.check(seed)  # loads the modules that are loaded at their first use
            (folder / f"seed-{number}").write_bytes(packed(seed))

    def tried(data: bytes) -> None:
        if data:
            reader.target.check(unpacked(name, data))

    def changed(data: bytes, max_size: int, seed: int) -> bytes:
        chance = Random(seed)
        case = unpacked(name, data) if data else seeds[0]
        case = reader.changed(case, lambda part: atheris.Mutate(part, len(part) + 64), chance)
        result = packed(case)
        return result if len(result) <= max_size else packed(chance.choice(seeds))

    atheris.Setup([sys.argv[0], str(folder), *LIMITS, *flags], tried, custom_mutator=changed)
    atheris.Fuzz()


def attack(name: str, seconds: float, seed: int) -> tuple[bool, str]:
    """Attack a reader for some time; whether a case did harm, and what was said. The case is kept."""
    with tempfile.TemporaryDirectory() as folder:
        corpus, finding = Path(folder, "corpus"), Path(folder, "finding")
        corpus.mkdir()
        flags = [f"-max_total_time={max(1, round(seconds))}", f"-exact_artifact_path={finding}", f"-seed={seed}"]
        command = [sys.executable, "-X", "faulthandler", "-m", "fuzz.guided", "--child", name, str(corpus), *flags]
        environment = {**os.environ, "PYTHONPATH": ":".join([str(HERE.parent), *sys.path])}
        done = subprocess.run(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        lines = done.stdout.decode(errors="replace").splitlines()
        said = "\n".join(line for line in lines if not line.startswith("INFO: "))
        if done.returncode and finding.exists():  # a slow case is kept there, too
            said = f"{write(HERE / 'cases', name, unpacked(name, finding.read_bytes()))}:\n{said}"
        return done.returncode != 0, said


def main() -> int:
    """Print what is found; returns the exit code: 1 if a case did harm."""
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], Path(sys.argv[3]), sys.argv[4:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long (default 5)")
    parser.add_argument("--only", choices=readers(), action="append", help="attack this reader; may be repeated")
    parser.add_argument("--seed", type=int, default=0, help="for Atheris (default 0: another one each time)")
    options = parser.parse_args()
    names = options.only or list(readers())
    harm = False
    for name in names:
        found, said = attack(name, 60 * options.minutes / len(names), options.seed)
        harm |= found
        cases = re.search(r"stat::number_of_executed_units: *(\d+)", said)
        print(f"{name:16} {said if found or not cases else f'{int(cases[1]):9,} cases'}", flush=True)
    return int(harm)


if __name__ == "__main__":
    sys.exit(main())
