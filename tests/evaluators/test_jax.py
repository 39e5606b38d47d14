"""JaxEvaluator: against direct calls of the network, in JAX and Flax."""

from functools import partial

import numpy as np
import pytest
from networks import BATCH, check, check_fingerprints, network, weights_of

from c4mcts.evaluators import JaxEvaluator


def jax_network(weights, planes):
    """The network in JAX."""
    import jax.numpy

    return network(weights, planes, jax.numpy)


@pytest.mark.filterwarnings("default")  # JAX's own
def test_jax_evaluator():
    pytest.importorskip("jax")
    check(JaxEvaluator(jax_network, weights_of()), weights_of())
    check_fingerprints(partial(JaxEvaluator, jax_network))
    with pytest.raises(TypeError, match="apply must be callable, not 3"):
        JaxEvaluator(3, {})


@pytest.mark.filterwarnings("default")
def test_a_flax_model():
    pytest.importorskip("jax")
    nn = pytest.importorskip("flax.linen")
    import jax

    class Model(nn.Module):
        @nn.compact
        def __call__(self, planes):
            hidden = nn.relu(nn.Dense(16)(planes.reshape(len(planes), -1)))
            return nn.Dense(7)(hidden), nn.tanh(nn.Dense(1)(hidden))

    model = Model()
    variables = model.init(jax.random.key(1), BATCH[0])
    evaluator = JaxEvaluator(model.apply, variables)
    logits, values = model.apply(variables, BATCH[0])
    priors = np.exp(np.asarray(logits)) * BATCH[1]
    np.testing.assert_allclose(evaluator(*BATCH)[0], priors / priors.sum(1, keepdims=True), atol=1e-5)
    np.testing.assert_allclose(evaluator.submit(*BATCH).result()[1], np.asarray(values)[:, 0], atol=1e-5)
