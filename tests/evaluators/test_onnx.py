"""OnnxEvaluator: against direct calls of the network."""

import numpy as np
import pytest
from networks import BATCH, check, check_fingerprints, weights_of

from c4mcts import PolicyValueNetwork
from c4mcts.evaluators import OnnxEvaluator


@pytest.fixture
def onnx_file(tmp_path):
    """A function that writes the network, with some of its outputs, as an ONNX model."""
    pytest.importorskip("onnxruntime")
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
    check(OnnxEvaluator(onnx_file(weights_of()), threads=2), weights_of())
    check_fingerprints(lambda weights: OnnxEvaluator(onnx_file(weights)))
    path = onnx_file(weights_of())
    assert OnnxEvaluator(path.read_bytes()).fingerprint == OnnxEvaluator(str(path)).fingerprint
    shipped = PolicyValueNetwork.load()
    for one, other in zip(OnnxEvaluator(shipped.to_onnx())(*BATCH), shipped(*BATCH), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


def test_what_it_does_not_take(onnx_file, monkeypatch):
    model = onnx_file(weights_of()).read_bytes()
    with pytest.raises(ValueError, match=r"ONNX Runtime can't load the model: .*'NoExecutionProvider' is not in"):
        OnnxEvaluator(model, providers=["NoExecutionProvider"])
    with pytest.raises(ValueError, match="ONNX Runtime can't load the model: "):
        OnnxEvaluator(model[:-5])
    monkeypatch.setattr("onnxruntime.InferenceSession.get_providers", lambda session: ["CPUExecutionProvider"])
    for providers in (["AzureExecutionProvider", "CPUExecutionProvider"], []):
        with pytest.raises(ValueError, match=r"providers must be names .* used here: CPUExecutionProvider, not \["):
            OnnxEvaluator(model, providers=providers)
    with pytest.raises(ValueError, match=r"must have one input and two outputs, not \['planes'\] and \['logits'\]"):
        OnnxEvaluator(onnx_file(weights_of(), ["logits"]))
    with pytest.raises(TypeError, match="providers must be a sequence of names"):
        OnnxEvaluator(model, providers="CPUExecutionProvider")
    with pytest.raises(ValueError, match="threads must be at least 1"):
        OnnxEvaluator(model, threads=0)
