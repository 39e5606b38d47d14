"""All links of the pages have a target; pictures are small and used."""

import ast
import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

from c4mcts.cli import command_parser
from c4mcts.search.params import PRESETS

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    ROOT / "bench/README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
URLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
HOME = URLS["Repository"]
FILES = (f"{HOME}/blob/main/", f"{HOME.replace('github.com', 'raw.githubusercontent.com')}/main/")
PICTURE_BYTES = 60_000
_spec = importlib.util.spec_from_file_location("figures", ROOT / "docs/figures.py")
figures = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(figures)


def prose(page):
    """The text of a page without its code."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", lambda span: span[0].replace("[", "").replace("]", ""), text)


def targets(page):
    """The targets of a page's links and pictures."""
    return re.findall(r"\]\(([^)\s]+)\)", prose(page))


def links(page):
    """Relative targets of a page's links and pictures; the README has absolute ones to files of the project."""
    found = targets(page)
    if page.name == "README.md" and page.parent == ROOT:
        found = [target.removeprefix(FILES[0]).removeprefix(FILES[1]) for target in found]
    return [target for target in found if not target.startswith(("http:", "https:"))]


def anchors(page):
    """The anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", prose(page), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_docstrings_link_to_pages_that_readers_of_a_wheel_have():
    for module in sorted((ROOT / "src/c4mcts").rglob("*.py")):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                for before, path in re.findall(r"(\S*?)\b(docs/[\w/-]+\.md)", ast.get_docstring(node) or ""):
                    assert before.lstrip("(") == FILES[0], f"{module}: {path}"
                    assert (ROOT / path).is_file(), f"{module}: {path}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    for target in links(page):
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        assert file.is_file(), target
        assert not anchor or anchor in anchors(file), target


def test_the_readme_can_be_read_on_the_package_index():
    """There, relative links lead nowhere."""
    readme = ROOT / "README.md"
    assert [target for target in targets(readme) if not target.startswith("https://")] == []
    assert not re.search(r"<(img|a)\b|^\[[^]]+\]:", prose(readme), flags=re.MULTILINE), "not checked here"
    pictures = re.findall(r"!\[[^]]*\]\((\S+/docs/\S+)\)", prose(readme))
    assert pictures
    assert all(target.startswith(FILES[1]) for target in pictures)
    ours = [target for target in targets(readme) if "github" in target]
    assert [target for target in ours if not target.startswith((*FILES, f"{HOME}/actions/"))] == []


def test_the_urls_of_the_metadata_are_those_of_one_repository():
    assert all(url.startswith(HOME) for url in URLS.values())
    for url in URLS.values():
        _, _, path = url.partition("/main/")
        assert not path or (ROOT / path).exists()


def test_every_picture_is_shown_and_small():
    shown = {(page.parent / target).resolve() for page in PAGES for target in links(page) if "img/" in target}
    there = set((ROOT / "docs/img").iterdir())
    assert shown == there
    assert {path.name for path in there if path.stat().st_size > PICTURE_BYTES} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_picture_has_words_for_those_who_do_not_see_it(page):
    assert [words for words in re.findall(r"!\[([^]]*)\]\(\S*/img/", prose(page)) if len(words) < 10] == []


@pytest.mark.parametrize("page", figures.PAGES, ids=lambda page: page.name)
def test_the_plots_of_a_page_are_those_of_its_commands(page):
    """docs/figures.py runs the commands; here they are only read."""
    made = figures.commands(page)
    assert len(made) >= 4
    shown = {Path(target).stem for target in links(page) if target.endswith(".png")}
    assert shown == set(made)
    for argv in made.values():
        assert vars(command_parser().parse_args(argv))["seed"] == 1, "the same picture each time"


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_explained(preset):
    assert preset in (ROOT / "docs/prior_systems/presets.md").read_text(encoding="utf-8")


def test_the_map_names_every_folder_and_nothing_that_does_not_exist():
    page = (ROOT / "docs/internals/architecture.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "c4mcts"
    named = re.findall(r"`([\w/.]+)`", page)
    folders = {path.name for path in package.iterdir() if path.is_dir() and not path.name.startswith("__")}
    assert folders <= set(named)
    paths = [name for name in named if "/" in name or name.endswith(".py")]
    missing = [path for path in paths if not any((place / path).exists() for place in (package, ROOT))]
    assert (len(paths) > 20, missing) == (True, [])


def test_the_picture_of_a_simulation_names_modules_of_both_backends():
    page = (ROOT / "docs/internals/architecture.md").read_text(encoding="utf-8")
    (picture,) = re.findall(r"^```\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    last = [re.split(r"\s{2,}", line.strip())[2:] for line in picture.splitlines()]
    names = {name for found in last for words in found for name in words.split(", ")}
    assert len(names) >= 8
    for backend in ("_pure", "_native"):
        there = {path.stem for path in (ROOT / "src" / "c4mcts" / backend).iterdir()}
        assert names <= there


def test_the_index_of_the_reference_has_the_names_of_its_pages():
    reference = ROOT / "docs/api"
    index = (reference / "index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[.*?\]\((\w+\.md)\) \| (.*) \|$", index, flags=re.MULTILINE)
    assert {page for page, _ in rows} == {path.name for path in reference.iterdir()} - {"index.md"}
    for page, row in rows:
        text = (reference / page).read_text(encoding="utf-8")
        listed = re.findall(r"automodule:: \S+\n   :members: (.+)", text)
        single = re.findall(r"^## `c4mcts\.(?:view\.)?(backend|AnalysisBoard)`", text, flags=re.MULTILINE)
        assert set(re.findall("`(.+?)`", row)) == {*", ".join(listed).split(", "), *single} - {""}, page
