"""Train a small network by self-play and measure what it has learned, in ten minutes on a CPU.

python examples/train.py --out network.pt

Each generation plays games with the newest network, then learns from the games of the last five generations. At the end
the trained network plays against the untrained one and against UCT with random rollouts, with equal simulations.
"""

import argparse
import copy
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import repeat
from multiprocessing import get_context

import numpy as np
import torch
from evaluator_torch import Network
from torch import nn

from c4mcts import Board, SearchParams, selfplay, study
from c4mcts.evaluators import TorchEvaluator
from c4mcts.play.arena import play_match
from c4mcts.play.players import EnginePlayer

PUCT = SearchParams.preset("puct-node", planes="binary", exploration=1.5, batch_size=8)
NOISY = SearchParams.preset("puct-node", planes="binary", exploration=1.5, root_noise=(1.0, 0.25))


def learn(network, games, epochs, batch=128):
    """Fit the network to policies and outcomes. Return the mean losses of the last epoch."""
    arrays = [data.training() for data in games]
    planes, policy, outcome = (torch.from_numpy(np.concatenate(parts)) for parts in zip(*arrays, strict=True))
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=1e-3)
    network.train()
    for _ in range(epochs):
        sums = np.zeros(2)
        for rows in torch.randperm(len(planes)).split(batch):
            logits, values = network(planes[rows])
            losses = nn.functional.cross_entropy(logits, policy[rows]), nn.functional.mse_loss(values, outcome[rows])
            optimizer.zero_grad()
            sum(losses).backward()
            optimizer.step()
            sums += [len(rows) * loss.item() for loss in losses]
    network.eval()
    return sums / len(planes)


def opening(seed, plies=4):
    """A board after random moves."""
    generator, board = np.random.default_rng(seed), Board()
    while board.ply < plies:
        board.push(generator.choice(board.legal_columns))
    return board


def pair(player, opponent, seed):
    """Two games from the same opening; each side moves first once."""
    return play_match(player, opponent, games=2, start=opening(seed), seed=seed)


def match(name, player, opponent, pairs, pool):
    """Play pairs of games and print the results. A draw counts as half a win."""
    results = list(pool.map(pair, repeat(player), repeat(opponent), range(pairs)))
    wins, draws, losses = (sum(getattr(result, end) for result in results) for end in ("wins", "draws", "losses"))
    low, high = study.wilson(wins + draws / 2, 2 * pairs)
    share = (wins + draws / 2) / (2 * pairs)
    print(f"against {name}: {wins} won, {draws} drawn, {losses} lost: {share:.1%} (95 %: {low:.1%} to {high:.1%})")


def train(network, args, pool):
    """Play and learn for args.generations generations."""
    games = []
    for generation in range(args.generations):
        start = time.perf_counter()
        games.append(
            selfplay.generate(
                args.games,
                NOISY,
                simulations=args.simulations,
                temperature_plies=12,
                evaluator=TorchEvaluator(network),
                concurrent=50,
                seed=args.seed + generation,
                executor=pool,
            )
        )
        policy_loss, value_loss = learn(network, games[-5:], epochs=2)
        seconds = time.perf_counter() - start
        print(f"{generation}: {games[-1]}; losses {policy_loss:.3f} {value_loss:.3f}; {seconds:.0f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--generations", type=int, default=12)
    parser.add_argument("--games", type=int, default=200, help="games per generation")
    parser.add_argument("--simulations", type=int, default=100, help="simulations per move")
    parser.add_argument("--pairs", type=int, default=100, help="pairs of games in each match")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="file for the trained weights")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    network = Network()
    untrained = copy.deepcopy(network)
    # one thread for each process: the networks are small
    with ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=torch.set_num_threads, initargs=(1,)) as pool:
        train(network, args, pool)
        if args.out:
            torch.save(network.state_dict(), args.out)
        player = partial(EnginePlayer, PUCT, simulations=args.simulations)
        trained = player(evaluator=TorchEvaluator(network))
        match("untrained", trained, player(evaluator=TorchEvaluator(untrained)), args.pairs, pool)
        uct = EnginePlayer(SearchParams.preset("uct"), simulations=args.simulations)
        match("UCT", trained, uct, args.pairs, pool)


if __name__ == "__main__":
    main()
