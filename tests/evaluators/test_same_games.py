"""Games of a network are the same, to the last bit, whatever runs them, and searches are those of an engine."""

import os
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_all_start_methods, get_context

import networks
import numpy as np
import pytest
from datasets import same
from networks import jax_network, network, onnx_model, weights_of

from c4mcts import Engine, SearchParams
from c4mcts.evaluators import FixedBatches, JaxEvaluator, NumpyEvaluator, OnnxEvaluator, TorchEvaluator
from c4mcts.selfplay import BatchParams, generate, search_many

pytestmark = [
    pytest.mark.native,
    pytest.mark.filterwarnings("default"),  # those of JAX, and of Python for a process that is forked
]
EVALUATORS = {
    "numpy": lambda: NumpyEvaluator(network, weights_of()),
    "torch": lambda: TorchEvaluator(networks.Module(weights_of())),
    "onnxruntime": lambda: OnnxEvaluator(onnx_model(weights_of())),
    "jax": lambda: JaxEvaluator(jax_network, weights_of()),
}
PUCT = SearchParams.preset("alphazero", batch_size=1, root_noise=None)
TWO = BatchParams(concurrent=2)  # so that there is a job for each worker


@pytest.fixture
def library(request):
    pytest.importorskip(request.param)
    return request.param


@pytest.fixture
def play(library):
    return partial(generate, 10, simulations=12, params=PUCT, seed=1, evaluator=EVALUATORS[library]())


@pytest.mark.parametrize("library", EVALUATORS, indirect=True)
def test_games_are_the_same_in_threads_in_processes_and_after_an_interruption(library, play, tmp_path):
    data = play()
    assert data.is_reproducible
    assert same(play(batches=TWO), data)
    for workers in (1, 2, 3):
        with ThreadPoolExecutor(workers) as threads:
            assert same(play(executor=threads, batches=TWO), data)
    for start in get_all_start_methods():
        if start == "fork" and "jax" in sys.modules:
            continue  # a process that is forked where the threads of JAX are running may hang, as JAX warns
        with ProcessPoolExecutor(2, mp_context=get_context(start)) as processes:
            assert same(play(executor=processes, batches=TWO), data), start
    with pytest.raises(InterruptedError):
        play(out=tmp_path / "games", batches=TWO, progress=interrupt)
    assert os.listdir(tmp_path / "games") == ["unfinished.sqlite"]
    assert same(play(out=tmp_path / "games"), data)


def interrupt(finished, _):
    if finished == 4:
        raise InterruptedError


@pytest.mark.parametrize("library", EVALUATORS, indirect=True)
def test_searches_are_to_the_last_bit_those_of_an_engine(library):
    evaluator, boards = FixedBatches(EVALUATORS[library](), 16), ["", "44", "112233", "4444", "345"]
    found = search_many(boards, evaluator, PUCT, simulations=60, seed=1)
    for i, moves in enumerate(boards):
        engine = Engine(PUCT, seed=np.random.SeedSequence(1, spawn_key=(i,)), evaluator=evaluator)
        result = engine.search(moves, simulations=60)
        assert [move.visits for move in result.moves] == found.visits[i].tolist()
        assert np.array_equal(np.float32([move.prior for move in result.moves]), found.prior[i])
