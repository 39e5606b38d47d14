"""JaxEvaluator: a function of JAX, such as a Flax model's `apply`, as an evaluator."""

from collections.abc import Callable
from operator import itemgetter
from typing import Any

import numpy as np

from .._validation import function
from .network import Finish, NetworkEvaluator, Outputs, Planes, described, fingerprint_of, required


class JaxEvaluator(NetworkEvaluator):
    """A function apply(variables, planes) -> (logits, values) as an evaluator; see NetworkEvaluator.

    apply: compiled by jax.jit, once for each batch size. variables: any tree of arrays; it stays on its device, or
    moves to the default one.

    JAX returns before the work is done, so `submit` needs no thread.

    Raises ImportError without JAX, TypeError.
    """

    def __init__(self, apply: Callable[[Any, Any], Outputs], variables: Any) -> None:
        jax = required("jax", "JaxEvaluator", "jax")
        super().__init__(is_async=True)
        self._apply = function("apply", apply)
        self._variables = jax.tree_util.tree_map(jax.numpy.asarray, variables)
        self._compiled = jax.jit(apply)

    def _begin(self, planes: Planes) -> Finish:
        outputs = self._compiled(self._variables, planes)
        return lambda: outputs

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the variables, in the order of their paths."""
        from jax.tree_util import keystr, tree_flatten_with_path

        named = [(keystr(path), leaf) for path, leaf in tree_flatten_with_path(self._variables)[0]]
        leaves = sorted(named, key=itemgetter(0))
        return fingerprint_of(described(name, leaf) for name, leaf in leaves)

    def __reduce__(self) -> tuple[Any, ...]:
        from jax.tree_util import tree_map

        return type(self), (self._apply, tree_map(np.asarray, self._variables))
