"""Self-play on a GPU: positions that a network evaluates in a second, with our pool, with mctx and pgx, and alone.

Needs PyTorch and a CUDA device (--device cpu only tries the script); mctx, pgx and flax for their rows. All rows are
for a residual network of the same size in bfloat16, with random weights. For our pool the games are those of
`selfplay.generate` with a TorchEvaluator and nothing else set; "of the card" is the share of what the card makes alone,
with batches of the same size that are always the same. Wall-clock time, since the point is who waits for whom.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np
from measure import Report, parser

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX and PyTorch share the card

from c4mcts import Rules, SearchParams
from c4mcts.evaluators import TorchEvaluator
from c4mcts.selfplay import BatchParams, Pool, generate
from c4mcts.selfplay.batches import CONCURRENT, fitted, with_memory_of

CELLS = 42
SETTINGS = ((64, 5, 64), (64, 5, 400), (128, 10, 64))  # channels, blocks, simulations
MCTX_BATCHES = {64: (4096, 8192), 400: (2048,)}  # by simulations; the fastest counts
PARAMS = SearchParams.preset("alphazero")


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


def rows_of_mctx(channels: int, blocks: int, simulations: int, batch: int) -> Iterator[int]:
    """Moves of a batch of games with mctx and pgx, and the evaluations that they take."""
    import flax.linen as nn
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx
    from pgx.experimental import auto_reset

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

    env, net = pgx.make("connect_four"), Net()
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


def main() -> None:
    options_parser = parser(__doc__, repeats=1)
    options_parser.add_argument("--device", default="cuda")
    options_parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement (default 5)")
    options_parser.add_argument("--threads", type=int, help="of gather (default: all processors)")
    options_parser.add_argument("--compile", action="store_true", help="compile the network of PyTorch")
    options_parser.add_argument("--settings", type=int, default=len(SETTINGS), help="only the first N networks")
    options = options_parser.parse_args()
    columns = {"what": "", "rows": "rows/s", "card": "of the card", "mctx": "times mctx", "positions": "positions/s"}
    report = Report("Self-play with a network in bfloat16", columns)
    how = {"device": options.device, "dtype": "bfloat16", "compile": options.compile}
    for channels, blocks, simulations in SETTINGS[: options.settings]:
        name = f"{channels} x {blocks}, {simulations} simulations"
        evaluator = TorchEvaluator(network(channels, blocks), **how)
        measure: Callable[[Iterator[int]], float] = lambda counts: rate(counts, options.seconds, options.seconds / 2)  # noqa: E731
        size = evaluator.preferred_batch or 64
        card = measure(rows_of_card(evaluator, size))
        ours = measure(rows_of_pool(evaluator, simulations, options.threads))
        mctx = 0.0
        with suppress(ImportError):
            mctx = max(measure(rows_of_mctx(channels, blocks, simulations, n)) for n in MCTX_BATCHES[simulations])
        report.add(what=f"the card alone, {size} rows, {name}", rows=card)
        report.add(what=f"c4mcts, {name}", rows=ours, card=ours / card, mctx=ours / mctx if mctx else None)
        if mctx:
            report.add(what=f"mctx and pgx, {name}", rows=mctx, card=mctx / card)
        if evaluator.no_graph:
            report.notes.append(f"{name}: no CUDA graph: {evaluator.no_graph}")
        print(name, f"card {card:,.0f}, c4mcts {ours:,.0f}, mctx {mctx:,.0f} rows/s", flush=True)
    evaluator = TorchEvaluator(network(64, 5), **how)
    count = 4 * (evaluator.preferred_batch or 4)
    generate(count // 4, PARAMS, evaluator=evaluator, simulations=8, seed=1)
    start = time.perf_counter()
    data = generate(count, PARAMS, evaluator=evaluator, simulations=64, seed=2)
    speed = len(data.planes) / (time.perf_counter() - start)
    report.add(what=f"generate({count:,}), 64 simulations, from start to end", positions=speed)
    report.finish(options)


if __name__ == "__main__":
    main()
