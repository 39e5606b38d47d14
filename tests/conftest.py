"""Fixtures: every test that asks for `backend` runs on both engines."""

import pytest

from c4mcts._backend import load


def pytest_addoption(parser):
    parser.addoption("--pure-only", action="store_true", help="test an installation without the native engine")


def pytest_generate_tests(metafunc):
    if "backend" in metafunc.fixturenames:
        names = ["pure"] if metafunc.config.getoption("--pure-only") else ["native", "pure"]
        metafunc.parametrize("backend", names)


def pytest_collection_modifyitems(config, items):
    """Without the native engine there are no twins to compare; otherwise it must be there."""
    if config.getoption("--pure-only"):
        items[:] = [item for item in items if "twins" not in item.path.parts]
    else:
        load("native")


@pytest.fixture
def room(backend):
    """The modules of one engine."""
    return load(backend)
