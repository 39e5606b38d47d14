"""What a release says of itself, and how large it is."""

import importlib.metadata
import re
import tomllib
from pathlib import Path

import c4mcts

ROOT = Path(__file__).parents[2]
RECIPE = ROOT / "packaging" / "conda-forge" / "recipe.yaml"


def test_every_place_has_the_same_version():
    assert importlib.metadata.version("c4mcts") == c4mcts.__version__
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", citation, re.MULTILINE) == [c4mcts.__version__]
    assert re.findall(r'^  version: "(.+)"$', RECIPE.read_text(encoding="utf-8"), re.MULTILINE) == [c4mcts.__version__]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {c4mcts.__version__}" in changes


def test_every_note_for_the_changelog_has_a_kind():
    """changes/README.md"""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]
    kinds = "|".join(kind["directory"] for kind in settings["type"])
    notes = [path.name for path in (ROOT / settings["directory"]).iterdir() if path.name != "README.md"]
    assert [name for name in notes if not re.fullmatch(rf"\+[\w-]+\.({kinds})\.md", name)] == []


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
