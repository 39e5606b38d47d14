"""Evaluators that run a network: a PyTorch module, an ONNX model, a JAX function, or a function of NumPy.

FixedBatches asks any evaluator about the same number of positions each time.

>>> import numpy as np
>>> from c4mcts.evaluators import NumpyEvaluator
>>> def linear(weights, planes):
...     sums = planes.reshape(len(planes), -1) @ weights["dense"]
...     return sums[:, 1:], np.tanh(sums[:, 0])
>>> evaluator = NumpyEvaluator(linear, {"dense": np.zeros((84, 8), np.float32)})
>>> priors, values = evaluator(np.zeros((1, 2, 6, 7), np.float32), np.ones((1, 7), bool))
>>> priors.shape, float(values[0])
((1, 7), 0.0)

Each imports its package when it is created.
"""

import copy
import hashlib
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._cuda import ILLEGAL, CudaBatches
from ._files import StrPath, path_of
from ._named import installed_by
from ._platform import processors
from ._validation import an_instance, flag, function, members, must_be, positive
from .search.evaluation import Answer, Arrays, Started
from .search.fixed_batches import FixedBatches

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

__all__ = ["FixedBatches", "JaxEvaluator", "NetworkEvaluator", "NumpyEvaluator", "OnnxEvaluator", "TorchEvaluator"]

Planes = npt.NDArray[np.float32]
Legal = npt.NDArray[np.bool_]
Outputs = tuple[Any, Any]  # of a network: logits (n, width) and values (n,) or (n, 1)
Finish = Callable[[], Answer]  # waits for a network
Weights = Iterable[tuple[str, str, tuple[int, ...], bytes]]  # names, types, shapes, numbers

CPU = ("CPUExecutionProvider",)
ON_A_GPU = 4096  # positions at once: with a small network fewer leave an H100 without work
MAX_THREADS = 1024
MAX_PROVIDERS = 100


class NetworkEvaluator(ABC):
    """An evaluator whose network gives logits of the columns, (n, width), and values, (n,) or (n, 1) in [-1, 1].

    Calling it returns priors, float32 (n, width), the softmax of the logits over the legal columns and 0 for all
    others, and the values, float32 (n,), for the player to move. `submit` does the same in the background.

    The answer for a position may depend on the size of its batch, in the last bits: NumPy, PyTorch and JAX round
    differently for some sizes. FixedBatches gives the network one size.

    preferred_batch: how many positions it wants at once, for `generate` and `search_many`; None: any number will do.

    Raises ValueError if the outputs of the network have other shapes, and what the network raises.
    """

    preferred_batch: int | None = None
    _threads: int | None = None  # of a batch on a CPU; None: any number, so that one batch is computed at a time

    def __init__(self, is_async: bool) -> None:
        self._is_async = is_async  # whether `_begin` returns before the network is done
        self._pool: tuple[int, ThreadPoolExecutor] | None = None  # a process, and its threads for `submit`

    @abstractmethod
    def _begin(self, planes: Planes, legal: Legal) -> Finish:
        """Start the network on a batch; a function that waits for its answer."""

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """SHA-256 of the names, types, shapes and numbers of the weights. Not of the code that uses them."""

    def __call__(self, planes: Planes, legal: Legal) -> Answer:
        """Priors and values of a batch: see Evaluator in c4mcts.search.evaluation."""
        return self._begin(np.ascontiguousarray(planes, np.float32), np.asarray(legal, np.bool_))()

    def submit(self, planes: Planes, legal: Legal) -> "Started | Future[Answer]":
        """Start to evaluate a batch, and return a pending answer, whose `result()` waits for it.

        PyTorch on a CPU and ONNX Runtime work in threads of the evaluator, on as many batches at once as there are
        processors, and NumPy in one. The arrays must not be changed before the result is there.
        """
        if not self._is_async:
            return self._background().submit(self, planes, legal)
        return Started(self._begin(np.ascontiguousarray(planes, np.float32), np.asarray(legal, np.bool_)))

    def buffers(self, planes: tuple[int, ...], width: int) -> Arrays | None:
        """Arrays for a batch, planes and legal columns, that `submit` reads without a copy; None: it reads any array.

        planes: the shape of the planes. The answers to such a batch are overwritten by those to its next content.
        """
        return None

    def _background(self) -> "ThreadPoolExecutor":
        """The executor of `submit`; a forked process needs its own."""
        if self._pool is None or self._pool[0] != os.getpid():
            from concurrent.futures import ThreadPoolExecutor

            at_once = 1 if self._threads is None else max(1, processors() // self._threads)
            self._pool = os.getpid(), ThreadPoolExecutor(at_once, "c4mcts-evaluator")
        return self._pool[1]


class TorchEvaluator(NetworkEvaluator):
    """A module whose forward(planes) returns (logits, values); see NetworkEvaluator.

    module: a copy of it is used, in evaluation mode, so that it can be trained on. device: of the copy, in PyTorch's
    words, such as "cuda"; by default the module's. dtype: of its weights and inputs, such as "bfloat16"; by
    default as they are. compile: whether to use torch.compile, which compiles for the first size of a batch, and for
    the second once more, then for any size; a batch of one position is compiled separately. threads: of one batch on
    a CPU, whatever torch.set_num_threads says; with more than one, a position may get other numbers in another row.

    On a CUDA device `submit` only starts the work, on a separate stream, so that a second batch can be submitted while
    the first one is computed. All of it, with the copies from and to pinned memory and the softmax, is a CUDA graph for
    each size of batch, captured at its first use; `no_graph` says why a network can't be captured, and runs without.
    Convolutions have their channels last. dtype="bfloat16" is several times as fast there. A batch of another size than
    a power of two is filled up to one, unless it is in the arrays of `buffers`.

    Raises ImportError without PyTorch, also for a device that does not exist.
    """

    def __init__(
        self, module: Any, device: Any = None, dtype: Any = None, compile: bool = False, threads: int = 1
    ) -> None:
        with installed_by("torch"):
            import torch
        an_instance("module", module, torch.nn.Module, "a torch.nn.Module")
        weights = [*module.parameters(), *module.buffers()]
        where = (weights[0].device if weights else "cpu") if device is None else device
        self._device = _device_of(torch, where)
        super().__init__(is_async=self._device.type == "cuda")
        self._dtype = _floating(torch, dtype)
        self._module = copy.deepcopy(module).to(self._device, self._dtype).eval().requires_grad_(False)
        self._compiled = flag("compile", compile)
        self._threads = positive("threads", threads, MAX_THREADS)
        self._forward = torch.compile(self._module) if self._compiled else self._module
        self._batches: CudaBatches | None = None  # on a CUDA device
        self._has_channels_last = self._is_async
        if self._is_async:
            self.preferred_batch = ON_A_GPU
            self._module.to(memory_format=torch.channels_last)
            stream = torch.cuda.Stream(self._device)
            stream.wait_stream(torch.cuda.current_stream(self._device))  # on which the weights are copied
            self._batches = CudaBatches(self._on_device, stream)

    @property
    def no_graph(self) -> str:
        """Why the network runs without a CUDA graph; empty if it doesn't, or has not run yet."""
        return "" if self._batches is None else self._batches.no_graph

    def buffers(self, planes: tuple[int, ...], width: int) -> Arrays | None:
        """Arrays for a batch; on a CUDA device in pinned memory."""
        return None if self._batches is None else self._batches.buffers(planes, width)

    def _begin(self, planes: Planes, legal: Legal) -> Finish:
        import torch

        if self._batches is not None:
            return self._batches.start(planes, legal)
        before = torch.get_num_threads()  # of this thread; a worker process may begin with any number
        torch.set_num_threads(self._threads)
        try:
            with torch.inference_mode():
                batch = torch.from_numpy(planes if planes.flags.writeable else planes.copy()).to(self._device)
                outputs = self._forward(batch if self._dtype is None else batch.to(self._dtype))
                logits, values = (part.float().cpu().numpy() for part in pair(outputs))
        finally:
            torch.set_num_threads(before)
        return lambda: answer((logits, values), legal)

    def _on_device(self, planes: Any) -> Outputs:
        import torch

        batch = planes if self._dtype is None else planes.to(self._dtype)
        if self._has_channels_last:
            try:
                return pair(self._forward(batch.contiguous(memory_format=torch.channels_last)))
            except RuntimeError as error:  # a network that looks at the memory, as view(n, -1) does
                has_graphs = self._batches is not None and self._batches.count > 0
                if has_graphs or isinstance(error, torch.cuda.OutOfMemoryError):
                    raise  # graphs would read weights that have moved
                self._has_channels_last = False
                self._module.to(memory_format=torch.contiguous_format)
        return pair(self._forward(batch))

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the parameters and buffers, in the order of their names; types of numbers count, too."""
        return _fingerprint_of(_tensors(self._module))

    def __reduce__(self) -> tuple[Any, ...]:
        module = copy.deepcopy(self._module).cpu()
        return type(self), (module, self._device, self._dtype, self._compiled, self._threads)


def _tensors(module: Any) -> Weights:
    import torch

    for name, tensor in sorted(module.state_dict().items()):
        numbers = tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8)
        yield name, str(tensor.dtype), tuple(tensor.shape), numbers.numpy().tobytes()


def _device_of(torch: Any, device: Any) -> Any:
    try:
        result = torch.device(device)
        torch.empty(0, device=result)
    except Exception as error:
        reason = str(error).partition("\n")[0]
        raise ValueError(f"{must_be('device', 'a device that PyTorch can use', device)}: {reason}") from None
    return result


def _floating(torch: Any, dtype: Any) -> Any:
    """A floating-point type, by itself or by its name; None stays None. ValueError."""
    if dtype is None:
        return None
    result = getattr(torch, dtype, None) if isinstance(dtype, str) else dtype
    if not (isinstance(result, torch.dtype) and result.is_floating_point):
        raise ValueError(must_be("dtype", 'a floating-point type of PyTorch, such as "bfloat16"', dtype))
    return result


class OnnxEvaluator(NetworkEvaluator):
    """A model with one input, planes, and two outputs, logits and values in this order; see NetworkEvaluator.

    path: of a model in one file, or its bytes; it must accept any batch size that is asked for. providers: names of
    ONNX Runtime's execution providers, the preferred one first, such as "CUDAExecutionProvider", of the package
    onnxruntime-gpu. threads: of one run on a CPU.

    Raises ImportError without ONNX Runtime, OSError.
    """

    def __init__(self, path: StrPath | bytes, providers: Sequence[str] = CPU, threads: int = 1) -> None:
        with installed_by("onnx"):
            import onnxruntime as runtime
        super().__init__(is_async=False)
        self._model = path if isinstance(path, bytes) else Path(path_of("path", path)).read_bytes()
        self._providers = members("providers", providers, "a sequence of names", MAX_PROVIDERS)
        self._threads = positive("threads", threads, MAX_THREADS)
        options = runtime.SessionOptions()
        options.intra_op_num_threads = self._threads
        try:
            self._session = runtime.InferenceSession(self._model, options, providers=self._providers)
        except Exception as error:
            reason = str(error).partition("\n")[0]
            raise ValueError(f"ONNX Runtime can't load the model: {reason}") from None
        used = self._session.get_providers()
        if used[:1] != self._providers[:1]:  # without its libraries; ONNX Runtime only prints a warning
            requirement = f"names of which the first can be used here: {', '.join(used)}"
            raise ValueError(must_be("providers", requirement, self._providers))
        inputs, outputs = ([one.name for one in get()] for get in (self._session.get_inputs, self._session.get_outputs))
        if len(inputs) != 1 or len(outputs) != 2:
            raise ValueError(f"path: the model must have one input and two outputs, not {inputs} and {outputs}")
        self._input, self._outputs = inputs[0], outputs

    def _begin(self, planes: Planes, legal: Legal) -> Finish:
        outputs = self._session.run(self._outputs, {self._input: planes})
        return lambda: answer(outputs, legal)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the model."""
        return hashlib.sha256(self._model).hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._model, self._providers, self._threads)


class JaxEvaluator(NetworkEvaluator):
    """A function apply(variables, planes) -> (logits, values) as an evaluator; see NetworkEvaluator.

    apply: compiled by jax.jit, once for each batch size. variables: any tree of arrays; it stays on its device, or
    moves to the default one.

    JAX returns before the work is done, so `submit` needs no thread.

    Raises ImportError without JAX, TypeError.
    """

    def __init__(self, apply: Callable[[Any, Any], Outputs], variables: Any) -> None:
        with installed_by("jax"):
            import jax
        super().__init__(is_async=True)
        self._apply = function("apply", apply)
        self._variables = jax.tree_util.tree_map(jax.numpy.asarray, variables)
        self._compiled = jax.jit(self._answers)
        if jax.default_backend() == "gpu":
            self.preferred_batch = ON_A_GPU

    def _begin(self, planes: Planes, legal: Legal) -> Finish:
        priors, values = self._compiled(self._variables, planes, legal)
        return lambda: (np.asarray(priors), np.asarray(values))

    def _answers(self, variables: Any, planes: Any, legal: Any) -> Outputs:
        """Priors and values, on the device of the variables; what `answer` does."""
        import jax

        logits, values = pair(self._apply(variables, planes))
        if logits.shape != legal.shape:
            raise ValueError(f"the network's logits must have the shape {legal.shape}, not {logits.shape}")
        logits = jax.numpy.where(legal, logits.astype(np.float32), ILLEGAL)
        return jax.nn.softmax(logits, axis=1), values.reshape(-1).astype(np.float32)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the variables, in the order of their paths."""
        from jax.tree_util import keystr, tree_flatten_with_path

        named = [(keystr(path), leaf) for path, leaf in tree_flatten_with_path(self._variables)[0]]
        return _fingerprint_of(_arrays_by_name(named))

    def __reduce__(self) -> tuple[Any, ...]:
        from jax.tree_util import tree_map

        return type(self), (self._apply, tree_map(np.asarray, self._variables))


class NumpyEvaluator(NetworkEvaluator):
    """A function apply(weights, planes) -> (logits, values) as an evaluator; see NetworkEvaluator.

    weights: arrays, also nested in dicts and lists. They are not copied: a change of them changes the fingerprint.
    """

    def __init__(self, apply: Callable[[Any, Planes], Outputs], weights: Any) -> None:
        super().__init__(is_async=False)
        self._apply = function("apply", apply)
        self._weights = weights

    def _begin(self, planes: Planes, legal: Legal) -> Finish:
        outputs = self._apply(self._weights, planes)
        return lambda: answer(outputs, legal)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the weights, in the order of their names."""
        return _fingerprint_of(_arrays_by_name(_leaves("", self._weights)))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._apply, self._weights)


def _leaves(name: str, weights: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(weights, Mapping):
        pairs = list(weights.items())
    elif isinstance(weights, Sequence) and not isinstance(weights, str | bytes):
        pairs = list(enumerate(weights))
    else:
        yield name, np.asarray(weights)
        return
    for key, value in pairs:
        yield from _leaves(f"{name}/{key}", value)


def pair(outputs: Any) -> Outputs:
    """The two outputs of a network. ValueError for another number of them."""
    if not (isinstance(outputs, tuple | list) and len(outputs) == 2):
        raise ValueError(f"the network must return (logits, values), not a {type(outputs).__name__}")
    return outputs[0], outputs[1]


def answer(outputs: Any, legal: Legal) -> Answer:
    """Priors and values from the outputs of a network; the shape of the values is for the search to check.

    ValueError for logits of another shape, TypeError if they are not numbers.
    """
    logits, values = map(_floats, pair(outputs))
    if logits.shape != legal.shape:
        raise ValueError(f"the network's logits must have the shape {legal.shape}, not {logits.shape}")
    logits = np.where(legal, logits, ILLEGAL)
    priors = np.exp(logits - logits.max(axis=1, keepdims=True))
    return priors / priors.sum(axis=1, keepdims=True), values.reshape(-1)


def _floats(output: Any) -> npt.NDArray[np.float32]:
    """An output in single precision. TypeError if not of real numbers; NumPy would drop the imaginary part."""
    if np.iscomplexobj(output):
        raise TypeError("the network must return real numbers, not complex ones")
    try:
        return np.asarray(output, np.float32)
    except OverflowError:
        raise ValueError("the network has returned an integer that is too large for a float") from None


def _fingerprint_of(weights: Weights) -> str:
    """The SHA-256 of weights in a fixed order: names, types, shapes, numbers."""
    digest = hashlib.sha256()
    for name, kind, shape, data in weights:
        digest.update(json.dumps([name, kind, list(shape), len(data)]).encode())
        digest.update(data)
    return digest.hexdigest()


def _arrays_by_name(arrays: Iterable[tuple[str, Any]]) -> Weights:
    """Arrays in the order of their names, for `_fingerprint_of`: the same on every machine."""
    for name, array in sorted(arrays, key=itemgetter(0)):
        values = np.asarray(array)
        little = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
        yield name, values.dtype.name, values.shape, little.tobytes()
