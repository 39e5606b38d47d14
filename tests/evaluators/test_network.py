"""What all evaluators with a network have in common, tested with those of NumPy."""

import threading
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np
import pytest
from disks import posix
from networks import BATCH, batch, check, check_fingerprints, jax_network, network, weights_of

from c4mcts.evaluators import JaxEvaluator, NumpyEvaluator


@pytest.mark.filterwarnings("default")  # JAX's own
@pytest.mark.parametrize(("kind", "apply"), [(NumpyEvaluator, network), (JaxEvaluator, jax_network)])
def test_an_evaluator_of_a_function(kind, apply):
    if kind is JaxEvaluator:
        pytest.importorskip("jax")
    check(kind(apply, weights_of()), weights_of())
    check_fingerprints(partial(kind, apply))
    with pytest.raises(TypeError, match="apply must be callable, not 3"):
        kind(3, {})


def test_fingerprints_depend_on_names_types_and_shapes():
    zeros = np.zeros((2, 3), np.float32)
    trees = [{"a": zeros}, {"b": zeros}, {"a": zeros.T}, {"a": zeros.astype(np.int32)}, {"a": [zeros]}, [zeros], zeros]
    assert len({NumpyEvaluator(network, tree).fingerprint for tree in trees}) == len(trees)
    one = NumpyEvaluator(network, {"a": zeros, "b": np.ones(2)})
    assert one.fingerprint == NumpyEvaluator(network, {"b": np.ones(2), "a": zeros.astype(">f4")}).fingerprint
    assert one.fingerprint.startswith("caa4e6df46fa2fc8"), "the same on every machine"


@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        ((np.zeros((4, 6)), np.zeros(4)), r"logits must have the shape \(4, 7\), not \(4, 6\)"),
        (np.zeros((2, 7)), r"must return \(logits, values\), not a ndarray"),
        ((np.zeros((4, 7)),), r"must return \(logits, values\), not a tuple"),
    ],
)
def test_wrong_outputs(outputs, words):
    evaluator = NumpyEvaluator(lambda weights, planes: outputs, {})
    for call in (lambda: evaluator(*BATCH), lambda: evaluator.submit(*BATCH).result()):
        with pytest.raises(ValueError, match=f"the network('s)? {words}"):
            call()


def test_large_logits_and_rows_without_legal_columns():
    evaluator = NumpyEvaluator(lambda weights, planes: (1e4 * np.arange(7) * np.ones((4, 1)), np.zeros(4)), {})
    legal = np.ones((4, 7), bool)
    legal[1, 6], legal[2] = False, False
    priors, _ = evaluator(BATCH[0], legal)
    assert priors[0].tolist() == [0, 0, 0, 0, 0, 0, 1]
    assert priors[1].tolist() == [0, 0, 0, 0, 0, 1, 0]
    assert np.isfinite(priors).all()


def test_a_cpu_works_in_a_thread_of_its_own_batch_after_batch():
    threads, lock, running, both_wait = set(), threading.Lock(), [], threading.Event()

    def slow(weights, planes):
        assert lock.acquire(blocking=False), "two batches at once"
        threads.add(threading.get_ident())
        running.append(len(planes))
        assert both_wait.wait(20)
        lock.release()
        return network(weights, planes)

    evaluator = NumpyEvaluator(slow, weights_of())
    first = evaluator.submit(*BATCH)
    second = evaluator.submit(*batch("4"))
    both_wait.set()
    assert second.result()[0].shape == (1, 7)
    assert first.result()[0].shape == (4, 7)
    assert running == [4, 1]
    assert len(threads) == 1
    assert threading.get_ident() not in threads


@posix
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_a_thread_of_its_own():
    evaluator = NumpyEvaluator(network, weights_of())
    evaluator.submit(*BATCH).result()
    with ProcessPoolExecutor(1, mp_context=get_context("fork"), initializer=keep, initargs=[evaluator]) as processes:
        np.testing.assert_array_equal(processes.submit(kept_answer).result(timeout=20), evaluator(*BATCH)[0])


def keep(evaluator):
    global KEPT
    KEPT = evaluator


def kept_answer():
    return KEPT.submit(*BATCH).result()[0]
