"""The documentation site builds without warnings, with the notebooks of the course run; its links lead somewhere.

Run by its name, as .ci/site does: it takes minutes, and needs the extra docs.
"""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import pytest
from docutils import nodes
from docutils.utils import new_document

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.timeout(1800)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("site")
    warnings = out / "warnings.txt"  # only Sphinx's: the kernels of the notebooks write to stderr too
    options = ["-q", "-W", "--keep-going", "-t", "page", "-j", "auto", "-w", warnings, "-d", out / "doctrees"]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, ROOT / "docs", out], capture_output=True, text=True, check=False
    )
    assert (done.returncode, warnings.read_text(encoding="utf-8")) == (0, ""), done.stderr
    return out


class Links(HTMLParser):
    """The targets of a page, and the names of its parts."""

    def __init__(self):
        super().__init__()
        self.targets, self.names = [], set()

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.names |= {found[key] for key in ("id", "name") if key in found}
        self.targets += [found[key] for key in ("href", "src") if found.get(key)]


def test_every_link_inside_the_site_has_a_target(site):
    pages = {}
    for page in set(site.rglob("*.html")) - set((site / "_static").rglob("*.html")):  # those are templates
        pages[page] = Links()
        pages[page].feed(page.read_text(encoding="utf-8"))
    assert {page.relative_to(site).as_posix() for page in pages} > {
        "index.html",
        "guide/search.html",
        "api/search.html",
    }
    broken = []
    for page, found in pages.items():
        for target in found.targets:
            url = urlsplit(target)
            if url.scheme or url.netloc or (page.parent / url.path).resolve() == site / "page":
                continue
            file = (page.parent / unquote(url.path)).resolve() if url.path else page
            anchor = unquote(url.fragment)
            if not file.exists() or (anchor and file in pages and anchor not in pages[file].names):
                broken.append(f"{page.relative_to(site)}: {target}")
    assert broken == []


def test_a_link_to_the_page_is_followed_by_the_page_itself(monkeypatch):
    """In chapters such links wait until the page is published."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    from live import PAGE, embed

    document = new_document("course/1-rollouts")
    document += nodes.paragraph("", "", nodes.reference("", "the page", refuri=f"{PAGE}#/analyse/7x6x4/44"))
    embed(SimpleNamespace(tags=SimpleNamespace(has={"page"}.__contains__)), document, "course/1-rollouts")
    frame = re.search(r'<iframe class="live" src="([^"]*)"', document[1].astext())
    assert frame.group(1) == "../page/?embed=1#/analyse/7x6x4/44"


def test_every_picture_of_the_site_has_words_for_those_who_do_not_see_it(site):
    pictures = [
        (page.name, picture)
        for page in [*site.glob("course/*.html"), *site.glob("guide/*.html"), *site.glob("prior_systems/*.html")]
        for picture in re.findall(r"<img [^>]*>", page.read_text(encoding="utf-8"))
        if "_static" not in picture  # the logo, whose text stands beside it
    ]
    assert sum("_images" in picture for _, picture in pictures) > 20
    assert [each for each in pictures if not re.search(r'alt="[^"/]{10,}"', each[1])] == []


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("api/search.html", ["Engine.search", "SearchParams.preset", "how many threads grow the tree together"]),
        ("api/solver.html", ["Solver.line", "build_book", "Solution.verdict"]),
        ("api/play.html", ["play_tournament", "LevelPlayer", "Review"]),
        ("guide/solving.html", ["The positions of a game"]),
        ("course/1-rollouts.html", ["mean length 2", "exact score -2", 'alt="A board with']),
        ("course/3-tree.html", ["A search tree after 100 simulations", "pure ", "native"]),
        ("course/6-network.html", ["the network alone 0."]),
    ],
)
def test_pages_have_their_content(site, page, words):
    text = (site / page).read_text(encoding="utf-8")
    assert [word for word in words if word not in text] == []


def test_the_reference_names_all_that_the_package_offers(site):
    """Everything in c4mcts.__all__."""
    import c4mcts

    text = "".join(page.read_text(encoding="utf-8") for page in (site / "api").glob("*.html"))
    homes = {name: (getattr(c4mcts, name).__module__, "c4mcts") for name in c4mcts.__all__}
    assert [name for name in homes if not any(f'id="{home}.{name}"' in text for home in homes[name])] == []
