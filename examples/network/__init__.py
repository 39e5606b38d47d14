"""The network of the package, trained on exact scores and on searches of boards from 7x6 to 20x14.

docs/internals/network.md says on what. labels makes the labelled positions, training learns from them, with the layers
of alphazero.layers.

first_player trains the moves of a network on its own errors as the first player on 7x6, and reach counts these.
first-player.npz is what it has learned so far.
"""
