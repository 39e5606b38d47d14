"""OnnxEvaluator: against direct calls of the network, with ONNX Runtime and with a stand-in for it."""

import pickle
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from networks import BATCH, check, check_fingerprints, network, weights_of

from c4mcts import PolicyValueNetwork
from c4mcts.evaluators import OnnxEvaluator


@pytest.fixture
def onnx_file(tmp_path):
    """A function that writes the network, with some of its outputs, as an ONNX model."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    from onnx import TensorProto, helper, numpy_helper

    def written(weights, outputs=("logits", "values")):
        steps = """Flatten planes cells; MatMul cells hidden sums; Relu sums features; MatMul features policy logits;
            MatMul features value ends; Tanh ends values"""
        nodes = [helper.make_node(kind, inputs, [output]) for kind, *inputs, output in map(str.split, steps.split(";"))]
        shapes = {"planes": ["B", 2, 6, 7], "logits": ["B", 7], "values": ["B", 1]}
        infos = {name: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()}
        initial = [numpy_helper.from_array(array, name) for name, array in weights.items()]
        graph = helper.make_graph(nodes, "g", [infos["planes"]], [infos[name] for name in outputs], initial)
        model = helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 20)])
        path = tmp_path / "model.onnx"
        path.write_bytes(model.SerializeToString())
        return path

    return written


def test_onnx_evaluator(onnx_file):
    check(OnnxEvaluator(onnx_file(weights_of())), weights_of())
    check_fingerprints(lambda weights: OnnxEvaluator(onnx_file(weights)))
    path = onnx_file(weights_of(), ["logits"])
    with pytest.raises(ValueError, match="path: the model must have one input and two outputs"):
        OnnxEvaluator(path)
    path = onnx_file(weights_of())
    with pytest.raises(ValueError, match="path: ONNX Runtime can't load the model: "):
        OnnxEvaluator(path.read_bytes()[:-5])
    assert OnnxEvaluator(path.read_bytes()).fingerprint == OnnxEvaluator(str(path)).fingerprint
    shipped = PolicyValueNetwork.load()
    for one, other in zip(OnnxEvaluator(shipped.to_onnx())(*BATCH), shipped(*BATCH), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


class FakeRuntime:
    """What OnnxEvaluator uses of ONNX Runtime; a model is the pickled names of its outputs and its weights."""

    def __init__(self, *providers):
        self.get_providers = lambda: list(providers)
        self.SessionOptions = SimpleNamespace

    def InferenceSession(self, model, options, providers):
        self.options = options
        outputs, self.weights = pickle.loads(model)
        self.get_inputs = lambda: [SimpleNamespace(name="planes")]
        self.get_outputs = lambda: [SimpleNamespace(name=name) for name in outputs]
        return self

    def run(self, names, inputs):
        assert names == ["logits", "values"]
        return list(network(self.weights, inputs["planes"]))


def test_an_onnx_evaluator_without_onnx(monkeypatch, tmp_path):
    runtime = FakeRuntime("CPUExecutionProvider")
    monkeypatch.setitem(sys.modules, "onnxruntime", runtime)
    model = pickle.dumps((["logits", "values"], weights_of()))
    check(OnnxEvaluator(model, threads=2), weights_of())
    assert runtime.options.intra_op_num_threads == 2
    (tmp_path / "model.onnx").write_bytes(model)
    assert OnnxEvaluator(tmp_path / "model.onnx").fingerprint == OnnxEvaluator(model).fingerprint
    for providers in (["CUDAExecutionProvider", "CPUExecutionProvider"], []):
        with pytest.raises(ValueError, match=r"providers must be names .* used here: CPUExecutionProvider, not \["):
            OnnxEvaluator(model, providers=providers)
    with pytest.raises(ValueError, match="path: ONNX Runtime can't load the model: pickle data was truncated"):
        OnnxEvaluator(model[:-5])
    with pytest.raises(ValueError, match=r"must have one input and two outputs, not \['planes'\] and \['logits'\]"):
        OnnxEvaluator(pickle.dumps((["logits"], weights_of())))
    with pytest.raises(TypeError, match="providers must be a sequence of names"):
        OnnxEvaluator(model, providers="CPUExecutionProvider")
    with pytest.raises(ValueError, match="threads must be at least 1"):
        OnnxEvaluator(model, threads=0)
