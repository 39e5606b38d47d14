"""The order in which the solver searches moves on 7x6, learned from its own searches.

docs/internals/solver.md says what for. `sampler` searches moves by themselves, `training` finds the weights.
"""
