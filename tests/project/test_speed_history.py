"""The cases of bench/history run; asv would only count one that fails as failed."""

import importlib.util
import inspect
import itertools
from pathlib import Path

import pytest

SPEED = Path(__file__).parents[2] / "bench/history/speed.py"


def cases():
    """Class, name of the method and parameters, as asv finds them."""
    spec = importlib.util.spec_from_file_location("speed", SPEED)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, case in inspect.getmembers(module, inspect.isclass):
        if case.__module__ != "speed":
            continue
        axes = getattr(case, "params", ())
        axes = axes if not axes or isinstance(axes[0], list | tuple) else (axes,)
        for method in dir(case):
            if method.startswith("time_"):
                for values in itertools.product(*axes):
                    yield pytest.param(case, method, values, id="-".join([name, method, *map(str, values)]))


@pytest.mark.native
@pytest.mark.parametrize(("case", "method", "values"), list(cases()))
def test_a_case_runs(case, method, values):
    benchmark = case()
    if hasattr(benchmark, "setup"):
        benchmark.setup(*values)
    getattr(benchmark, method)(*values)
