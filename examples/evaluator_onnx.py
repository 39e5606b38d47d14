"""A model in the ONNX format, run by ONNX Runtime, as the evaluator of a search.

python examples/evaluator_onnx.py network.onnx      (without a file it uses a model with random weights)

The model takes "planes" (B, 2, height, width) and returns "logits" (B, width) and "values" (B,) in [-1, 1].
"""

import sys

import numpy as np

from c4mcts import Board, Engine, PuctParams
from c4mcts.evaluators import OnnxEvaluator


def random_model(width=7, height=6, seed=1):
    """The bytes of a model with one layer of random weights."""
    from onnx import TensorProto, helper, numpy_helper

    weights = np.random.default_rng(seed).normal(scale=0.1, size=(2 * height * width, width + 1)).astype(np.float32)
    constants = {"policy": weights[:, :width], "value": weights[:, width:], "last": np.array([1])}
    steps = """Flatten planes cells; MatMul cells policy logits; MatMul cells value sums; Tanh sums ends;
        Squeeze ends last values"""
    words = [step.split() for step in steps.split(";")]
    nodes = [helper.make_node(kind, inputs, [output]) for kind, *inputs, output in words]
    shapes = {"planes": ["B", 2, height, width], "logits": ["B", width], "values": ["B"]}
    put, *get = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    initial = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    graph = helper.make_graph(nodes, "evaluator", [put], get, initial)
    return helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 20)]).SerializeToString()


def main(*files):
    model = files[0] if files else random_model()
    params = PuctParams()
    print(Engine(params, seed=1, evaluator=OnnxEvaluator(model)).search(Board.from_pons("4453"), simulations=800))


if __name__ == "__main__":
    main(*sys.argv[1:])
