"""All links of the pages have a target; code is not too wide; pictures are small and used."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

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
# the kind of a block and its code, without the options of a cell
BLOCK = re.compile(r"^ *```(\S*).*\n(?:---\n(?:.*\n)*?---\n)?((?:.*\n)*?) *```$", re.MULTILINE)
PICTURE_BYTES = 60_000
SOURCES = {".py", ".pyx", ".pxd", ".h", ".js", ".json", ".toml", ".yml", ".html", ".v"}
OF_OTHERS = {  # names of others that pages mention
    *("alpha_zero", "avoidMoves", "boardXSize", "boardYSize", "BrokenProcessPool", "Dataset", "initialStones"),
    *("abi3t", "AutoresetMode", "coqchk", "coverage", "cp314t", "cp315t", "externals", "joblib", "KilledWorker"),
    *(
        "MKL_CBWR",
        "NEXT_STEP",
        "information_state_string",
        "observation_tensor",
        "Parallel",
        "RecordVideo",
        "SAME_STEP",
        "TabularPolicy",
        "toJSON",
        "wandb",
        "wrappers",
    ),
}


def without_blocks(page):
    """The text of a page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def prose(page):
    """The same, with no brackets in code, which are no links."""
    return re.sub(r"`[^`\n]*`", lambda span: span[0].replace("[", "").replace("]", ""), without_blocks(page))


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


def code_lines(page):
    """The lines of a page's code, without what programs print: below prompts, or in blocks marked as `text`."""
    for kind, code in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind not in ("text", "{eval-rst}"):
            commands = re.findall(r"^(?:>>>|\.\.\.|\$) (?:.*\\\n)*.*$", code, flags=re.MULTILINE)
            yield from "\n".join(commands or [code]).splitlines()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_code_fits_into_80_columns(page):
    assert [line for line in code_lines(page) if len(line) > 80] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    for target in links(page):
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        assert file.is_file(), target
        assert not anchor or anchor in anchors(file), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_headings_have_a_line_of_their_own(page):
    assert re.findall(r"\S.* #{2,} \w.*", prose(page)) == []


def test_names_that_pages_mention_exist():
    places = [ROOT / name for name in ("src", "tests", "examples", "bench", "tools", "docs", "proofs")]
    files = [file for place in places for file in place.rglob("*") if "node_modules" not in file.parts]
    texts = [file.read_text(encoding="utf-8") for file in files if file.suffix in SOURCES]
    there = {file.stem for file in files} | set(re.findall(r"\w+", " ".join(texts))) | OF_OTHERS
    for page in [*PAGES, ROOT / "CHANGELOG.md"]:
        named = re.findall(r"`(?!\w{64}`)([A-Za-z_][\w.]{2,})(?:\(.*?\))?`", without_blocks(page))  # no digests
        missing = {name for name in named if not there.issuperset(name.split("."))}
        assert (page.name, missing) == (page.name, set())


def test_every_option_is_linked_to_an_argument_in_python(monkeypatch):
    """Or said to have none; the reference shows the links back, which it makes from the same table."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    import cli
    import options

    parsers = cli.subparsers(cli.command_parser())
    shell = {(name, cli.name_of(action)) for name, parser in parsers for action in cli.arguments(parser)}
    assert {(each.command, each.option) for each in options.ARGUMENTS} == shell
    for each in options.ARGUMENTS:
        function = each.function and options.function_of(each.function)
        assert not function or each.name in options.arguments_of(function), each
        assert not function or f"{each.option}``" in options.at_the_shell(function), each


def test_pages_and_docstrings_name_things_in_plain_words():
    """A noun instead of "that of" and "those of"; no "likewise", "anew" or "in place of"."""
    private = re.compile(r"\b(that|those) of\b(?! course)|\b(likewise|anew|in place of)\b", re.IGNORECASE)
    modules = sorted((ROOT / "src/c4mcts").rglob("*.py"))
    texts = {page: prose(page) for page in PAGES} | {file: file.read_text(encoding="utf-8") for file in modules}
    assert [(file.name, found[0]) for file, text in texts.items() for found in private.finditer(text)] == []


def test_the_table_of_benchmarks_names_scripts_that_exist():
    page = (ROOT / "bench/README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+\.py)\b", page))
    assert named <= {path.name for path in (ROOT / "bench").glob("*.py")}
    assert len(named) > 20


def test_no_page_has_a_placeholder():
    found = {page.name: re.findall(r"SOLUTION\d|\bTODO\b|\bFIXME\b|\bTBD\b", prose(page)) for page in PAGES}
    assert {name: words for name, words in found.items() if words} == {}


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


def test_every_picture_is_shown_and_small():
    shown = {(page.parent / target).resolve() for page in PAGES for target in links(page) if "img/" in target}
    there = set((ROOT / "docs/img").iterdir())
    assert shown == there
    assert {path.name for path in there if path.stat().st_size > PICTURE_BYTES} == set()


def test_the_map_names_every_folder_and_nothing_that_does_not_exist():
    page = (ROOT / "docs/internals/architecture.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "c4mcts"
    named = re.findall(r"`([\w/.]+)`", page)
    folders = {path.parent.name for path in package.glob("*/__init__.py")}
    assert folders <= set(named)
    paths = [name for name in named if "/" in name or name.endswith(".py")]
    missing = [path for path in paths if not any((place / path).exists() for place in (package, ROOT))]
    missing = [path for path in missing if path != "_native/settings.pxd"]  # which setup.py writes
    assert (len(paths) > 20, missing) == (True, [])
