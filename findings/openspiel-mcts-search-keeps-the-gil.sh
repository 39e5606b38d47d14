#!/usr/bin/env bash
# open_spiel 2.0.2. Since the bindings release Python's lock (2026), two searches of pyspiel.MCTSBot can run in two threads,
# but only through step(state): mcts_search(state), the method to call for the tree with its visits and values, does the
# same work and keeps the lock. A program that searches with it in threads gets the speed of one, and its other threads (a
# clock, a server, a progress bar) stand still until the search is over. Neither the docstrings nor the documentation of
# the bots say which methods release it. Seen here: how often a second thread that sleeps for 1 ms wakes up while one search
# runs; about as often as it can with step, and hardly ever with mcts_search.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet open_spiel==2.0.2
"$folder/venv/bin/python" - <<'EOF'
import sys
import threading
import time

import pyspiel

game = pyspiel.load_game("connect_four")
state = game.new_initial_state()


def waking(method):
    """How often another thread wakes up while a search runs, and its seconds."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 20_000, 1000, False, 1, False)
    times, is_over, is_ready = [], threading.Event(), threading.Event()

    def sleep():
        while not is_over.is_set():
            time.sleep(0.001)
            times.append(time.perf_counter())
            is_ready.set()

    other = threading.Thread(target=sleep)
    other.start()
    is_ready.wait()
    begin = time.perf_counter()
    getattr(bot, method)(state)
    end = time.perf_counter()
    is_over.set()
    other.join()
    return sum(begin < each < end for each in times), end - begin


(stepping, seconds), (searching, more) = waking("step"), waking("mcts_search")
print(f"step: {seconds:.2f} s, the other thread woke {stepping} times")
print(f"mcts_search: {more:.2f} s, the other thread woke {searching} times")
if stepping < 20 or searching > stepping // 10:
    sys.exit("changed: which methods of MCTSBot release the lock")
EOF
