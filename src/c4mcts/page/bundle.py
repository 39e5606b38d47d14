"""Bundle: a module of the page and all that it imports as one text, since browsers wait long for many small files."""

import re
from collections.abc import Collection, Mapping
from graphlib import TopologicalSorter

from . import STATIC

START = "main.js"  # of the page
# which the page loads at the same time as the bundle
FIRST = ("start.js", "texts.js", "settings.js", "browser-storage.js", "catalogue.js")
IMPORT = re.compile(r'^import (?:\* as )?([\w-]+|\{[^}]*\}) from "\./([\w-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:(?:async )?function|class|const) (\w+|\[[^]]*))", re.MULTILINE)
COMMENT = re.compile(r"^ *(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)


def bundle(start: str, apart: Collection[str] = (), replaced: Mapping[str, str] = {}) -> str:
    """The text of a module whose constant START has the exports of `start`, without comments.

    Each module is a block, after those that it imports. apart: modules that it imports as files. replaced: texts of
    modules by name. CycleError.
    """
    texts: dict[str, str] = {}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name not in texts:
            path = STATIC / "js" / name
            texts[name] = "" if name in apart else replaced.get(name) or COMMENT.sub("", path.read_text("utf-8"))
            waiting += [other for _, other in IMPORT.findall(texts[name])]
    order = TopologicalSorter({name: [other for _, other in IMPORT.findall(text)] for name, text in texts.items()})
    return "".join(_block(name, texts[name]) for name in order.static_order()) + f"const START = {_constant(start)};\n"


def _block(name: str, text: str) -> str:
    """A module as a block; one without a text is imported."""
    if not text:
        return f'import * as {_constant(name)} from "./{name}";\n'
    body, names = EXPORT.sub("", IMPORT.sub(_local, text)), ", ".join(EXPORT.findall(text)).replace("[", "")
    return f"let {_constant(name)};\n{{\n{body}{_constant(name)} = {{ {names} }};\n}}\n"


def _local(match: re.Match[str]) -> str:
    return f"const {match[1].replace(' as ', ': ')} = {_constant(match[2])};\n"


def _constant(name: str) -> str:
    """The name of what has the exports of a module."""
    return "$" + name.removesuffix(".js").replace("-", "_")
