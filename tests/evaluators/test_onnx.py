"""OnnxEvaluator: against direct calls of the network."""

import pytest
from networks import check, check_fingerprints, onnx_model, weights_of

from c4mcts.evaluators import OnnxEvaluator


@pytest.fixture(autouse=True)
def _installed():
    pytest.importorskip("onnxruntime")


def test_onnx_evaluator(tmp_path):
    check(OnnxEvaluator(onnx_model(weights_of()), threads=2), weights_of())
    check_fingerprints(lambda weights: OnnxEvaluator(onnx_model(weights)))
    path = tmp_path / "model.onnx"
    path.write_bytes(onnx_model(weights_of()))
    assert OnnxEvaluator(path.read_bytes()).fingerprint == OnnxEvaluator(str(path)).fingerprint


def test_what_it_does_not_take(monkeypatch):
    model = onnx_model(weights_of())
    with pytest.raises(ValueError, match=r"ONNX Runtime can't load the model: .*'NoExecutionProvider' is not in"):
        OnnxEvaluator(model, providers=["NoExecutionProvider"])
    with pytest.raises(ValueError, match="ONNX Runtime can't load the model: "):
        OnnxEvaluator(model[:-5])
    monkeypatch.setattr("onnxruntime.InferenceSession.get_providers", lambda session: ["CPUExecutionProvider"])
    for providers in (["AzureExecutionProvider", "CPUExecutionProvider"], []):
        with pytest.raises(ValueError, match=r"providers must be names .* used here: CPUExecutionProvider, not \["):
            OnnxEvaluator(model, providers=providers)
    with pytest.raises(ValueError, match=r"must have one input and two outputs, not \['planes'\] and \['logits'\]"):
        OnnxEvaluator(onnx_model(weights_of(), ["logits"]))
    with pytest.raises(TypeError, match="providers must be a sequence of names"):
        OnnxEvaluator(model, providers="CPUExecutionProvider")
    with pytest.raises(ValueError, match="threads must be at least 1"):
        OnnxEvaluator(model, threads=0)
