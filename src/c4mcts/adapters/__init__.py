"""Adapters to other packages, one module each: Kaggle, Gymnasium, PettingZoo, OpenSpiel, pgx and mctx.

The rest of the package imports none of them. `gymnasium`, `pettingzoo` and `openspiel` import the packages that they
are named after, which are not installed with c4mcts.
"""
