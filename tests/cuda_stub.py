"""A stand-in for PyTorch on a CUDA device, as far as `c4mcts._cuda` and TorchEvaluator use it.

Work on a stream is put in a queue, and done once somebody waits for it; a graph keeps the work instead, and replays it.
So what is read too early, or overwritten too early, gives wrong numbers, as on a device.
"""

from contextlib import contextmanager, nullcontext
from types import ModuleType, SimpleNamespace

import numpy as np


class Tensor:
    def __init__(self, array, place="cpu"):
        self.array, self.place = array, place

    shape = property(lambda self: self.array.shape)
    device = property(lambda self: SimpleNamespace(type=self.place))

    def numel(self):
        return self.array.size

    def numpy(self):
        assert self.place == "cpu"
        return self.array.view()

    def copy_(self, other, non_blocking=False):
        assert non_blocking, "the copy waits for the device"
        work(lambda: np.copyto(self.array, other.array))

    def _result(self, function, *others):
        """A new tensor, computed when its turn comes."""
        new = Tensor(np.array(function(self.array, *(each.array for each in others))), self.place)
        work(lambda: np.copyto(new.array, function(self.array, *(each.array for each in others))))
        return new

    def contiguous(self, memory_format=None):
        return self

    def float(self):
        return self._result(lambda array: array.astype(np.float32))

    def to(self, dtype):
        return self._result(lambda array: array.astype(np.float32))

    def reshape(self, *shape):
        return self._result(lambda array: array.reshape(*shape))

    def __invert__(self):
        return self._result(np.invert)

    def masked_fill(self, mask, value):
        return self._result(lambda array, chosen: np.where(chosen, np.float32(value), array), mask)

    def item(self):
        if CUDA.graph is not None:
            raise RuntimeError("operation not permitted when the stream is capturing\nmore about it")
        CUDA.finish()
        return self.array.item()


class Cuda:
    """The device: one queue of work."""

    def __init__(self):
        self.queue, self.graph, self.log = [], None, []

    def finish(self, end=None):
        """Do the work of the queue up to a place."""
        while self.queue and (end is None or self.queue[0][0] < end):
            self.queue.pop(0)[1]()

    count = 0

    def add(self, task):
        Cuda.count += 1
        self.queue.append((Cuda.count, task))


CUDA = Cuda()


def work(task):
    if CUDA.graph is not None:
        CUDA.graph.tasks.append(task)
    else:
        CUDA.add(task)


class Stream:
    device = "cuda"

    def __init__(self, device=None):
        pass

    def wait_stream(self, other):
        pass

    def synchronize(self):
        CUDA.finish()


class Event:
    def record(self, stream):
        self.end = Cuda.count + 1

    def synchronize(self):
        CUDA.finish(self.end)


class CUDAGraph:
    def __init__(self):
        self.tasks = []

    def replay(self):
        CUDA.log.append("replay")
        for task in self.tasks:
            CUDA.add(task)


@contextmanager
def capturing(graph, stream, capture_error_mode):
    CUDA.log.append("capture")
    CUDA.graph = graph
    try:
        yield
    finally:
        CUDA.graph = None


class MemoryFull(RuntimeError):
    pass


class Module:
    def parameters(self):
        return []

    buffers = parameters

    def to(self, *arguments, **options):
        self.formats = [*getattr(self, "formats", []), *options.values()]
        CUDA.log += options.values()
        return self

    def eval(self):
        return self

    def requires_grad_(self, flag):
        return self

    def __call__(self, planes):
        return self.forward(planes)


def softmax(tensor, axis):
    def compute(array):
        powers = np.exp(array - array.max(axis, keepdims=True))
        return powers / powers.sum(axis, keepdims=True)

    return tensor._result(compute)


def empty(shape, device=None):
    return Tensor(np.full(shape, 7, np.float32), "cuda")


def empty_like(tensor, device):
    return Tensor(np.zeros_like(tensor.array), "cuda")


def host(fill):
    def make(shape, dtype=np.float32, pin_memory=False):
        assert pin_memory, "the device can't copy from memory that isn't pinned"
        return Tensor(np.full(shape, fill, dtype))

    return make


def stub():
    """A new module `torch`; its device has nothing to do yet."""
    CUDA.__init__()
    torch = ModuleType("torch")
    torch.nn = SimpleNamespace(Module=Module)
    torch.cuda = SimpleNamespace(
        Stream=Stream,
        Event=Event,
        CUDAGraph=CUDAGraph,
        graph=capturing,
        stream=lambda stream: nullcontext(),
        current_stream=lambda device: None,
        OutOfMemoryError=MemoryFull,
    )
    torch.device = lambda name: SimpleNamespace(type=name)
    torch.zeros, torch.ones, torch.empty, torch.empty_like = host(0), host(1), empty, empty_like
    torch.bool, torch.float32, torch.channels_last, torch.contiguous_format = np.bool_, np.float32, "last", "usual"
    torch.inference_mode, torch.softmax = nullcontext, softmax
    return torch
