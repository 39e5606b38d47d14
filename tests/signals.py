"""Signals in tests."""

import contextlib
import dis
import gc
import itertools
import signal
import sys
import threading
import time
from pathlib import Path

HANG = 20  # seconds

# where threads wait for each other, or might
WATCHED = ("background.py", "jobs.py", "threading.py", "thread.py", "_base.py", "queue.py")


@contextlib.contextmanager
def handled(number, handler):
    """A signal goes to the handler; without garbage collection, whose callbacks would swallow what it raises."""
    before = signal.signal(number, handler)
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        if number != signal.SIGINT:
            signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(number, before)


def interrupted_everywhere(call):
    """Make a call again and again, interrupted at one moment after the other, until it gets through.

    Returns how many interrupts there were.
    """
    with _no_hanging() as start:
        for moment in itertools.count(1):
            start()
            try:
                with _Interrupt(moment):
                    call()
                return moment - 1
            except KeyboardInterrupt:
                continue


def searches_end():
    """Whether all threads of searches end within seconds."""
    deadline = time.monotonic() + HANG
    while any(thread.name.startswith(("c4mcts", "ThreadPool")) for thread in threading.enumerate()):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)
    return True


class _Interrupt:
    """KeyboardInterrupt in this thread, at one of the moments at which Python may answer a signal in the code WATCHED.

    Those are: after a call, at the beginning of a function or of a generator's next part, at the end of a loop's round.
    """

    def __init__(self, moment):
        self._moments = moment  # until then
        self._last = {}  # the instruction before, by frame

    def __enter__(self):
        sys._getframe().f_trace_opcodes = True  # CPython 3.12 looks for a frame that has it when tracing begins
        sys.settrace(self._trace)

    def __exit__(self, *_):
        sys.settrace(None)

    def _trace(self, frame, event, _):
        if Path(frame.f_code.co_filename).name not in WATCHED:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            last = self._last.get(frame, "")
            self._last[frame] = dis.opname[frame.f_code.co_code[frame.f_lasti]]
            if last.startswith(("CALL", "RESUME", "JUMP_BACKWARD")):
                self._moments -= 1
                if self._moments == 0:
                    raise KeyboardInterrupt
        return self._trace


@contextlib.contextmanager
def _no_hanging():
    """Gives a function that starts the clock, at the end of which TimeoutError is raised, where there are timers."""

    def fail(*_):
        raise TimeoutError("it hangs")

    if not hasattr(signal, "setitimer"):
        yield lambda: None
        return
    with handled(signal.SIGALRM, fail):
        yield lambda: signal.setitimer(signal.ITIMER_REAL, HANG)
