"""The course: chapters lead to each other, and the notebooks are current."""

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
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.stem)


def test_every_chapter_leads_to_the_next():
    for chapter, following in zip(CHAPTERS, [*CHAPTERS[1:], COURSE / "index.md"], strict=True):
        last = chapter.read_text(encoding="utf-8").rstrip().splitlines()[-1]
        assert f"({following.name})" in last
    index = (COURSE / "index.md").read_text(encoding="utf-8")
    assert [name for name in re.findall(r"^(\d-\S+)$", index, flags=re.MULTILINE)] == [c.stem for c in CHAPTERS]


@each_chapter
def test_every_chapter_has_a_live_page(chapter):
    """Below a paragraph that is only a link to it (docs/live.py)."""
    assert re.search(r"^\[[^\n]*\]\(https:\S+/page/#/\w+/7x6x4/\d*\)$", chapter.read_text(encoding="utf-8"), re.M)


def of(chapter):
    """The notebook of a chapter, as it is in the repository."""
    return nbformat.reads((notebooks.FOLDER / f"{chapter.stem}.ipynb").read_text(encoding="utf-8"), as_version=4)


@each_chapter
def test_the_notebook_is_made_from_the_chapter(chapter):
    text = (notebooks.FOLDER / f"{chapter.stem}.ipynb").read_text(encoding="utf-8")
    assert text == notebooks.written(chapter), "run python docs/notebooks.py"
    nbformat.validate(of(chapter))


@each_chapter
def test_links_of_the_notebook_work_anywhere(chapter):
    words = "\n".join(cell.source for cell in of(chapter).cells if cell.cell_type == "markdown")
    found = re.findall(r"\]\(([^)]+)\)", words)
    assert found
    for target in found:
        path = target.partition("#")[0].removeprefix(f"{notebooks.HOME}/blob/main/")
        assert target.startswith("https://")
        assert path.startswith("https://") or (COURSE.parents[1] / path).is_file(), target
