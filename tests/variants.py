"""Parameters whose settings no class of the package has together."""

from dataclasses import fields
from functools import cached_property


def variant(params, **settings):
    """A copy that gives the backends other `_layout.Settings`, which files do not keep: they name an algorithm."""

    class Variant(type(params)):
        @cached_property
        def settings(self):
            return super().settings._replace(**settings)

    return Variant(**{field.name: getattr(params, field.name) for field in fields(params)})
