"""The network of the package, trained on exact scores and on searches of boards from 7x6 to 20x14.

docs/internals/network.md says on what. labels makes the labelled positions, training learns from them, with the layers
of alphazero.layers.

counterexamples trains the moves of a network on its own errors on 7x6, repair changes single weights where it still
errs, and reach counts the errors. first-player.npz, second-player.npz and draw-player.npz have none in the games that
they are for: docs/guide/proven-network.md.
"""
