"""Attacks by chance: random cases that must end in a result that is right, or in one clear error.

`python -m tests.fuzz --minutes 60` attacks for an hour; CONTRIBUTING.md says more. A case that was found is kept as a
file in `cases/`, and checked by the tests for ever.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # the tests' own modules: forging, oracles and so on
