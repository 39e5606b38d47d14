"""What changes the last bits of a network's answers, and whether games of self-play are the same whatever runs them.

answers: which sizes of a batch give the first position the same bits as batches of 128; and at 128, whether the row,
the other positions, the address of the arrays and the number of threads change anything. games: one set of games for
each library, played in all ways; each is compared with the games of one call without an executor. Needs the packages
torch, onnx, onnxruntime, jax, distributed, loky and ray; what is missing is left out.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from typing import Any

import numpy as np
from measure import Report, markdown, parser

from c4mcts import SearchParams
from c4mcts.evaluators import JaxEvaluator, NetworkEvaluator, NumpyEvaluator, OnnxEvaluator, TorchEvaluator
from c4mcts.selfplay import BatchParams, SelfPlay, generate

SIZES = (1, 2, 3, 4, 5, 7, 8, 10, 16, 20, 32, 50, 64, 100, 128, 200, 256, 512)
ROWS = 128
THREADS = (1, 2, 3, 4, 8)
# of a library that takes no number of threads: the variable that its processes read
VARIABLES = {"numpy": "OPENBLAS_NUM_THREADS", "jax": "NPROC"}
PACKAGES = {
    "numpy": "NumPy",
    "torch": "PyTorch",
    "convolutions": "PyTorch",
    "matrix": "PyTorch",
    "onnx": "ONNX Runtime",
    "dynamic": "ONNX Runtime",
    "jax": "JAX",
}
SPECIAL = {
    "convolutions": ", convolutions",
    "matrix": ", `x @ w` with 7 columns",
    "dynamic": ", 8 bits, dynamic",
}
MODULES = {"NumPy": "numpy", "PyTorch": "torch", "ONNX Runtime": "onnxruntime", "JAX": "jax"}


def dense(weights: Any, planes: Any, maths: Any = np) -> tuple[Any, Any]:
    """A network of 84-512-512-8 neurons."""
    layer = planes.reshape(len(planes), -1)
    for weight in weights[:2]:
        layer = maths.maximum(layer @ weight, 0)
    output = layer @ weights[2]
    return 4 * output[:, :7], maths.tanh(output[:, 7])


def dense_in_jax(weights: Any, planes: Any) -> tuple[Any, Any]:
    return dense(weights, planes, import_module("jax.numpy"))


def dense_weights() -> list[Any]:
    draw = np.random.default_rng(1)
    shapes = ((84, 512), (512, 512), (512, 8))
    return [draw.standard_normal(shape, np.float32) / np.float32(shape[0] ** 0.5) for shape in shapes]


if find_spec("torch"):
    import torch

    class Network(torch.nn.Module):
        """The dense network, with three convolutions of 32 channels instead, or with a matrix (512, 7) at its end."""

        def __init__(self, kind: str) -> None:
            super().__init__()
            torch.manual_seed(1)
            layers: list[Any] = [torch.nn.Flatten(), torch.nn.Linear(84, 512), torch.nn.ReLU()]
            layers += [torch.nn.Linear(512, 512), torch.nn.ReLU(), torch.nn.Linear(512, 8)]
            if kind == "convolutions":
                pairs = [(torch.nn.Conv2d(n, 32, 3, padding=1), torch.nn.ReLU()) for n in (2, 32, 32)]
                layers = [*(layer for pair in pairs for layer in pair), torch.nn.Flatten(), torch.nn.Linear(42 * 32, 8)]
            self.layers = torch.nn.Sequential(*(layers[:-1] if kind == "matrix" else layers))
            self.matrix = torch.nn.Parameter(torch.randn(512, 7)) if kind == "matrix" else None

        def forward(self, planes: Any) -> tuple[Any, Any]:
            output = self.layers(planes)
            if self.matrix is not None:
                return output @ self.matrix, torch.tanh(output[:, 7])
            return 16 * output[:, :7], torch.tanh(4 * output[:, 7])


def onnx_model(weights: list[Any]) -> bytes:
    """The dense network as an ONNX model."""
    from onnx import TensorProto, helper, numpy_helper

    steps = "Flatten planes cells; MatMul cells w0 a; Relu a b; MatMul b w1 c; Relu c d; MatMul d logit logits; "
    steps += "MatMul d end ends; Tanh ends values"
    nodes = [helper.make_node(kind, inputs, [output]) for kind, *inputs, output in map(str.split, steps.split(";"))]
    shapes = {"planes": ["B", 2, 6, 7], "logits": ["B", 7], "values": ["B", 1]}
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    named = {"w0": weights[0], "w1": weights[1], "logit": 4 * weights[2][:, :7], "end": weights[2][:, 7:]}
    initial = [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in named.items()]
    graph = helper.make_graph(nodes, "dense", infos[:1], infos[1:], initial)
    model = helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 20)])
    return bytes(model.SerializeToString())


def in_integers(model: bytes) -> bytes:
    """The model with integers of 8 bits, whose scales are those of each batch."""
    from onnx import load_from_string
    from onnxruntime.quantization import quantize_dynamic

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "integers.onnx")
        quantize_dynamic(load_from_string(model), path)
        return path.read_bytes()


def evaluator_of(name: str, threads: int = 1) -> NetworkEvaluator:
    if name == "numpy":
        return NumpyEvaluator(dense, dense_weights())
    if name == "jax":
        return JaxEvaluator(dense_in_jax, dense_weights())
    if name in ("onnx", "dynamic"):
        model = onnx_model(dense_weights())
        return OnnxEvaluator(in_integers(model) if name == "dynamic" else model, threads=threads)
    return TorchEvaluator(Network(name), threads=threads)


def names() -> list[str]:
    """The networks whose packages are installed."""
    return [name for name, package in PACKAGES.items() if find_spec(MODULES[package])]


def label(name: str) -> str:
    """A network as the tables call it, with the version of its package."""
    package = PACKAGES[name]
    return f"{package} {version(MODULES[package])}{SPECIAL.get(name, '')}"


def positions(count: int) -> Any:
    return (np.random.default_rng(1).random((count, 2, 6, 7)) < 0.3).astype(np.float32)


def bits(evaluator: NetworkEvaluator, planes: Any) -> Any:
    """The answers to a batch as integers, (n, 8)."""
    priors, values = evaluator(planes, np.ones((len(planes), 7), bool))
    return np.concatenate([priors, values[:, None]], axis=1).view(np.uint32)


def digest_in_a_process(name: str, threads: int) -> str:
    """The digest of a batch's answers, computed with this number of threads."""
    variable = {VARIABLES[name]: str(threads)} if name in VARIABLES else {}
    command = [sys.executable, __file__, "digest", "--network", name, "--threads", str(threads)]
    return subprocess.run(command, env=os.environ | variable, capture_output=True, text=True, check=True).stdout


def answers(report: Report) -> None:
    """What changes the bits of an answer."""
    for name in names():
        evaluator, planes = evaluator_of(name), positions(max(SIZES))
        first = bits(evaluator, planes[:ROWS])
        sizes = [size for size in SIZES if np.array_equal(bits(evaluator, planes[:size])[0], first[0])]
        order = np.random.default_rng(2).permutation(ROWS)
        others = planes[:ROWS].copy()
        others[1:] = 0
        report.add(
            library=label(name),
            sizes="all" if len(sizes) == len(SIZES) else ", ".join(map(str, sizes)),
            row=same(np.array_equal(bits(evaluator, planes[:ROWS][order]), first[order])),
            others=same(np.array_equal(bits(evaluator, others)[0], first[0])),
            address=same(all(np.array_equal(bits(evaluator, each), first) for each in moved(planes[:ROWS]))),
            threads=same(len({digest_in_a_process(name, threads) for threads in THREADS}) == 1),
        )


def moved(planes: Any) -> Iterator[Any]:
    """The same planes at 16 addresses, one after the other."""
    memory = np.empty(planes.size + 16, np.float32)
    for i in range(16):
        copied = memory[i : i + planes.size].reshape(planes.shape)
        copied[:] = planes
        yield copied


def same(equal: bool) -> str:
    return "same" if equal else "other"


def digest(data: SelfPlay) -> str:
    """Of all arrays."""
    return hashlib.sha256(b"".join(array.tobytes() for array in data.arrays.values())).hexdigest()


@contextmanager
def dask_client() -> Iterator[Any]:
    from dask.distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        yield client


@contextmanager
def loky_processes() -> Iterator[Any]:
    from loky import get_reusable_executor

    yield get_reusable_executor(2)


@contextmanager
def ray_tasks() -> Iterator[Any]:
    sys.path.append(str(Path(__file__).parents[1] / "examples"))
    import ray
    from ray_executor import RayExecutor

    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    with RayExecutor(num_cpus=1) as executor:
        yield executor
    ray.shutdown()


def executors() -> dict[str, Callable[[], Any]]:
    """The ways to run jobs, in the order of the table. Fork comes first: threads of libraries may hang a copy."""
    ways: dict[str, Callable[[], Any]] = {}
    for start in get_all_start_methods():
        ways[f"2 processes, {start}"] = lambda start=start: ProcessPoolExecutor(2, mp_context=get_context(start))
    for count in (1, 2, 3):
        ways[f"{count} thread{'s' * (count > 1)}"] = lambda count=count: ThreadPoolExecutor(count)
    others = {"distributed": ("Dask", dask_client), "loky": ("loky", loky_processes), "ray": ("Ray", ray_tasks)}
    for package, (name, made) in others.items():
        if find_spec(package):
            ways[f"{name} {version(package)}, 2 workers"] = made
    return ways


class Interrupted(Exception):
    """Raised while games are played."""


def interrupt(finished: int, _: int) -> None:
    if finished >= 20:
        raise Interrupted


def games(report: Report, networks: list[str], count: int) -> None:
    """Whether games are the same in all ways to play them."""
    params, parts = SearchParams.preset("alphazero"), BatchParams(concurrent=count // 3)
    digests: dict[str, dict[str, str]] = {}

    def play(way: str, name: str, **options: Any) -> None:
        data = generate(count, params, simulations=8, seed=1, evaluator=evaluator_of(name), **options)
        digests.setdefault(way, {})[name] = digest(data)

    for way, made in executors().items():
        with made() as executor:
            for name in networks:
                if name == "jax" and way.endswith("fork"):
                    continue  # it warns of a deadlock
                play(way, name, executor=executor, batches=parts)
    for name in networks:
        play("no executor", name)
        play("3 games at the same time", name, batches=BatchParams(concurrent=3))
        with tempfile.TemporaryDirectory() as folder:
            with suppress(Interrupted):
                play("", name, out=f"{folder}/games", batches=parts, progress=interrupt)
                raise RuntimeError("it was not interrupted")
            play("interrupted and continued", name, out=f"{folder}/games")
        play("`pad=False`", name, batches=BatchParams(pad=False))
    expected = digests["no executor"]
    for way, found in digests.items():
        report.add(way=way, **{name: same(found[name] == expected[name]) if name in found else "" for name in networks})


def main() -> None:
    options_parser = parser(__doc__, repeats=1)
    options_parser.add_argument("what", choices=["answers", "games", "digest"])
    options_parser.add_argument("--games", type=int, default=60, help="how many to play (default 60)")
    options_parser.add_argument("--markdown", action="store_true", help="print the table in Markdown")
    options_parser.add_argument("--network", choices=list(PACKAGES), help="games and digest: of this one alone")
    options_parser.add_argument("--threads", type=int, default=1, help="of digest: the threads that it uses")
    options = options_parser.parse_args()
    if options.what == "digest":
        print(
            hashlib.sha256(bits(evaluator_of(options.network, options.threads), positions(ROWS)).tobytes()).hexdigest()
        )
        return
    if options.what == "answers":
        columns = {"library": "", "sizes": "sizes like 128", "row": "row", "others": "other positions"}
        report = Report("Bits of an answer", {**columns, "address": "address", "threads": "threads"})
        answers(report)
    else:
        # the answers of the dynamic model to a position depend on the others, so its games do, too
        networks = [options.network] if options.network else [name for name in names() if name != "dynamic"]
        report = Report("Games of self-play", {"way": "", **{name: label(name) for name in networks}})
        games(report, networks, options.games)
    if options.markdown:
        print("\n".join(markdown(report.columns, report.rows)))
    else:
        report.finish(options)


if __name__ == "__main__":
    main()
