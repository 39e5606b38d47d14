"""Makes tests/data/mctx_trees.json, for tests/reference/test_mctx.py: searches by mctx.gumbel_muzero_policy.

    pip install jax==0.10.2 mctx==0.0.71
    python tools/mctx_trees.py

Priors and values come from `evaluators.spread`, in double precision. The rules are written out here. Positions are
left out whose tree has a node with a full column: mctx counts such a column as an unvisited move when it scales the
values of a node.
"""

import json
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import jax
import jax.numpy as jnp
import mctx
import numpy as np
from evaluators import spread

jax.config.update("jax_enable_x64", True)

STARTS = [[], [3], [3, 3, 2], [0, 1, 2, 3, 4, 5], [3, 0, 3, 1, 3], [2, 4, 3, 4, 6, 4], [1, 5, 2, 5, 6, 0, 6, 2, 0]]
SEARCHES = [  # height of the board, simulations, considered actions
    (6, 2, 16),
    (6, 16, 4),
    (6, 50, 16),
    (6, 64, 7),
    (15, 200, 16),
    (15, 200, 1),
    (15, 300, 3),
]
WIDTH = 7


def has_four(own):
    """Whether each board of a batch has four in a row. own: (batch, height, WIDTH), bool."""
    found = jnp.zeros(len(own), bool)
    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        padded = jnp.pad(own, ((0, 0), (3, 3), (3, 3)))
        line = padded
        for step in (1, 2, 3):
            line &= jnp.roll(padded, (-step * up, -step * right), (1, 2))
        found |= line.any((1, 2))
    return found


def play(state, action):
    """The states after each player has put a disc into a column; finished games stay as they are."""
    own, other, over = state
    empty = ~(own | other)
    row = empty.sum(1)[jnp.arange(len(own)), action] - 1  # row 0 on top: the lowest empty one
    dropped = own.at[jnp.arange(len(own)), row, action].set(True)
    won = ~over & has_four(dropped)
    full = (dropped | other).all((1, 2))
    held = over[:, None, None]
    return (jnp.where(held, own, other), jnp.where(held, other, dropped), over | won | full), won


def evaluate(state):
    own, other, over = state
    legal = ~(own | other)[:, 0]
    priors, values = spread(jnp.stack([own, other], axis=1), legal)
    return jnp.where(legal, jnp.log(priors), jnp.finfo(jnp.float64).min), jnp.where(over, 0.0, values)


def recurrent(params, key, action, state):
    before = state[2]
    state, won = play(state, action)
    logits, value = evaluate(state)
    reward = jnp.where(won, 1.0, 0.0)
    discount = jnp.where(before | state[2], 0.0, -1.0)
    return mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value), state


@partial(jax.jit, static_argnums=(2, 3, 4))
def search(key, state, simulations, considered, scale):
    logits, value = evaluate(state)
    return mctx.gumbel_muzero_policy(
        None,
        key,
        mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state),
        recurrent,
        simulations,
        max_num_considered_actions=considered,
        gumbel_scale=scale,
    )


def starts(height):
    empty = jnp.zeros((1, height, WIDTH), bool)
    states = []
    for moves in STARTS:
        state = (empty, empty, jnp.zeros(1, bool))
        for move in moves:
            state, _ = play(state, jnp.array([move]))
        states.append(state)
    return tuple(jnp.concatenate(parts) for parts in zip(*states, strict=True))


def main():
    cases = []
    for number, (height, simulations, considered) in enumerate(SEARCHES):
        state = starts(height)
        for scale in (0.0, 1.0):
            found = search(jax.random.key(number), state, simulations, considered, scale)
            tree, summary = found.search_tree, found.search_tree.summary()
            top = np.asarray((tree.embeddings[0] | tree.embeddings[1])[:, :, 0])
            for i, moves in enumerate(STARTS):
                if top[i].any():
                    print("left out: a full column below", moves, "in", simulations, "simulations")
                    continue
                cases.append(
                    {
                        "height": height,
                        "moves": moves,
                        "simulations": simulations,
                        "max_num_considered_actions": considered,
                        "gumbel": np.asarray(tree.extra_data.root_gumbel[i]).tolist(),
                        "visits": np.asarray(summary.visit_counts[i]).tolist(),
                        "q": np.asarray(summary.qvalues[i]).round(12).tolist(),
                        "action": int(found.action[i]),
                        "action_weights": np.asarray(found.action_weights[i]).round(12).tolist(),
                    }
                )
    lines = ",\n".join(json.dumps(case) for case in cases)
    out = Path(__file__).parents[1] / "tests" / "data" / "mctx_trees.json"
    out.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(len(cases), "searches")


if __name__ == "__main__":
    main()
