"""Fixture: clients of sessions."""

import pytest
from conversation import Client


@pytest.fixture
def client():
    """A function that makes clients, whose sessions are closed, and all replies checked, at the end."""
    made = []

    def client(**options):
        made.append(Client(**options))
        return made[-1]

    yield client
    assert all([each.session.close(20) for each in made])
    for each in made:
        each.check()
