"""The examples of docs/guide/adapters.md and kaggle.md that need other packages run. (Those with >>> are doctests.)"""

import re
from pathlib import Path

import pytest
from foreign import foreign, run_apart

DOCS = Path(__file__).parents[2] / "docs"
SECTIONS = {
    ("adapters.md", "Gymnasium"): ["gymnasium"],
    ("adapters.md", "PettingZoo"): ["pettingzoo", "pygame"],
    ("adapters.md", "OpenSpiel"): ["pyspiel"],
}


def code(page, heading):
    """The Python code of a section without prompts."""
    text = (DOCS / "guide" / page).read_text(encoding="utf-8")
    (section,) = re.findall(rf"^## {heading}$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    blocks = re.findall(r"^```python\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    return "\n".join(block for block in blocks if ">>>" not in block)


@pytest.mark.filterwarnings("ignore")  # of those packages
@pytest.mark.parametrize(("page", "heading"), SECTIONS)
def test_examples_run(page, heading, capsys):
    for package in SECTIONS[page, heading]:
        foreign(package)
    exec(compile(code(page, heading), page, "exec"), {})


def test_the_example_of_kaggle_runs():
    run_apart("kaggle_environments", code("kaggle.md", "Agents as players"))
