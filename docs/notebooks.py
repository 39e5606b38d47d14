"""Make the notebooks of the course from its chapters: python docs/notebooks.py"""

import json
import re
from pathlib import Path
from posixpath import normpath
from typing import Any

ROOT = Path(__file__).parents[1]
COURSE = ROOT / "docs/course"
FOLDER = COURSE / "notebooks"
HOME = "https://github.com/c4mcts/c4mcts"
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
# the options and the code of a cell
CELL = re.compile(r"^```\{code-cell\} ipython3\n(---\n.*?\n---\n|(?::[^\n]*\n)*)(.*?)^```$", re.M | re.S)
DROPDOWN = re.compile(r"^:::\{dropdown\} (?P<title>.*?)\n(?P<text>.*?)^:::$", re.M | re.S)
HIDDEN_LINKS = r"^<!-- until published -->\n(?:Run it.*\n)?|^<!-- once published\n(?:.+\n)*?-->\n"
ADDRESSES = re.compile(HIDDEN_LINKS + r"|^\[!\[Open in Colab\].*\n(?:.+\n)*", re.M)  # where to run the chapter
LINK = re.compile(r"\]\((?P<path>[\w./-]+\.md)(?P<anchor>#[\w-]+)?\)")
INSTALL = f"""\
try:  # in Colab, this compiles the engine, which takes about a minute
    import c4mcts, matplotlib
except ImportError:
    %pip install -q "c4mcts[plot] @ git+{HOME}\""""
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
HIDDEN = {"cellView": "form", "jupyter": {"source_hidden": True}}  # in Colab, in Jupyter


def chapters() -> list[Path]:
    """The chapters, in order."""
    return sorted(COURSE.glob("[0-9]*.md"))


def notebook(chapter: Path, install: str = INSTALL, kernel: dict[str, str] = KERNEL) -> dict[str, Any]:
    """The notebook of a chapter, without the cells that check what the text says. install: its first cell."""
    text = ADDRESSES.sub("", FRONT_MATTER.sub("", chapter.read_text(encoding="utf-8")))
    title, _, rest = text.strip().partition("\n")
    cells = [markdown(title), code(install)]
    end = 0
    for found in CELL.finditer(rest):
        cells.append(markdown(rest[end : found.start()]))
        options, source = found.groups()
        if "remove-cell" not in options:
            cells.append(code(source, HIDDEN if "hide-cell" in options else {}))
        end = found.end()
    cells.append(markdown(rest[end:]))
    kept = [{"id": f"{index}", **cell} for index, cell in enumerate(cell for cell in cells if cell["source"])]
    return {"cells": kept, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def markdown(text: str) -> dict[str, Any]:
    text = DROPDOWN.sub(r"<details><summary>\g<title></summary>\n\n\g<text>\n</details>", text)
    return {"cell_type": "markdown", "metadata": {}, "source": lines(LINK.sub(absolute, text))}


def absolute(link: re.Match[str]) -> str:
    """A link to a chapter's notebook, or to another page, that works anywhere."""
    path = normpath(f"docs/course/{link['path']}")
    if re.fullmatch(r"docs/course/\d.*", path):
        path = f"{path.replace('course', 'course/notebooks').removesuffix('.md')}.ipynb"
    return f"]({HOME}/blob/main/{path}{link['anchor'] or ''})"


def code(text: str, metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    found = {"cell_type": "code", "execution_count": None, "metadata": metadata or {}, "outputs": []}
    return {**found, "source": lines(text)}


def lines(text: str) -> list[str]:
    return text.strip().splitlines(keepends=True)


def written(chapter: Path) -> str:
    """The text of a chapter's notebook."""
    return json.dumps(notebook(chapter), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path in chapters():
        (FOLDER / f"{path.stem}.ipynb").write_text(written(path), encoding="utf-8")
