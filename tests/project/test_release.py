"""What a release says of itself, and how large it is."""

import importlib.metadata
import re
import tomllib
import zipfile
from pathlib import Path

import pytest

import c4mcts

ROOT = Path(__file__).parents[2]
PACKAGE = Path(c4mcts.__file__).parent
MAX_BYTES = 5_000_000  # of a wheel; tools/release.py checks the same of those that are published
RECIPE = ROOT / "packaging" / "conda-forge" / "recipe.yaml"
SOURCES = {".pyx", ".pxd", ".h", ".c", ".pyc"}  # not in a wheel


def test_every_place_has_the_same_version():
    assert importlib.metadata.version("c4mcts") == c4mcts.__version__
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", citation, re.MULTILINE) == [c4mcts.__version__]
    assert re.findall(r'^  version: "(.+)"$', RECIPE.read_text(encoding="utf-8"), re.MULTILINE) == [c4mcts.__version__]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {c4mcts.__version__}" in changes


def test_the_conda_recipe_has_the_dependencies_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    recipe = RECIPE.read_text(encoding="utf-8")
    host, run = (re.search(rf"^  {name}:\n((?:    .*\n)+)", recipe, re.MULTILINE)[1] for name in ("host", "run"))
    assert re.findall(r"- (\S+) (>=\S+)", run) == [split(needed) for needed in project["project"]["dependencies"]]
    assert sorted(re.findall(r"- (\S+) (>=\S+)", host)) == sorted(
        split(needed.lower()) for needed in project["build-system"]["requires"]
    )


def split(requirement):
    """The name and the rest."""
    return re.fullmatch(r"([\w-]+)(.+)", requirement).groups()


@pytest.mark.native
def test_a_wheel_is_small(tmp_path):
    """As a wheel is packed: without sources, deflated."""
    with zipfile.ZipFile(tmp_path / "packed.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in PACKAGE.rglob("*"):
            if path.is_file() and path.suffix not in SOURCES:
                archive.write(path, path.relative_to(PACKAGE))
    assert 500_000 < (tmp_path / "packed.zip").stat().st_size < MAX_BYTES


def test_actions_are_pinned_by_commit():
    folder = ROOT / ".github" / "workflows"
    if not folder.exists():
        pytest.skip("an sdist has no workflows")
    used = [line for file in folder.glob("*.yml") for line in re.findall(r"uses: (.+)", file.read_text("utf-8"))]
    assert len(used) > 10
    assert [line for line in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)] == []
