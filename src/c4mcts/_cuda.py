"""Batches of a PyTorch module on a CUDA device: fixed memory, and all work on it in one CUDA graph.

A graph starts some hundred kernels and the copies with one call, and reads and writes always the same memory: the
batches in pinned memory of the host, from which the device copies without help of the processor.
"""

import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

WARM_UP = 3  # runs before the capture: libraries choose their kernels, torch.compile compiles
ILLEGAL = -1e30  # the logit of an illegal column; finite, so that a row without legal ones gives no NaN

Forward = Callable[[Any], tuple[Any, Any]]  # planes on the device -> logits (n, width), values (n,) or (n, 1)


class CudaBatch:
    """The memory of a batch, and the work on it.

    planes: float32, and legal: bool, arrays of the host that the caller fills before `start`. The answers are priors,
    (n, width), the softmax of the logits over the legal columns, and values, (n,); the next start overwrites them.

    Raises ValueError for outputs of other shapes, and what the network raises.
    """

    def __init__(self, forward: Forward, stream: Any, planes: tuple[int, ...], width: int) -> None:
        """planes: the shape of the batch. stream: on which all its work is done, one batch after the other."""
        import torch

        self._forward, self._stream = forward, stream
        rows = planes[0]
        self._host = (
            torch.zeros(planes, pin_memory=True),
            torch.ones((rows, width), dtype=torch.bool, pin_memory=True),
            torch.zeros((rows, width), pin_memory=True),
            torch.zeros(rows, pin_memory=True),
        )
        self._device = [torch.empty_like(part, device=stream.device) for part in self._host[:2]]
        self.rows = rows
        self.legal, self.priors, self.values = (part.numpy() for part in self._host[1:])
        self._done = torch.cuda.Event()
        self.no_graph = ""  # why there is no graph; empty if there is one
        self._graph: Any = None
        with torch.inference_mode(), torch.cuda.stream(stream):
            for _ in range(WARM_UP):
                self._run()
        stream.synchronize()
        try:
            graph = torch.cuda.CUDAGraph()
            # other threads may use the device meanwhile
            with torch.inference_mode(), torch.cuda.graph(graph, stream=stream, capture_error_mode="thread_local"):
                self._run()
            self._graph = graph
        except Exception as error:  # such as an operation that waits for the device
            self.no_graph = f"{error}".partition("\n")[0]

    @property
    def planes(self) -> npt.NDArray[np.float32]:
        """A new array over the memory of the planes."""
        planes: npt.NDArray[np.float32] = self._host[0].numpy()
        return planes

    def _run(self) -> None:
        """Copy the batch to the device, run the network, and copy the answers back; all of it asynchronously."""
        import torch

        for mine, theirs in zip(self._device, self._host[:2], strict=True):
            mine.copy_(theirs, non_blocking=True)
        planes, legal = self._device
        logits, values = self._forward(planes)
        if logits.shape != legal.shape:
            expected, shape = tuple(legal.shape), tuple(logits.shape)
            raise ValueError(f"the network's logits must have the shape {expected}, not {shape}")
        if values.numel() != self.rows:
            raise ValueError(f"the network's values must have the shape ({self.rows},), not {tuple(values.shape)}")
        priors = torch.softmax(logits.float().masked_fill(~legal, ILLEGAL), 1)
        self._host[2].copy_(priors, non_blocking=True)
        self._host[3].copy_(values.reshape(-1).float(), non_blocking=True)

    def start(self) -> None:
        """Start the work on the contents of `planes` and `legal`."""
        import torch

        with torch.cuda.stream(self._stream):
            if self._graph is not None:
                self._graph.replay()
            else:
                with torch.inference_mode():
                    self._run()
            self._done.record(self._stream)

    def answers(self, n: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Wait for the answers to the first n rows; the arrays are overwritten later."""
        self._done.synchronize()
        return self.priors[:n], self.values[:n]


class CudaBatches:
    """The batches of an evaluator: those whose memory others fill, and those into which arrays are copied."""

    def __init__(self, forward: Forward, stream: Any) -> None:
        self._forward, self._stream = forward, stream
        self._by_address: dict[int, CudaBatch] = {}  # by the address of their planes
        self._free: dict[tuple[int, ...], list[CudaBatch]] = {}  # by the shape of their planes
        self.count = 0  # batches, each perhaps with a graph
        self.no_graph = ""  # why the last new batch has no graph

    def buffers(self, planes: tuple[int, ...], width: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """New arrays, for planes and legal columns, that need not be copied. The batch lives as long as the planes."""
        batch = self._new(planes, width)
        array = batch.planes
        self._by_address[array.ctypes.data] = batch
        weakref.finalize(array, self._by_address.pop, array.ctypes.data, None)
        return array, batch.legal

    def start(self, planes: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_]) -> Callable[[], Any]:
        """Start the work on arrays; a function that waits for the answers, and returns them."""
        n = len(planes)
        batch = self._by_address.get(planes.ctypes.data)
        if batch is not None:
            if legal.ctypes.data != batch.legal.ctypes.data:
                batch.legal[:n] = legal
            batch.start()
            return partial(batch.answers, n)
        shape = (1 << max(n - 1, 0).bit_length(), *planes.shape[1:])  # few sizes, since each needs a graph
        free = self._free.setdefault(shape, [])
        copied = free.pop() if free else self._new(shape, legal.shape[1])
        memory = copied.planes
        memory[:n], copied.legal[:n] = planes, legal
        memory[n:], copied.legal[n:] = 0, True
        copied.start()

        def result() -> Any:
            priors, values = (part.copy() for part in copied.answers(n))
            free.append(copied)
            return priors, values

        return result

    def _new(self, planes: tuple[int, ...], width: int) -> CudaBatch:
        batch = CudaBatch(self._forward, self._stream, planes, width)
        self.no_graph = batch.no_graph
        self.count += 1
        return batch
