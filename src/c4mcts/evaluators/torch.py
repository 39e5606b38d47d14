"""TorchEvaluator: a PyTorch module as an evaluator, on a CPU or a GPU."""

import copy
from collections.abc import Iterator
from typing import Any

from .._validation import flag, refused
from .network import Finish, NetworkEvaluator, Outputs, Planes, fingerprint_of, pair, required


class TorchEvaluator(NetworkEvaluator):
    """A module whose forward(planes) returns (logits, values); see NetworkEvaluator.

    module: a copy of it is used, in evaluation mode, so that it can be trained on. device: of the copy, in PyTorch's
    words, such as "cuda"; by default that of the module. dtype: of its weights and inputs, such as "bfloat16"; by
    default as they are. compile: whether to use torch.compile, which compiles once for each batch size.

    On a CUDA device `submit` only starts the work, on a separate stream, and copies from and to pinned memory, so
    that a second batch can be submitted while the first one is computed.

    Raises ImportError without PyTorch, TypeError, ValueError naming the argument, also for a device that does not
    exist.
    """

    def __init__(self, module: Any, device: Any = None, dtype: Any = None, compile: bool = False) -> None:
        torch = required("torch", "TorchEvaluator", "torch")
        if not isinstance(module, torch.nn.Module):
            raise TypeError(refused("module", "a torch.nn.Module", module))
        weights = [*module.parameters(), *module.buffers()]
        where = (weights[0].device if weights else "cpu") if device is None else device
        self._device = _present(torch, where)
        super().__init__(is_async=self._device.type == "cuda")
        self._dtype = _floating(torch, dtype)
        self._module = copy.deepcopy(module).to(self._device, self._dtype).eval().requires_grad_(False)
        self._compiled = flag("compile", compile)
        self._forward = torch.compile(self._module) if self._compiled else self._module
        self._stream = torch.cuda.Stream(self._device) if self._is_async else None
        if self._stream is not None:  # the copy of the weights is on another one
            self._stream.wait_stream(torch.cuda.current_stream(self._device))

    def _begin(self, planes: Planes) -> Finish:
        import torch

        batch = torch.from_numpy(planes if planes.flags.writeable else planes.copy())
        if self._stream is None:
            with torch.inference_mode():
                outputs = self._outputs(batch.to(self._device), blocking=True)
            return lambda: outputs
        with torch.inference_mode(), torch.cuda.stream(self._stream):
            outputs = self._outputs(batch.pin_memory().to(self._device, non_blocking=True), blocking=False)
            done = torch.cuda.Event()
            done.record(self._stream)

        def finish() -> Outputs:
            done.synchronize()
            return outputs

        return finish

    def _outputs(self, batch: Any, blocking: bool) -> Outputs:
        """Run the module; its outputs as arrays, which are complete at once only if `blocking`."""
        found = self._forward(batch if self._dtype is None else batch.to(self._dtype))
        logits, values = (part.float().to("cpu", non_blocking=not blocking).numpy() for part in pair(found))
        return logits, values

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the parameters and buffers, in the order of their names; types of numbers count, too."""
        return fingerprint_of(_described(self._module))

    def __reduce__(self) -> tuple[Any, ...]:
        module = copy.deepcopy(self._module).cpu()
        return type(self), (module, self._device, self._dtype, self._compiled)


def _described(module: Any) -> Iterator[tuple[str, str, tuple[int, ...], bytes]]:
    """The weights of a module, in the order of their names, as `fingerprint_of` wants them."""
    import torch

    for name, tensor in sorted(module.state_dict().items()):
        numbers = tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8)
        yield name, str(tensor.dtype), tuple(tensor.shape), numbers.numpy().tobytes()


def _present(torch: Any, device: Any) -> Any:
    """A device that can be used. ValueError."""
    try:
        found = torch.device(device)
        torch.empty(0, device=found)
    except Exception as error:
        reason = str(error).partition("\n")[0]
        raise ValueError(f"{refused('device', 'a device that PyTorch can use', device)}: {reason}") from None
    return found


def _floating(torch: Any, dtype: Any) -> Any:
    """A floating-point type, by itself or by its name; None stays None. ValueError."""
    if dtype is None:
        return None
    found = getattr(torch, dtype, None) if isinstance(dtype, str) else dtype
    if not (isinstance(found, torch.dtype) and found.is_floating_point):
        raise ValueError(refused("dtype", 'a floating-point type of PyTorch, such as "bfloat16"', dtype))
    return found
