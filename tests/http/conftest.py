"""Clients of a server; tests that are coroutines."""

import asyncio
import contextlib
import inspect

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a test that is a coroutine function in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.function):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.function).parameters}
    asyncio.run(asyncio.wait_for(pyfuncitem.function(**arguments), 60))
    return True


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
