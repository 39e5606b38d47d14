"""The course: numbers are asserted, solutions are folded, chapters are linked; its notebooks are current."""

import importlib.util
import re
from pathlib import Path

import nbformat
import pytest

COURSE = Path(__file__).parents[2] / "docs/course"
CHAPTERS = sorted(COURSE.glob("[0-9]*.md"))
_spec = importlib.util.spec_from_file_location("notebooks", COURSE.parent / "notebooks.py")
notebooks = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(notebooks)
CELL = notebooks.CELL
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.stem)


def cells(text):
    """The options and the code of each cell."""
    return CELL.findall(text)


@each_chapter
def test_what_is_said_is_asserted_where_readers_do_not_see_it(chapter):
    hidden = {True: [], False: []}
    for options, code in cells(chapter.read_text(encoding="utf-8")):
        hidden["remove-cell" in options].append("assert " in code)
    assert hidden[True]
    assert all(hidden[True])
    assert not any(hidden[False])


@each_chapter
def test_solutions_are_folded(chapter):
    _, _, solutions = chapter.read_text(encoding="utf-8").partition("\n## Solutions\n")
    assert ":::{dropdown}" in solutions
    folded = re.sub(r"^:::\{dropdown\}.*?^:::$", "", solutions, flags=re.MULTILINE | re.DOTALL)
    rest = CELL.sub("", folded).strip()
    assert re.fullmatch(r"Next: .*", rest), "nothing else is open"
    assert all("hide-cell" in options or "remove-cell" in options for options, _ in cells(solutions))


def test_every_chapter_leads_to_the_next():
    for chapter, following in zip(CHAPTERS, [*CHAPTERS[1:], COURSE / "index.md"], strict=True):
        last = chapter.read_text(encoding="utf-8").rstrip().splitlines()[-1]
        assert f"({following.name})" in last
    index = (COURSE / "index.md").read_text(encoding="utf-8")
    assert [name for name in re.findall(r"^(\d-\S+)$", index, flags=re.MULTILINE)] == [c.stem for c in CHAPTERS]


# notebooks


def of(chapter):
    """The notebook of a chapter, as it is in the repository."""
    return nbformat.reads((notebooks.FOLDER / f"{chapter.stem}.ipynb").read_text(encoding="utf-8"), as_version=4)


@each_chapter
def test_the_notebook_is_made_from_the_chapter(chapter):
    text = (notebooks.FOLDER / f"{chapter.stem}.ipynb").read_text(encoding="utf-8")
    assert text == notebooks.written(chapter), "run python docs/notebooks.py"
    nbformat.validate(of(chapter))


@each_chapter
def test_the_notebook_has_what_readers_see(chapter):
    text = chapter.read_text(encoding="utf-8")
    first, *found = [cell.source for cell in of(chapter).cells if cell.cell_type == "code"]
    assert "%pip install" in first
    assert found == [code.strip() for options, code in cells(text) if "remove-cell" not in options]
    words = "\n".join(cell.source for cell in of(chapter).cells if cell.cell_type == "markdown")
    assert re.findall(r"^#+ .*", words, flags=re.MULTILINE) == re.findall(
        r"^#+ .*", CELL.sub("", text), flags=re.MULTILINE
    )
    assert words.count("<details>") == text.count(":::{dropdown}") == words.count("</details>")
    assert not re.search(r":::|```\{|badge", words)


@each_chapter
def test_links_of_the_notebook_work_anywhere(chapter):
    words = "\n".join(cell.source for cell in of(chapter).cells if cell.cell_type == "markdown")
    found = re.findall(r"\]\(([^)]+)\)", words)
    assert found
    for target in found:
        path = target.partition("#")[0].removeprefix(f"{notebooks.HOME}/blob/main/")
        assert target.startswith("https://")
        assert path.startswith("https://") or (COURSE.parents[1] / path).is_file(), target
