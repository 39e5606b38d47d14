"""OnnxEvaluator: a model in the ONNX format as an evaluator, run by ONNX Runtime."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .._files import StrPath, path_of
from .._validation import positive, refused
from .network import Finish, NetworkEvaluator, Planes, required

CPU = ("CPUExecutionProvider",)
MAX_THREADS = 1024


class OnnxEvaluator(NetworkEvaluator):
    """A model with one input, planes, and two outputs, logits and values in this order; see NetworkEvaluator.

    path: of a model in one file, or its bytes; it must accept any batch size that is asked for. providers: names of
    ONNX Runtime's execution providers, the preferred one first, such as "CUDAExecutionProvider", of the package
    onnxruntime-gpu. threads: of one run on a CPU.

    Raises ImportError without ONNX Runtime, TypeError, ValueError naming the argument, OSError.
    """

    def __init__(self, path: StrPath | bytes, providers: Sequence[str] = CPU, threads: int = 1) -> None:
        runtime = required("onnxruntime", "OnnxEvaluator", "onnxruntime")
        super().__init__(is_async=False)
        self._model = path if isinstance(path, bytes) else Path(path_of("path", path)).read_bytes()
        self._providers = _present(runtime, providers)
        self._threads = positive("threads", threads, MAX_THREADS)
        options = runtime.SessionOptions()
        options.intra_op_num_threads = self._threads
        try:
            self._session = runtime.InferenceSession(self._model, options, providers=self._providers)
        except Exception as error:
            reason = str(error).partition("\n")[0]
            raise ValueError(f"path: ONNX Runtime can't load the model: {reason}") from None
        used = self._session.get_providers()
        if used[0] != self._providers[0]:  # ONNX Runtime only prints a warning
            raise ValueError(f"providers: {self._providers[0]} can't be used here, only {', '.join(used)}")
        inputs, outputs = ([one.name for one in get()] for get in (self._session.get_inputs, self._session.get_outputs))
        if len(inputs) != 1 or len(outputs) != 2:
            raise ValueError(f"path: the model must have one input and two outputs, not {inputs} and {outputs}")
        self._input, self._outputs = inputs[0], outputs

    def _begin(self, planes: Planes) -> Finish:
        outputs = self._session.run(self._outputs, {self._input: planes})
        return lambda: outputs

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the model."""
        return hashlib.sha256(self._model).hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._model, self._providers, self._threads)


def _present(runtime: Any, providers: Any) -> list[str]:
    """Names of providers that ONNX Runtime has. TypeError, ValueError."""
    names = [] if isinstance(providers, str) else list(providers)
    if not names or not all(isinstance(name, str) for name in names):
        raise TypeError(refused("providers", "a sequence of names", providers))
    there = runtime.get_available_providers()
    for name in names:
        if name not in there:
            raise ValueError(f"providers: {name!r} is not in this ONNX Runtime, which has {', '.join(there)}")
    return names
