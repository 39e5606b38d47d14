"""Searched positions of self-play per second with a free evaluator: a pool of games, and one engine for each game.

The evaluator returns constants, so that only the search and the play are measured. For comparison, in the same run and
in one thread, if installed (bench/requirements.txt): mctx with pgx, in batches of --mctx-batch games, of which the
fastest counts, and the search in Python of OpenSpiel's AlphaZero. Ratios are to mctx, or to one engine without it. CPU
time of the process, which for all of them is one core's. A proven position needs fewer simulations than the
others make. With --preset gumbel all of them run Gumbel AlphaZero, except OpenSpiel, which does not have it.
"""

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from measure import Report, interleave, interval, parser, spread

from c4mcts import Board, Engine, GumbelParams, SearchParams
from c4mcts.selfplay import BatchParams, Pool

CONCURRENT = (1, 64, 512)
MCTX_MOVES = 4  # of each game in one call


def constants(size: int) -> tuple[Any, Any]:
    """Priors and values of `size` positions."""
    return np.ones((size, 7), np.float32), np.zeros(size, np.float32)


def pool_positions(params: SearchParams, games: int, concurrent: int, simulations: int) -> int:
    """Play games in a pool; returns the number of positions."""
    pool = Pool(params, games=games, simulations=simulations, batches=BatchParams(concurrent=concurrent), seed=1)
    priors, values = constants(concurrent)
    while pool.gather() is not None:
        pool.complete(priors, values)
    return sum(len(record.columns) for _, record in pool.finished())


def small_network() -> Callable[[Any], tuple[Any, Any]]:
    """A network of NumPy, 84-512-512-8 neurons, with random weights: planes to priors and values."""
    draw = np.random.default_rng(1)
    weights = [0.1 * draw.standard_normal(shape, np.float32) for shape in ((84, 512), (512, 512), (512, 8))]

    def network(planes: Any) -> tuple[Any, Any]:
        layer = planes.reshape(len(planes), -1)
        for weight in weights[:2]:
            layer = np.maximum(layer @ weight, 0)
        output = layer @ weights[2]
        return np.exp(np.minimum(output[:, :7], 0)), np.tanh(output[:, 7])

    return network


def network_work(
    params: SearchParams, games: int, concurrent: int, simulations: int, cache: int = 0
) -> dict[str, float]:
    """Play games with the small network: rows that it evaluates, batches, seconds of CPU time, and those in it."""
    network = small_network()
    batches = BatchParams(concurrent=concurrent, cache=cache)
    pool = Pool(params, games=games, simulations=simulations, batches=batches, seed=1)
    work = {"rows": 0, "batches": 0, "inside": 0.0}
    start = time.process_time()
    while (batch := pool.gather()) is not None:
        begun = time.process_time()
        answer = network(batch.planes)
        work["inside"] += time.process_time() - begun
        work["rows"] += batch.count
        work["batches"] += 1
        pool.complete(*answer)
    return {**work, "seconds": time.process_time() - start}


def engine_positions(params: SearchParams, games: int, batch_size: int, simulations: int) -> int:
    """Play games with an engine each, and record what it finds."""
    positions = 0
    for number in range(games):
        seed = np.random.SeedSequence(1, spawn_key=(number,))
        engine = Engine(
            params.changed(batch_size=batch_size), seed=seed, evaluator=lambda planes, legal: constants(len(planes))
        )
        draws, board, rows = np.random.default_rng(seed), Board(), []
        while not board.is_over():
            result = engine.search(board, simulations=simulations)
            rows.append((result.policy(), result.root_value))
            column = draws.choice(7, p=result.policy()) if len(rows) <= 10 else result.column
            board.push(int(column))
        positions += len(rows)
    return positions


def mctx_job(batch: int, simulations: int, gumbel: bool) -> Callable[[], object]:
    """A compiled function that plays MCTX_MOVES moves in `batch` games with mctx and pgx."""
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx
    from pgx.experimental import auto_reset

    env: Any = pgx.make("connect_four")
    step = jax.vmap(env.step)

    def answer(state: Any) -> tuple[Any, Any]:
        logits = jnp.where(state.legal_action_mask, 0.0, jnp.finfo(jnp.float32).min)
        return logits, jnp.zeros(batch)

    def recurrent(_: Any, key: Any, action: Any, state: Any) -> Any:
        player = state.current_player
        state = step(state, action)
        logits, value = answer(state)
        reward = state.rewards[jnp.arange(batch), player]
        discount = jnp.where(state.terminated, 0.0, -1.0)
        return mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value), state

    @jax.jit
    def move(key: Any, state: Any) -> Any:
        search_key, reset_key = jax.random.split(key)
        logits, value = answer(state)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state)
        options: dict[str, Any] = {} if gumbel else {"dirichlet_fraction": 0.25, "dirichlet_alpha": 1.4}
        found = (mctx.gumbel_muzero_policy if gumbel else mctx.muzero_policy)(
            None,
            search_key,
            root,
            recurrent,
            num_simulations=simulations,
            invalid_actions=~state.legal_action_mask,
            **options,
        )
        return jax.vmap(auto_reset(env.step, env.init))(state, found.action, jax.random.split(reset_key, batch))

    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), batch))
    jax.block_until_ready(move(jax.random.key(2), start))

    def run() -> None:
        state = start
        for number in range(MCTX_MOVES):
            state = move(jax.random.key(number), state)
        jax.block_until_ready(state)

    return run


def openspiel_job(simulations: int) -> Callable[[], int]:
    """A function that plays a game with the search of OpenSpiel's AlphaZero, in Python, and returns its positions."""
    import pyspiel
    from open_spiel.python.algorithms import mcts

    class Constant(mcts.Evaluator):  # type: ignore[misc]
        def evaluate(self, state: Any) -> Any:
            return np.zeros(2)

        def prior(self, state: Any) -> Any:
            legal = state.legal_actions()
            return [(column, 1 / len(legal)) for column in legal]

    game = pyspiel.load_game("connect_four")

    def run() -> int:
        bot = mcts.MCTSBot(
            game,
            1.5,
            simulations,
            Constant(),
            solve=False,
            random_state=np.random.RandomState(1),
            dirichlet_noise=(0.25, 1.4),
            child_selection_fn=mcts.SearchNode.puct_value,
        )
        draws, state, positions = np.random.default_rng(1), game.new_initial_state(), 0
        while not state.is_terminal():
            visits = np.array([(child.action, child.explore_count) for child in bot.mcts_search(state).children])
            state.apply_action(int(draws.choice(visits[:, 0], p=visits[:, 1] / visits[:, 1].sum())))
            positions += 1
        return positions

    return run


def main() -> None:
    options = parser(__doc__, repeats=3)
    options.add_argument("--simulations", type=int, nargs="+", default=[64, 400], help="for each move")
    options.add_argument(
        "--mctx-batch", type=int, nargs="+", default=[32, 64, 256], help="games of mctx at the same time"
    )
    options.add_argument("--cache", action="store_true", help="measure the cache of evaluations instead")
    options.add_argument("--fill", action="store_true", help="measure how many rows of the batches have a leaf instead")
    options.add_argument("--preset", choices=("alphazero", "gumbel"), default="alphazero", help="the search to use")
    args = options.parse_args()
    params = SearchParams.preset(args.preset, batch_size=1)
    if args.cache or args.fill:
        (measure_cache if args.cache else measure_fill)(args, params)
        return
    columns = {"way": "way", "simulations": "simulations", "speed": "positions/s", "ratio": "ratio"}
    report = Report("Searched positions per second of CPU time, free evaluator, 7x6, median (min - max)", columns)
    report.notes.append(
        "ratio: to the fastest mctx + pgx (without it, one engine), within each repeat, median (interval of 95 %)"
    )
    for simulations in args.simulations:
        work = network_work(params, 512, 512, simulations)
        share = work["inside"] / work["seconds"]
        report.notes.append(
            f"{simulations} simulations: {share:.0%} of the time is a network's of 84-512-512-8 neurons in NumPy"
        )
        measure(report, params, simulations, args.repeats, args.mctx_batch)
    report.finish(args)


def measure_cache(args: Any, params: SearchParams) -> None:
    """Savings and cost of the cache of evaluations, with the small network."""
    columns = {"cache": "cache", "rows": "rows", "batches": "batches", "seconds": "CPU s", "outside": "outside network"}
    title = "512 games, 256 at once, with a NumPy network of 84-512-512-8 neurons"
    report = Report(f"{title}, {args.simulations[0]} simulations per move", columns)
    for cache in (0, 10_000, 100_000, 1_000_000):
        work = network_work(params, 512, 256, args.simulations[0], cache)
        seconds = {"seconds": round(work["seconds"], 2), "outside": round(work["seconds"] - work["inside"], 2)}
        report.add(cache=f"{cache:,}", rows=f"{work['rows']:,}", batches=f"{work['batches']:,}", **seconds)
    report.finish(args)


def measure_fill(args: Any, params: SearchParams) -> None:
    """The share of the rows that have a leaf, by the games that a pool has for each slot."""
    columns = {"games": "games for each slot", "batches": "batches", "share": "rows with a leaf"}
    report = Report(f"Rows of the batches of a pool of 64, {args.simulations[0]} simulations per move", columns)
    for games in (1, 2, 4, 8, 16):
        pool = Pool(
            params, games=64 * games, simulations=args.simulations[0], batches=BatchParams(concurrent=64), seed=1
        )
        counts = []
        while (batch := pool.gather()) is not None:
            counts.append(batch.count)
            pool.complete(*constants(64))
        report.add(games=games, batches=f"{len(counts):,}", share=f"{np.mean(counts) / 64:.0%}")
    report.finish(args)


def measure(report: Report, params: SearchParams, simulations: int, repeats: int, mctx_batches: list[int]) -> None:
    """Add the rows for one number of simulations."""
    jobs: dict[str, Callable[[], object]] = {}
    positions: dict[str, int] = {}

    def add(name: str, job: Callable[[], int]) -> None:
        jobs[name], positions[name] = job, job()

    few = max(1, 400 // simulations)
    for batch_size in (1, 64):
        name = f"one engine, batch {batch_size}"
        add(name, lambda batch_size=batch_size: engine_positions(params, few, batch_size, simulations))  # type: ignore[misc]
    for concurrent in CONCURRENT:
        name, games = f"pool of {concurrent}", max(few, 4 * concurrent)
        add(name, lambda c=concurrent, games=games: pool_positions(params, games, c, simulations))  # type: ignore[misc]
    if not isinstance(params, GumbelParams):
        try:
            add("OpenSpiel, Python", openspiel_job(simulations))
        except ImportError as error:
            report.notes.append(f"without OpenSpiel: {error}")
    try:
        for batch in mctx_batches:
            name = f"mctx + pgx, {batch} games"
            jobs[name], positions[name] = (
                mctx_job(batch, simulations, isinstance(params, GumbelParams)),
                batch * MCTX_MOVES,
            )
    except ImportError as error:
        report.notes.append(f"without mctx and pgx: {error}")
    times = interleave(jobs, repeats)
    speeds = {name: [positions[name] / seconds for seconds in times[name]] for name in jobs}
    others = [speeds[name] for name in jobs if name.startswith("mctx")] or [speeds["one engine, batch 1"]]
    base = [max(found) for found in zip(*others, strict=True)]
    for name, found in speeds.items():
        ratios = interval(one / other for one, other in zip(found, base, strict=True))
        report.add(way=name, simulations=simulations, speed=spread(found), ratio=ratios)


if __name__ == "__main__":
    main()
