"""Docstrings as reStructuredText. The package's are plain text, for readers of `help` and of the source.

A paragraph stays a paragraph, except that its descriptions of parameters, "name: ...", become a list. Indented lines
are code; lines that begin at the margin, each with indented lines below, are a list. `name` is code.
"""

import inspect
import re
from collections.abc import Container
from itertools import groupby
from typing import Any

from options import at_the_shell

NAMES = re.compile(r"(?:^|(?<=[.:;] ))(?P<names>[a-z_]\w*(?:, [a-z_]\w*)*): ")
ENTRY = re.compile(r"(?P<name>\"?[a-z_]\w*\"?): (?P<text>.*)", re.DOTALL)


def convert(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Replace the lines of a docstring, and link its options; connected to Sphinx's autodoc-process-docstring."""
    del app, what, name, options
    try:
        parameters: Container[str] = inspect.signature(thing).parameters
    except (TypeError, ValueError):  # not callable
        parameters = ()
    blocks = [list(block) for blank, block in groupby(lines, key=lambda line: not line.strip()) if not blank]
    lines[:] = [line for block in blocks for line in (*converted(block, parameters), "")]
    if callable(thing) and (shell := at_the_shell(thing)):
        lines += [shell, ""]


def converted(block: list[str], parameters: Container[str]) -> list[str]:
    """One block of lines that are not blank."""
    if block[0].startswith(">>>"):
        return block
    if block[0].startswith("|"):
        return table(block)
    if all(line.startswith(" ") for line in block):
        return ["::", "", *block]
    if any(line.startswith(" ") for line in block):
        return [listed(entry) for entry in entries(block)]
    return paragraph(" ".join(block), parameters)


def paragraph(text: str, parameters: Container[str]) -> list[str]:
    """A paragraph, with its descriptions of parameters as a list."""
    found = [names for names in NAMES.finditer(text) if all(name in parameters for name in names["names"].split(", "))]
    if not found:
        return [escaped(text)]
    starts = [names.start() for names in found]
    before = text[: starts[0]].strip()
    items = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    return [*([escaped(before), ""] if before else []), *(listed(item) for item in items)]


def entries(block: list[str]) -> list[str]:
    """The entries of a list, one line each."""
    found: list[str] = []
    for line in block:
        if line.startswith(" "):
            found[-1] += " " + line.strip()
        else:
            found.append(line)
    return found


def listed(entry: str) -> str:
    """An item of a list."""
    found = NAMES.match(entry) or ENTRY.match(entry)
    if found is None:
        return f"- {escaped(entry)}"
    return f"- **{escaped(found[1])}**: {escaped(entry[found.end(1) + 1 :].strip())}"


def table(rows: list[str]) -> list[str]:
    """A Markdown table as a list-table."""
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows if not re.fullmatch(r"[|\- ]+", row)]
    body = [f"   {'* -' if i == 0 else '  -'} {escaped(cell)}" for row in cells for i, cell in enumerate(row)]
    return [".. list-table::", "   :header-rows: 1", "", *body]


def escaped(text: str) -> str:
    """Text with `code` as literals, and everything else escaped."""
    parts = re.split(r"`([^`\n]+)`", text)
    return "".join(
        f"``{part}``" if i % 2 else re.sub(r"([*|\\`]|_(?=\W|$))", r"\\\1", part) for i, part in enumerate(parts)
    )
