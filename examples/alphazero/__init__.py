"""AlphaZero-style training that can be stopped at any moment, and is measured against exact scores.

    cd examples
    python -m alphazero train run --preset small
    python -m alphazero plot run

docs/guide/training.md explains it. The modules, in the order of their imports:

configuration   presets, changes by name, checks
files           files written atomically
folder          the folder of a training run
positions       the test positions (positions.npz, made by make_positions.py)
threats         planes of threats, which a network adds to the discs
patterns        lines of four and columns, which the network of the package sees
layers          the layers of that network, and how they learn
lines, resnet, dense
                the networks: the small one of the package, one of PyTorch, one of NumPy; and how they learn
networks        the one that a configuration asks for
replay          batches from the games of the last generations
labels          exact scores of late positions
matches         games against players of c4mcts, and against another network
evaluation      error rates
metrics         tables as CSV and for TensorBoard
training        the generations
asynchronous    the same while other processes play
tournament      tournaments of networks, and sweeps
own_games       best moves in the positions of a network's own games
ceiling         the same network, trained on exact scores
plot            the curve
"""
