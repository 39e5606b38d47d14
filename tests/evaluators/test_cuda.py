"""The way of a batch to a CUDA device and back, with a stand-in for PyTorch: order, memory, errors."""

import gc
import sys
import weakref

import cuda_stub
import numpy as np
import pytest
from cuda_stub import CUDA, Module

from c4mcts import SearchParams
from c4mcts.evaluators import FixedBatches, TorchEvaluator
from c4mcts.selfplay import BatchParams, generate, search_many


class Sums(Module):
    """Logits: the discs of the player to move by column; the value: their number, above the opponent's."""

    def forward(self, planes):
        logits = planes._result(lambda array: array[:, 0].sum(axis=1))
        return logits, planes._result(lambda array: np.tanh(array[:, 0].sum((1, 2)) - array[:, 1].sum((1, 2)))[:, None])


@pytest.fixture(autouse=True)
def torch(monkeypatch):
    found = cuda_stub.stub()
    monkeypatch.setitem(sys.modules, "torch", found)
    return found


def batch_of(n, seed=1):
    draw = np.random.default_rng(seed)
    return draw.integers(0, 2, (n, 2, 6, 7)).astype(np.float32), draw.random((n, 7)) < 0.8


def expected(planes, legal):
    logits = np.where(legal, planes[:, 0].sum(axis=1), -1e30)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True), np.tanh(planes[:, 0].sum((1, 2)) - planes[:, 1].sum((1, 2)))


def require(answer, planes, legal):
    for found, right in zip(answer, expected(planes, legal), strict=True):
        np.testing.assert_allclose(found, right, atol=1e-5)


def evaluator_of(module=None):
    return TorchEvaluator(module or Sums(), device="cuda")


def test_batches_of_any_size_share_few_graphs():
    evaluator = evaluator_of()
    for n in (5, 8, 6, 1, 2):
        require(evaluator(*batch_of(n)), *batch_of(n))
    assert CUDA.log.count("capture") == 3  # for 8, 1 and 2 rows
    assert CUDA.log.count("replay") == 5
    assert (evaluator.no_graph, evaluator.preferred_batch) == ("", 4096)


def test_several_batches_are_under_way():
    evaluator = evaluator_of()
    batches = [batch_of(8, seed) for seed in range(4)]
    pending = [evaluator.submit(*batch) for batch in batches]
    assert len(CUDA.queue) > 0, "nothing has been waited for"
    for wait, batch in reversed(list(zip(pending, batches, strict=True))):
        require(wait.result(), *batch)
        require(wait.result(), *batch)  # asked again
    assert CUDA.log.count("capture") == 4  # each has its own memory
    require(evaluator(*batches[0]), *batches[0])
    assert CUDA.log.count("capture") == 4  # which is used again


def test_given_memory_is_not_copied():
    evaluator = evaluator_of()
    (planes, legal), (others, other_legal) = (evaluator.buffers((6, 2, 6, 7), 7) for _ in range(2))
    for seed in range(3):
        first, second = batch_of(6, seed), batch_of(6, seed + 10)
        planes[:], legal[:] = first
        waiting = evaluator.submit(planes, legal)
        others[:], other_legal[:] = second
        later = evaluator.submit(others[:4], other_legal[:4])  # without padding
        require(waiting.result(), *first)
        require(later.result(), second[0][:4], second[1][:4])
    assert CUDA.log.count("capture") == 2
    mask = ~legal  # another array than that of the memory
    require(evaluator(planes, mask), planes, mask)
    memory = [weakref.ref(planes), weakref.ref(others)]
    del planes, others, waiting, later
    gc.collect()
    assert [reference() for reference in memory] == [None, None], "the evaluator keeps what is no longer used"


class Waits(Sums):
    """A network that asks the device for a number."""

    def forward(self, planes):
        planes._result(lambda array: array.sum()).item()
        return super().forward(planes)


def test_without_a_graph_the_reason_is_told():
    evaluator = evaluator_of(Waits())
    require(evaluator(*batch_of(8)), *batch_of(8))
    require(evaluator(*batch_of(8, 2)), *batch_of(8, 2))
    assert evaluator.no_graph == "operation not permitted when the stream is capturing"
    assert "replay" not in CUDA.log


class Views(Sums):
    """A network that can't have its channels last."""

    def forward(self, planes):
        if self.formats[-1] == "last":
            raise RuntimeError("view size is not compatible with input tensor's size and stride")
        return super().forward(planes)


def test_a_network_that_looks_at_the_memory_keeps_its_channels_first():
    require(evaluator_of(Views())(*batch_of(8)), *batch_of(8))
    assert [each for each in CUDA.log if each in ("last", "usual")] == ["last", "usual"]


class Large(Sums):
    """A network for which there is no memory with more than four positions."""

    def forward(self, planes):
        if len(planes.array) > 4:
            raise cuda_stub.MemoryFull("out of memory")
        return super().forward(planes)


def test_without_memory_weights_stay_where_graphs_read_them():
    evaluator = evaluator_of(Large())
    require(evaluator(*batch_of(4)), *batch_of(4))
    with pytest.raises(RuntimeError, match="out of memory"):
        evaluator(*batch_of(8))
    assert "usual" not in CUDA.log
    require(evaluator(*batch_of(4)), *batch_of(4))


class Broken(Sums):
    def forward(self, planes):
        raise ZeroDivisionError("no luck")


class Wide(Sums):
    def forward(self, planes):
        logits, values = super().forward(planes)
        return logits.reshape(7, -1), values


@pytest.mark.parametrize(
    ("module", "error", "message"),
    [(Broken, ZeroDivisionError, "no luck"), (Wide, ValueError, r"logits must have the shape \(8, 7\), not \(7, 8\)")],
)
def test_errors_of_a_network_are_raised_where_it_is_asked(module, error, message):
    evaluator = evaluator_of(module())
    for _ in range(2):
        with pytest.raises(error, match=message):
            evaluator.submit(*batch_of(8))


@pytest.mark.native
def test_self_play_is_that_of_any_evaluator():
    """generate and search_many use the evaluator's memory, two groups, and threads; games are the same."""
    evaluator, options = evaluator_of(), {"simulations": 10, "seed": 3}
    found = generate(10, SearchParams.preset("alphazero"), evaluator=FixedBatches(evaluator, 4), **options)
    assert CUDA.log.count("capture") == 3  # one to see whether the answer depends on the row
    plain = generate(
        10,
        SearchParams.preset("alphazero"),
        evaluator=lambda planes, legal: [part.astype(np.float32) for part in expected(planes, legal)],
        batches=BatchParams(concurrent=8),
        **options,
    )
    assert np.array_equal(found.planes, plain.planes)
    searched = search_many(["44", "4453"], evaluator, simulations=30)
    assert searched.visits.sum(axis=1).tolist() == [29, 29]
