"""A small network for tests of evaluators, and what must be true of an evaluator that runs it."""

import pickle

import numpy as np

from c4mcts import Board, Engine, PuctParams
from c4mcts.board.positions import planes_of

PARAMS = PuctParams(batch_size=4)
CELLS, WIDTH = 84, 7


def weights_of(seed=1):
    """Weights of a network with one hidden layer."""
    random = np.random.default_rng(seed)
    shapes = {"hidden": (CELLS, 16), "policy": (16, WIDTH), "value": (16, 1)}
    return {name: random.normal(scale=0.3, size=shape).astype(np.float32) for name, shape in shapes.items()}


def network(weights, planes, maths=np):
    """Logits and values of the network."""
    hidden = maths.maximum(planes.reshape(len(planes), -1) @ weights["hidden"], 0)
    return hidden @ weights["policy"], maths.tanh(hidden @ weights["value"])


def jax_network(weights, planes):
    """The network in JAX."""
    import jax.numpy

    return network(weights, planes, jax.numpy)


def onnx_model(weights, outputs=("logits", "values")):
    """The network, with some of its outputs, as the bytes of an ONNX model."""
    from onnx import TensorProto, helper, numpy_helper

    steps = """Flatten planes cells; MatMul cells hidden sums; Relu sums features; MatMul features policy logits;
        MatMul features value ends; Tanh ends values"""
    nodes = [helper.make_node(kind, inputs, [output]) for kind, *inputs, output in map(str.split, steps.split(";"))]
    shapes = {"planes": ["B", 2, 6, 7], "logits": ["B", 7], "values": ["B", 1]}
    infos = {name: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()}
    initial = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "g", [infos["planes"]], [infos[name] for name in outputs], initial)
    model = helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 20)])
    return model.SerializeToString()


def __getattr__(name):
    """The network as a module of PyTorch, which is imported only for it; also where an evaluator is unpickled."""
    if name != "Module":
        raise AttributeError(name)
    import torch

    class Module(torch.nn.Module):
        def __init__(self, weights):
            super().__init__()
            for name, array in weights.items():
                setattr(self, name, torch.nn.Parameter(torch.from_numpy(array.copy())))
            self.dropout = torch.nn.Dropout(0.5)

        def forward(self, planes):
            hidden = self.dropout(torch.relu(planes.flatten(1) @ self.hidden))
            # hidden @ policy, with 7 columns, rounds differently from row to row
            logits = torch.nn.functional.linear(hidden, self.policy.T.contiguous())
            return logits, torch.tanh(hidden @ self.value)

    Module.__qualname__ = name
    globals()[name] = Module
    return Module


def batch(*games):
    """Planes and legal columns of positions."""
    boards = [Board.from_pons(moves) for moves in games]
    legal = np.array([[column in board.legal_columns for column in range(WIDTH)] for board in boards])
    return planes_of(boards), legal


BATCH = batch("", "4453", "111111", "112233")


def expected(weights, planes, legal):
    """Priors and values by the definition, in double precision."""
    logits, values = network({name: array.astype(float) for name, array in weights.items()}, planes.astype(float))
    priors = np.exp(logits) * legal
    return priors / priors.sum(1, keepdims=True), values[:, 0]


def check(evaluator, weights):
    """An evaluator of the network gives what the definition gives, however it is called."""
    for planes, legal in (BATCH, batch("4")):
        direct = expected(weights, planes, legal)
        for found in (evaluator(planes, legal), evaluator.submit(planes, legal).result()):
            for one, other, shape in zip(found, direct, [legal.shape, (len(legal),)], strict=True):
                assert one.shape == shape
                assert one.dtype == np.float32
                np.testing.assert_allclose(one, other, atol=2e-6)
            assert not found[0][~legal].any()
    pending = [evaluator.submit(*BATCH) for _ in range(20)]
    for handle in pending:
        np.testing.assert_array_equal(handle.result()[0], pending[0].result()[0])
        assert handle.result()[0] is handle.result()[0], "the answer is kept"
    again = pickle.loads(pickle.dumps(evaluator))
    np.testing.assert_array_equal(again(*BATCH)[0], evaluator(*BATCH)[0])
    assert again.fingerprint == evaluator.fingerprint
    assert Engine(PARAMS, seed=1, evaluator=evaluator).search(Board.from_pons("112233"), simulations=20).column == 3


def check_fingerprints(made):
    """Equal weights have equal fingerprints; a change of the last bit of a number makes another."""
    assert made(weights_of()).fingerprint == made(weights_of()).fingerprint
    changed = weights_of()
    changed["value"].view(np.uint32)[0, 0] ^= 1
    assert len({made(weights).fingerprint for weights in (weights_of(), weights_of(2), changed)}) == 3
