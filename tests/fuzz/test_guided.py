"""The changes that Atheris steers, without Atheris, which is not installed where the tests run."""

import json
from functools import partial
from random import Random

import pytest
from forging import members, mutated_bytes

from . import guided

READERS = guided.readers()

pytestmark = pytest.mark.native


@pytest.mark.parametrize("name", READERS)
def test_changed_cases_are_read_or_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    reader, chance = READERS[name], Random(1)
    case = seed = reader.seeds()[0]
    reader.target.check(seed)
    for _ in range(6):
        case = reader.changed(case, partial(mutated_bytes, chance=chance), chance)
        assert guided.unpacked(name, guided.packed(case)) == case
        reader.target.check(case)
    assert case != seed


@pytest.mark.parametrize("name", sorted(READERS.keys() - {"notation"}))
def test_a_change_of_nothing_changes_nothing(name):
    """All hashes are made right, so that changes reach the checks behind them."""
    reader = READERS[name]
    seed = reader.seeds()[0]
    assert content(name, reader.changed(seed, bytes, Random(1))) == content(name, seed)


def content(name, case):
    """What is in a case: not the times of its files, nor how its JSON is written."""
    if name == "proof":
        return case
    files = members(case)
    return {each: json.loads(data) if each.endswith(".json") else data for each, data in files.items()}
