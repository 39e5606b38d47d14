"""Weights of the features of moves, by which those come first that cause a cutoff with few nodes."""

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from c4mcts._layout import ORDER_SHAPE

Array = npt.NDArray[np.float32]
Moves = npt.NDArray[np.void]  # of sampled positions, see sampler

GROUPS, WEIGHTS = ORDER_SHAPE
UNIT = 1 << 12  # a weight of 1 in the file, or less, so that the largest weight is LARGEST
LARGEST = 30_000
NODES_POWER = 0.5  # a position counts for the nodes of its best move to this power
MOST_COST = 4.0  # the most that a move costs if it comes first, see `targets`
ENTROPY = 0.3  # of the cross entropy, beside the expected cost, in the loss
PULL = 1e-2  # of the weights of a group towards those of all moves
DECAY = 1e-4  # of these
STEPS = 100


def trained(moves: Moves) -> npt.NDArray[np.int16]:
    """The weights that fit these moves best.

    First those for all moves, from which the weights of each group start: the two groups of a stage and a player, with
    either player to move after the forced moves, together, since their moves compete.
    """
    index = rows_of(moves)
    is_move = index >= 0
    goals = targets(moves, index)
    inputs = inputs_of(moves)
    mean, deviation = inputs.mean(axis=0), inputs.std(axis=0) + 1e-6
    scaled = ((inputs - mean) / deviation)[index] * is_move[..., None]
    groups = moves["group"][index]
    common = fitted(scaled, is_move, goals, np.zeros(WEIGHTS), DECAY, by_cost=False)
    common = fitted(scaled, is_move, goals, common, DECAY)
    found = np.zeros((GROUPS, WEIGHTS))
    for pair in range(GROUPS // 2):
        chosen = groups[:, 0] // 2 == pair
        second = (groups[chosen] & 1).astype(np.float32)[..., None]
        both = np.concatenate([scaled[chosen] * (1 - second), scaled[chosen] * second, second], axis=2)
        start = np.concatenate([common, common, [0.0]])
        weights = fitted(both, is_move[chosen], [goal[chosen] for goal in goals], start, PULL)
        found[2 * pair : 2 * pair + 2] = weights[:-1].reshape(2, WEIGHTS) / deviation
        found[2 * pair + 1, -24:] += weights[-1]  # each move has one of the last weights, that of its cell
    found[:, -24:] -= (found @ mean)[:, None]
    return np.rint(found * min(UNIT, LARGEST / np.abs(found).max())).astype(np.int16)


def rows_of(moves: Moves) -> npt.NDArray[np.intp]:
    """The moves of each position, (n, 7); -1 for none."""
    first = np.flatnonzero(np.diff(moves["position"], prepend=-1))
    sizes = np.diff(first, append=len(moves))
    column = np.arange(7)
    return np.where(column < sizes[:, None], first[:, None] + column, -1)


def inputs_of(moves: Moves) -> Array:
    """What the weights of each move are multiplied by."""
    inputs = np.zeros((len(moves), WEIGHTS), np.float32)
    inputs[:, : WEIGHTS - 24] = moves["features"]
    inputs[np.arange(len(moves)), moves["place"]] = 1
    return inputs


def targets(moves: Moves, index: npt.NDArray[np.intp]) -> list[Array]:
    """Shares of the moves that cause a cutoff, larger for fewer nodes; costs of all moves; importance of each position.

    The cost of a move is the logarithm of the nodes if it comes first and the best move second, relative to the best
    order's. Positions with one number of empty cells are together as important as those with any other, for their
    number.
    """
    nodes = np.maximum(moves["nodes"][index], 1).astype(float)
    is_good = (index >= 0) & (moves["is_good"][index] == 1)
    best = np.where(is_good, nodes, np.inf).min(axis=1, keepdims=True)
    shares = np.where(is_good, best / nodes, 0)
    if_first = np.where(index >= 0, np.where(is_good, nodes, nodes + best), best)
    importance = best[:, 0] ** NODES_POWER
    empty = moves["empty"][index[:, 0]]
    for number in np.unique(empty):
        chosen = empty == number
        importance[chosen] *= chosen.sum() / importance[chosen].sum()
    costs = np.minimum(np.log(if_first / best), MOST_COST)
    return [goal.astype(np.float32) for goal in (shares / shares.sum(axis=1, keepdims=True), costs, importance)]


def fitted(
    inputs: Array,
    is_move: npt.NDArray[np.bool_],
    goals: list[Array],
    start: npt.NDArray[np.float64],
    pull: float,
    by_cost: bool = True,
) -> npt.NDArray[np.float64]:
    """The weights with the least expected cost of the first move, if it is drawn by the softmax; pulled to `start`.

    The cross entropy between shares and softmax is added to it, or is all that counts: it has one minimum, from which
    the search for the least cost begins.
    """
    shares, costs, importance = goals
    importance = importance / importance.sum()
    flat = inputs.reshape(-1, inputs.shape[2])

    def loss(weights: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        logits = np.where(is_move, inputs @ weights.astype(np.float32), -1e9)
        logits -= logits.max(axis=1, keepdims=True)
        exponentials = np.exp(logits)
        total = exponentials.sum(axis=1, keepdims=True)
        odds = exponentials / total
        entropy = (np.where(is_move, np.log(total) - logits, 0) * shares).sum(axis=1)
        cost = (odds * costs).sum(axis=1)
        if by_cost:
            value = importance @ (cost + ENTROPY * entropy)
            slopes = odds * (costs - cost[:, None]) + ENTROPY * (odds - shares)
        else:
            value, slopes = importance @ entropy, odds - shares
        gradient = (slopes * importance[:, None]).astype(np.float32).reshape(-1) @ flat
        return float(value) + pull * float(((weights - start) ** 2).sum()), gradient + 2 * pull * (weights - start)

    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x
