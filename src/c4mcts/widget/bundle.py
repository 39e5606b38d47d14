"""Bundle: the modules of the page as one text, which anywidget wants."""

import json
import re
from graphlib import TopologicalSorter
from importlib.resources import files

IMPORT = re.compile(r' from "\./([\w-]+\.js)";')
START = "notebook.js"


def bundle() -> str:
    """loader.js with the modules and the style sheets that it needs."""
    static = files("c4mcts.web") / "static"
    style = "".join((static / name).read_text(encoding="utf-8") for name in ("style.css", "notebook.css"))
    loader = (files(__package__) / "loader.js").read_text(encoding="utf-8")
    style = style.replace(":root", ":host")  # it is in a shadow root
    return f"const MODULES = {json.dumps(modules())};\nconst STYLE = {json.dumps(style)};\n{loader}"


def modules() -> list[tuple[str, str]]:
    """The module START and all that it imports, directly or not, as (name, text), imported ones first. CycleError."""
    folder = files("c4mcts.web") / "static" / "js"
    texts: dict[str, str] = {}
    waiting = [START]
    while waiting:
        name = waiting.pop()
        if name not in texts:
            texts[name] = (folder / name).read_text(encoding="utf-8")
            waiting += IMPORT.findall(texts[name])
    order = TopologicalSorter({name: IMPORT.findall(text) for name, text in texts.items()}).static_order()
    return [(name, texts[name]) for name in order]
