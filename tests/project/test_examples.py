"""The examples run, and do what they claim."""

import importlib
import itertools
import pickle
import re
import runpy
from functools import partial, reduce
from operator import xor
from pathlib import Path

import numpy as np
import pytest
from foreign import foreign
from networks import batch

from c4mcts import Board, Engine, PuctParams, SearchParams, study
from c4mcts.games import GameSearch

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def nim():
    return runpy.run_path(str(EXAMPLES / "nim.py"))


def test_nim_plays_to_the_end(nim, capsys):
    nim["main"]([1, 2, 4])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "[1, 2, 4]: player 0 takes 1 from pile 2, value 0.97"
    assert lines[-1] == "player 0 wins"


def test_nim_is_played_perfectly(nim):
    """A position is lost if the xor of its piles is 0: Bouton, "Nim, a game with a complete mathematical theory"."""
    for piles in itertools.product(range(3), repeat=3):
        if any(piles):
            game = nim["Nim"](piles)
            game.push(GameSearch(game, seed=1).search(simulations=1000).move)
            assert reduce(xor, game.piles) == 0 or reduce(xor, piles) == 0, piles


# Kaggle


def test_the_search_beats_a_careful_agent(example, capsys):
    example("kaggle").main(games=2, seconds=0.15)
    assert capsys.readouterr().out.splitlines()[0] == "7x6x4: 2 won, 0 drawn, 0 lost"


# PettingZoo


def test_an_agent_learns_from_games_against_a_search(example, capsys):
    foreign("pettingzoo")
    example("pettingzoo_agent").main("uct@20", games=400, rounds=1)
    before, after = (int(share) for share in re.findall(r"(\d+)% against uct@20", capsys.readouterr().out))
    assert after > before


# Ray


def test_the_guide_has_the_executor_for_ray():
    guide = (EXAMPLES.parent / "docs/guide/scaling.md").read_text(encoding="utf-8")
    assert (EXAMPLES / "ray_executor.py").read_text(encoding="utf-8") in guide


@pytest.mark.filterwarnings("default")  # Ray's own
def test_ray_gives_the_same_as_threads(example):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        call = partial(study.action_frequency, Board(), SearchParams.preset("uct"), simulations=500, runs=8, seed=1)
        with example("ray_executor").RayExecutor(num_cpus=1) as executor:
            assert np.array_equal(call(executor=executor).columns, call().columns)
            with pytest.raises(ZeroDivisionError):
                executor.submit(divmod, 1, 0).result()
            with pytest.raises(KeyboardInterrupt):
                call(executor=executor, progress=interrupted)
    finally:
        ray.shutdown()


def interrupted(done, total):
    """Stop after two searches."""
    if done == 2:
        raise KeyboardInterrupt


# evaluators


@pytest.fixture
def example(monkeypatch):
    """A function that imports an example as a module."""
    monkeypatch.syspath_prepend(EXAMPLES)
    return importlib.import_module


def winning_column(evaluator):
    """The column of a short search in a position with one winning column."""
    params = PuctParams(batch_size=4)
    return Engine(params, seed=1, evaluator=evaluator).search(Board.from_pons("112233"), simulations=20).column


def test_numpy_evaluator(example, capsys):
    module = example("evaluator_numpy")
    assert module.lines_through(6, 7).tolist()[:3] == [
        [3, 4, 5, 7, 5, 4, 3],
        [4, 6, 8, 10, 8, 6, 4],
        [5, 8, 11, 13, 11, 8, 5],
    ]
    priors, values = module.evaluator(*batch("41414114121", "47474774767"))  # mirror images, one with column 0 full
    assert priors[0, 0] == 0
    assert priors[0, 3] == 1 + 10, "the fifth disc of the middle"
    assert values[0] == values[1]
    assert values[0] < 0, "the other has the middle"
    assert winning_column(module.evaluator) == 3
    module.main()
    assert "800 simulations" in capsys.readouterr().out


def evaluator_of_torch(module):
    import torch

    torch.set_num_threads(1)  # faster for such small networks
    torch.manual_seed(3)
    return module.TorchEvaluator(module.Network())


@pytest.mark.parametrize(
    ("package", "make"),
    [
        ("torch", evaluator_of_torch),
        ("onnxruntime", lambda module: module.OnnxEvaluator(module.random_model())),
    ],
)
def test_evaluators_of_other_packages(example, capsys, tmp_path, package, make):
    pytest.importorskip(package)
    module = example(f"evaluator_{package.removesuffix('runtime')}")
    evaluator = make(module)
    priors, values = evaluator(*batch("111111"))
    assert priors[0, 0] == 0
    assert (priors[0, 1:] > 0).all()
    assert -1 < values[0] < 1
    again, _ = pickle.loads(pickle.dumps(evaluator))(*batch("111111"))
    assert np.array_equal(again, priors)
    assert winning_column(evaluator) == 3
    if package == "onnxruntime":
        (tmp_path / "model.onnx").write_bytes(module.random_model())
        module.main(tmp_path / "model.onnx")
    else:
        module.main()
    assert "800 simulations" in capsys.readouterr().out
