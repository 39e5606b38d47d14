#!/usr/bin/env bash
# best_arm 0.1.1. Bandit.run_n(n) repeats an experiment, and one expects n independent runs, whose mean is the number of samples
# that an algorithm needs. Counts and rewards do begin anew, but the tracker belongs to the Bandit: with "c_tracking" its sum
# of wanted shares goes on growing from run to run, so a later run first catches up with all samples of the earlier ones, on
# the arms that were good then. In the mean the third of three runs needs 124 samples instead of 23, and more runs or harder
# problems let it grow further; with a new Bandit for each run it stays at 36. So a comparison of C-tracking with D-tracking,
# which keeps no sum, measures how often it was repeated, and a Bandit that is kept for the next move samples by the last
# one. The documentation has a line on what the package is, and none on run_n.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet best_arm==0.1.1 numpy==1.26.4 scipy==1.12.0
cd "$folder"
"$folder/venv/bin/python" - <<'EOT'
import contextlib
import io
import sys

import numpy
from best_arm.bandit import Bandit
from best_arm.environment import BernoulliEnvironment

with contextlib.redirect_stdout(io.StringIO()):
    environment = BernoulliEnvironment(3, "linear")
environment.probs = [0.9, 0.4, 0.2]


def bandit(tracker):
    return Bandit(env_instance=environment, algo_name="track_and_stop", algo_args={"confidence": 0.1}, tracker_name=tracker,
                  stopping_name="chernoff")


def samples(tracker, anew, experiments=10):
    """The mean samples of the first, second and third run."""
    numpy.random.seed(1)
    needed = []
    for _ in range(experiments):
        runs = [bandit(tracker).run() for _ in range(3)] if anew else bandit(tracker).run_n(3)
        needed.append([int(counts.sum()) for _, counts, _, _ in runs])
    return [round(mean) for mean in numpy.mean(needed, axis=0)]


cases = ("c_tracking", False), ("c_tracking", True), ("d_tracking", False)
seen = {case: samples(*case) for case in cases}
for (tracker, anew), means in seen.items():
    print(f"{tracker}, {'a new Bandit for each run' if anew else 'run_n(3)'}: samples of the first, second and third run {means}")
repeated = seen["c_tracking", False]
others = [means for case, means in seen.items() if case != ("c_tracking", False)]
if repeated[2] < 1.5 * repeated[0] or any(means[2] > 1.4 * means[0] for means in others):
    sys.exit("changed: repeated runs need as many samples as the first")
EOT
