"""Makes `python -m c4mcts` the same as the command `c4mcts`."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
