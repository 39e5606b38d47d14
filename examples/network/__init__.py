"""The network of the package, trained on exact scores and on searches of boards from 7x6 to 20x14.

docs/internals/network.md says on what. labels makes the labelled positions, training learns from them, with the layers
of alphazero.layers.
"""
