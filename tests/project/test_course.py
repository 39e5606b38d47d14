"""The course: code fits into the page, numbers are asserted, solutions are folded, chapters are linked."""

import re
from pathlib import Path

import pytest

COURSE = Path(__file__).parents[2] / "docs/course"
CHAPTERS = sorted(COURSE.glob("[0-9]*.md"))
CELL = re.compile(r"^```\{code-cell\} ipython3\n(---\n.*?\n---\n|(?::[^\n]*\n)*)(.*?)^```$", re.MULTILINE | re.DOTALL)
WIDTH = 88
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.stem)


def cells(text):
    """The options and the code of each cell."""
    return CELL.findall(text)


@each_chapter
def test_code_fits_into_the_page(chapter):
    lines = [line for _, code in cells(chapter.read_text(encoding="utf-8")) for line in code.splitlines()]
    assert len(lines) > 40
    assert [line for line in lines if len(line) > WIDTH] == []


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
