"""Adapters to other packages, one module each: Kaggle, Gymnasium, PettingZoo, OpenSpiel, pgx and mctx.

The rest of the package imports none of them. `gymnasium`, `pettingzoo` and `openspiel` import the packages that they
are named after, which are not installed with c4mcts.
"""

from typing import TYPE_CHECKING

_SUBMODULES = ("gymnasium", "kaggle", "mcp", "openspiel", "pettingzoo", "pgx")

if not TYPE_CHECKING:  # otherwise type checkers would accept every name

    def __getattr__(name):
        """Load a module on first access, so that `import c4mcts` is enough."""
        from importlib import import_module

        if name in _SUBMODULES:
            return import_module(f".{name}", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *_SUBMODULES})
