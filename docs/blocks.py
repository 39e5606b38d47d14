"""Run the commands of the pages, and compare what they print with what the pages show: python docs/blocks.py

A block of a page that is marked as `console` holds commands, each after "$ ", and below it what the command prints.
What a command with --markdown prints follows the block, up to the comment `<!-- end of output -->`. "..." stands for
any text, such as times; blanks and line breaks count as the same. A comment `<!-- slow -->` before a block says that it
takes more than a few seconds of CPU time: the tests leave it out, and the workflow `nightly` runs it. The commands of a
page share a folder, /tmp on the page, and a new one here.

--quick leaves those out, too; --only takes the commands or pages with a certain text. --write puts what is printed into
the pages instead of comparing it, except where a page has "...".
"""

import argparse
import doctest
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^(<!-- slow -->\n)?```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BELOW = re.compile(r"\n+(.*?)\n*<!-- end of output -->", re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n", re.MULTILINE)  # to the first line that does not end in a backslash
SAME = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SECONDS = 7200  # that a command may take


@dataclass(frozen=True)
class Shown:
    """A command of a page, and what the page says it prints."""

    page: Path
    line: int
    command: str
    output: str
    is_slow: bool

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}: {self.command}"


def pages() -> list[Path]:
    """The pages that may have blocks."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path) -> Iterator[Shown]:
    """The commands of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        found = list(COMMAND.finditer(block[2]))
        for i, command in enumerate(found):
            end = found[i + 1].start() if i + 1 < len(found) else len(block[2])
            line = text.count("\n", 0, block.start(2) + command.start()) + 1
            output = block[2][command.end() : end]
            if "--markdown" in command[1]:
                below = BELOW.match(text, block.end())
                assert below, f"{page}:{line}: the output is not there"
                output = below[1] + "\n"
            yield Shown(page, line, command[1], output, block[1] is not None)


def printed(command: str, folder: Path) -> str:
    """What a command prints, run in the root folder of the project; CalledProcessError if it fails.

    folder: takes the place of /tmp.
    """
    programs = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": programs + os.pathsep + os.environ["PATH"], "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        ["bash", "-c", command.replace("/tmp", str(folder))],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        timeout=SECONDS,
        check=True,
    )
    return done.stdout.replace(str(folder), "/tmp")


def is_as_shown(shown: Shown, output: str) -> bool:
    """Whether a command has printed what the page says."""
    return doctest.OutputChecker().check_output(shown.output, output, SAME)


def difference(shown: Shown, output: str) -> str:
    return doctest.OutputChecker().output_difference(
        doctest.Example("", shown.output), output, SAME | doctest.REPORT_NDIFF
    )


def main() -> int:
    """Run the commands, and report where they print something else; 1 if one of them does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="leave out the slow ones")
    parser.add_argument("--only", metavar="TEXT", default="", help="commands that contain this, or pages")
    parser.add_argument("--write", action="store_true", help="put what is printed into the pages")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return check([each for page in pages() for each in blocks(page)], Path(folder), options)


def check(commands: list[Shown], folder: Path, options: argparse.Namespace) -> int:
    """Run commands in this order; 1 if one prints something else than its page shows."""
    wrong = 0
    for shown in commands:
        if options.only not in str(shown) or (options.quick and shown.is_slow):
            continue
        output = printed(shown.command, folder)
        if is_as_shown(shown, output):
            print(f"as shown  {shown}", flush=True)
        elif options.write and "..." not in shown.output:
            text = shown.page.read_text(encoding="utf-8")
            command = f"$ {shown.command}\n"
            at = text.index(command) + len(command)
            shown.page.write_text(text[:at] + text[at:].replace(shown.output, output, 1), encoding="utf-8")
            print(f"written   {shown}", flush=True)
        else:
            wrong += 1
            print(f"DIFFERS   {shown}\n{difference(shown, output)}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
