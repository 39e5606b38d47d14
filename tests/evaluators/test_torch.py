"""TorchEvaluator: against direct calls of its module, on a CPU, and on a GPU if there is one."""

import networks
import numpy as np
import pytest
from networks import BATCH, check, check_fingerprints, expected, network, weights_of

from c4mcts.evaluators import TorchEvaluator


@pytest.fixture
def torch():
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    return torch


def test_torch_evaluator(torch):
    check(TorchEvaluator(networks.Module(weights_of())), weights_of())
    check_fingerprints(lambda weights: TorchEvaluator(networks.Module(weights)))


def test_a_torch_module_can_be_trained_on(torch):
    module = networks.Module(weights_of()).train()
    evaluator = TorchEvaluator(module)
    before, fingerprint = evaluator(*BATCH)[0], evaluator.fingerprint
    with torch.no_grad():
        module.policy += 1
    assert np.array_equal(evaluator(*BATCH)[0], before)
    assert evaluator.fingerprint == fingerprint != TorchEvaluator(module).fingerprint
    assert module.training
    assert all(weight.requires_grad for weight in module.parameters())


def test_torch_types(torch):
    module = networks.Module(weights_of())
    for dtype in ("bfloat16", torch.bfloat16, "float64"):
        evaluator = TorchEvaluator(module, dtype=dtype)
        assert evaluator.fingerprint != TorchEvaluator(module).fingerprint
        priors, values = evaluator(*BATCH)
        assert priors.dtype == values.dtype == np.float32
        np.testing.assert_allclose(priors, expected(weights_of(), *BATCH)[0], atol=0.05)
    assert module.policy.dtype == torch.float32
    planes = BATCH[0].copy()
    planes.flags.writeable = False
    assert np.array_equal(TorchEvaluator(module)(planes, BATCH[1])[0], TorchEvaluator(module)(*BATCH)[0])


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"device": "cuda:77"}, ValueError, "device must be a device that PyTorch can use, not 'cuda:77': "),
        ({"dtype": "int8"}, ValueError, "dtype must be a floating-point type of PyTorch, .* not 'int8'"),
        ({"compile": 3}, TypeError, "compile must be True or False, not 3"),
        ({"threads": 0}, ValueError, "threads must be at least 1, not 0"),
    ],
)
def test_wrong_torch_options(torch, options, error, words):
    with pytest.raises(error, match=f"^{words}"):
        TorchEvaluator(networks.Module(weights_of()), **options)
    with pytest.raises(TypeError, match=r"module must be a torch.nn.Module, not <function"):
        TorchEvaluator(network, **options)


def test_a_torch_module_of_the_wrong_shape(torch):
    with pytest.raises(ValueError, match=r"the network must return \(logits, values\), not a Tensor"):
        TorchEvaluator(torch.nn.Flatten())(*BATCH)


def test_torch_on_a_gpu(torch):
    if not torch.cuda.is_available():
        pytest.skip("there is no CUDA device")
    evaluator = TorchEvaluator(networks.Module(weights_of()), device="cuda")
    torch.backends.cuda.matmul.allow_tf32 = False
    check(evaluator, weights_of())
    check(TorchEvaluator(networks.Module(weights_of()), device="cuda", compile=True), weights_of())


def test_torch_uses_its_own_number_of_threads_and_leaves_that_of_the_caller(torch):
    counts, module = [], networks.Module(weights_of())
    module.register_forward_hook(lambda *_: counts.append(torch.get_num_threads()))
    evaluator = TorchEvaluator(module, threads=2)
    torch.set_num_threads(3)
    evaluator(*BATCH)
    evaluator.submit(*BATCH).result()
    assert counts == [2, 2]
    assert torch.get_num_threads() == 3
    TorchEvaluator(module)(*BATCH)
    assert counts == [2, 2, 1]
