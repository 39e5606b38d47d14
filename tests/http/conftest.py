"""Clients of a server."""

import contextlib

import pytest


@pytest.fixture
def client_of():
    """A function that makes a client of a server with these options, see c4mcts.http.app; they end with the test."""
    from starlette.testclient import TestClient

    from c4mcts.http.app import application
    from c4mcts.page import STATIC
    from c4mcts.page.bundle import FIRST, START, bundle

    with contextlib.ExitStack() as stack:

        def client_of(**options):
            app = application(
                **{"hosts": [], "max_sockets": 4, "page": STATIC, "script": bundle(START, FIRST), **options}
            )
            return stack.enter_context(TestClient(app, base_url="http://127.0.0.1:8000"))

        yield client_of
