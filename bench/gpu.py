"""Self-play on a GPU: positions that a network evaluates in a second, with our pool, with mctx and pgx, and alone.

Needs PyTorch and a CUDA device (--device cpu only tries the script); mctx, pgx and flax for their rows. All rows are
for a residual network of the same size in bfloat16, with random weights. For our pool the games come from
`selfplay.generate` with a TorchEvaluator or a JaxEvaluator, and nothing else set; "of the card" is the share of what
the card makes alone with PyTorch, with batches of the same size that are always the same. Wall-clock time, since the
point is who waits for whom. --picture draws the rows as bars.
"""

import argparse
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from measure import Report, parser

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX and PyTorch share the card

from c4mcts import Rules, SearchParams
from c4mcts.evaluators import JaxEvaluator, TorchEvaluator
from c4mcts.selfplay import BatchParams, Pool, generate
from c4mcts.selfplay.batches import CONCURRENT, fitted, with_memory_of

CELLS = 42
SETTINGS = ((64, 5, 64), (64, 5, 400), (128, 10, 64))  # channels, blocks, simulations
MCTX_BATCHES = {64: (4096, 8192), 400: (1024, 2048, 4096)}  # by simulations; the fastest counts
PARAMS = SearchParams.preset("alphazero")
CARD, OURS, WITH_JAX, MCTX = "the card alone", "c4mcts with PyTorch", "c4mcts with JAX", "mctx and pgx"


def network(channels: int, blocks: int) -> Any:
    """A residual network of PyTorch: planes to logits and values."""
    from torch import nn, relu

    def convolution(before: int, after: int, size: int) -> Any:
        return nn.Conv2d(before, after, size, padding=size // 2)

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = convolution(channels, channels, 3), convolution(channels, channels, 3)

        def forward(self, x: Any) -> Any:
            return relu(x + self.second(relu(self.first(x))))

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(convolution(2, channels, 3), nn.ReLU(), *(Block() for _ in range(blocks)))
            self.policy = nn.Sequential(convolution(channels, 8, 1), nn.ReLU(), nn.Flatten(), nn.Linear(8 * CELLS, 7))
            self.value = nn.Sequential(
                *(convolution(channels, 4, 1), nn.ReLU(), nn.Flatten(), nn.Linear(4 * CELLS, 64), nn.ReLU()),
                *(nn.Linear(64, 1), nn.Tanh()),
            )

        def forward(self, planes: Any) -> tuple[Any, Any]:
            features = self.body(planes)
            return self.policy(features), self.value(features)

    return Network().eval()


def rate(counts: Iterator[int], seconds: float, warm_up: float) -> float:
    """The sum of counts that come in a second, after a time to warm up."""
    begin = time.perf_counter()
    while time.perf_counter() < begin + warm_up:
        next(counts)
    start, total = time.perf_counter(), 0
    while time.perf_counter() < start + seconds:
        total += next(counts)
    return total / (time.perf_counter() - start)


def rows_of_pool(evaluator: Any, simulations: int, threads: int | None) -> Iterator[int]:
    """The leaves of each batch of a pool, as `generate` makes it."""
    batches = fitted(BatchParams(threads=threads), evaluator, 1 << 20, 1 + 7 * simulations, CONCURRENT)
    batches = with_memory_of(evaluator, batches, PARAMS, Rules())
    params = PARAMS.changed(batch_size=1)
    pool = Pool(params, games=10_000_000, simulations=simulations, batches=batches, seed=1)
    pending: deque[Any] = deque()
    while (batch := pool.gather()) is not None:
        pending.append(evaluator.submit(batch.planes, batch.legal))
        yield batch.count
        pool.finished()
        if len(pending) == pool.groups:
            pool.complete(*pending.popleft().result())


def rows_of_card(evaluator: Any, size: int) -> Iterator[int]:
    """Batches that are always the same, of which two are under way."""
    memory = [evaluator.buffers((size, 2, 6, 7), 7) for _ in range(2)]
    memory = [pair or (np.zeros((size, 2, 6, 7), np.float32), np.ones((size, 7), bool)) for pair in memory]
    pending: deque[Any] = deque()
    while True:
        for planes, legal in memory:
            pending.append(evaluator.submit(planes, legal))
            if len(pending) == 2:
                pending.popleft().result()
            yield size


def jax_network(channels: int, blocks: int) -> Any:
    """The same as `network`, of flax; its planes have the channels last."""
    import flax.linen as nn
    import jax.numpy as jnp

    class Net(nn.Module):
        @nn.compact
        def __call__(self, x: Any) -> Any:
            conv = lambda size, n: nn.Conv(n, (size, size), dtype=jnp.bfloat16)  # noqa: E731
            x = nn.relu(conv(3, channels)(x.astype(jnp.bfloat16)))
            for _ in range(blocks):
                x = nn.relu(x + conv(3, channels)(nn.relu(conv(3, channels)(x))))
            policy = nn.relu(conv(1, 8)(x)).reshape(len(x), -1)
            value = nn.relu(nn.Dense(64)(nn.relu(conv(1, 4)(x)).reshape(len(x), -1)))
            return nn.Dense(7)(policy).astype(jnp.float32), jnp.tanh(nn.Dense(1)(value))[:, 0].astype(jnp.float32)

    return Net()


def jax_evaluator(channels: int, blocks: int) -> JaxEvaluator:
    """An evaluator with random weights."""
    import jax

    net = jax_network(channels, blocks)
    weights = net.init(jax.random.key(0), np.zeros((1, 6, 7, 2), np.float32))
    return JaxEvaluator(lambda variables, planes: net.apply(variables, planes.transpose(0, 2, 3, 1)), weights)


def rows_of_mctx(channels: int, blocks: int, simulations: int, batch: int) -> Iterator[int]:
    """Moves of a batch of games with mctx and pgx, and the evaluations that they take."""
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx
    from pgx.experimental import auto_reset

    env, net = pgx.make("connect_four"), jax_network(channels, blocks)
    step = jax.vmap(env.step)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), batch))
    weights = net.init(jax.random.key(0), state.observation)

    def answer(weights: Any, state: Any) -> Any:
        logits, values = net.apply(weights, state.observation)
        return jnp.where(state.legal_action_mask, logits, jnp.finfo(jnp.float32).min), values

    def recurrent(weights: Any, key: Any, action: Any, state: Any) -> Any:
        player = state.current_player
        state = step(state, action)
        logits, values = answer(weights, state)
        found = mctx.RecurrentFnOutput(
            reward=state.rewards[jnp.arange(batch), player],
            discount=jnp.where(state.terminated, 0.0, -1.0),
            prior_logits=logits,
            value=jnp.where(state.terminated, 0.0, values),
        )
        return found, state

    @jax.jit
    def move(weights: Any, key: Any, state: Any) -> Any:
        one, other = jax.random.split(key)
        logits, values = answer(weights, state)
        root = mctx.RootFnOutput(prior_logits=logits, value=values, embedding=state)
        noise = {"dirichlet_fraction": 0.25, "dirichlet_alpha": 1.4}
        found = mctx.muzero_policy(
            weights, one, root, recurrent, simulations, invalid_actions=~state.legal_action_mask, **noise
        )
        return jax.vmap(auto_reset(env.step, env.init))(state, found.action, jax.random.split(other, batch))

    number = 0
    while True:
        state = jax.block_until_ready(move(weights, jax.random.key(number), state))
        number += 1
        yield batch * (simulations + 1)  # and the roots


def measured(options: argparse.Namespace, channels: int, blocks: int, simulations: int) -> dict[str, float]:
    """Rows per second by what makes them, without what needs a package that is missing."""
    measure: Callable[[Iterator[int]], float] = lambda counts: rate(counts, options.seconds, options.seconds / 2)  # noqa: E731
    evaluator = TorchEvaluator(network(channels, blocks), **how(options))
    found = {
        CARD: measure(rows_of_card(evaluator, evaluator.preferred_batch or 64)),
        OURS: measure(rows_of_pool(evaluator, simulations, options.threads)),
    }
    if evaluator.no_graph:
        print(f"no CUDA graph: {evaluator.no_graph}", file=sys.stderr)
    with suppress(ImportError):
        found[WITH_JAX] = measure(rows_of_pool(jax_evaluator(channels, blocks), simulations, options.threads))
        batches = MCTX_BATCHES[simulations]
        found[MCTX] = max(measure(rows_of_mctx(channels, blocks, simulations, n)) for n in batches)
    return found


def how(options: argparse.Namespace) -> dict[str, Any]:
    """The arguments of a TorchEvaluator."""
    return {"device": options.device, "dtype": "bfloat16", "compile": options.compile}


def draw(path: str, found: Mapping[str, Mapping[str, float]]) -> None:
    """A picture with a group of bars for each setting."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.6, 3.6), layout="constrained")
    axes = figure.subplots()
    for number, what in enumerate((CARD, OURS, WITH_JAX, MCTX)):
        heights = [rates.get(what, 0) / 1e6 for rates in found.values()]
        bars = axes.bar(np.arange(len(found)) + 0.2 * number - 0.3, heights, 0.18, label=what)
        axes.bar_label(bars, fmt="%.1f", fontsize=8)
    axes.set_xticks(range(len(found)), list(found))
    axes.set_ylabel("million positions per second")
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper center", frameon=False, ncols=4)
    figure.savefig(path)


def main() -> None:
    options_parser = parser(__doc__, repeats=1)
    options_parser.add_argument("--device", default="cuda")
    options_parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement (default 5)")
    options_parser.add_argument("--threads", type=int, help="of gather (default: all processors)")
    options_parser.add_argument("--compile", action="store_true", help="compile the network of PyTorch")
    options_parser.add_argument("--settings", type=int, default=len(SETTINGS), help="only the first N networks")
    options_parser.add_argument("--picture", metavar="FILE", help="also draw them, as .svg or .png")
    options = options_parser.parse_args()
    columns = {"what": "", "rows": "rows/s", "card": "of the card", "mctx": "times mctx", "positions": "positions/s"}
    report = Report("Self-play with a network in bfloat16", columns)
    pictured: dict[str, dict[str, float]] = {}
    for channels, blocks, simulations in SETTINGS[: options.settings]:
        name = f"{channels} x {blocks}, {simulations} simulations"
        found = pictured[name.replace(", ", "\n")] = measured(options, channels, blocks, simulations)
        for what, rows in found.items():
            mctx = rows / found[MCTX] if MCTX in found else None
            report.add(what=f"{what}, {name}", rows=rows, card=rows / found[CARD], mctx=mctx)
        print(name, {what: round(rows) for what, rows in found.items()}, file=sys.stderr, flush=True)
    evaluator = TorchEvaluator(network(64, 5), **how(options))
    count = 4 * (evaluator.preferred_batch or 4)
    generate(count // 4, PARAMS, evaluator=evaluator, simulations=8, seed=1)
    start = time.perf_counter()
    data = generate(count, PARAMS, evaluator=evaluator, simulations=64, seed=2)
    speed = len(data.planes) / (time.perf_counter() - start)
    report.add(what=f"generate({count:,}), 64 simulations, from start to end", positions=speed)
    report.finish(options)
    if options.picture:
        draw(options.picture, pictured)


if __name__ == "__main__":
    main()
