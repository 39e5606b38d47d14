"""JaxEvaluator: against direct calls of the network."""

from functools import partial

import pytest
from networks import check, check_fingerprints, jax_network, weights_of

from c4mcts.evaluators import JaxEvaluator


@pytest.mark.filterwarnings("default")  # JAX's own
def test_jax_evaluator():
    pytest.importorskip("jax")
    check(JaxEvaluator(jax_network, weights_of()), weights_of())
    check_fingerprints(partial(JaxEvaluator, jax_network))
    with pytest.raises(TypeError, match="apply must be callable, not 3"):
        JaxEvaluator(3, {})
