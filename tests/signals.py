"""Interrupts calls at every possible moment, for tests of Ctrl-C."""

import contextlib
import dis
import gc
import itertools
import signal
import sys
import threading
import time
from pathlib import Path

HANG = 60  # seconds

# files in which threads wait for each other, and that of selfplay.Pool
WATCHED = ("background.py", "jobs.py", "threading.py", "_base.py", "queue.py", "pool.py")


@contextlib.contextmanager
def handled(number, handler):
    """Handle a signal by a function; garbage collection is off, since its callbacks would swallow exceptions."""
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
    """Repeat a call, interrupted at a later moment each time, until it finishes; return the number of interrupts."""
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
    """Whether all threads of searches end within HANG seconds."""
    deadline = time.monotonic() + HANG
    while any(thread.name.startswith(("c4mcts", "ThreadPool")) for thread in threading.enumerate()):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)
    return True


class _Interrupt:
    """Raises KeyboardInterrupt at the n-th moment at which Python may handle a signal in the files WATCHED.

    Those moments are: after a call, at the start of a function, when a generator resumes, at the end of a loop's pass.
    """

    def __init__(self, moment):
        self._moments = moment  # remaining until the interrupt
        self._last = {}  # the previous instruction, by frame

    def __enter__(self):
        sys._getframe().f_trace_opcodes = True  # CPython 3.12 needs a frame with it when tracing starts
        self._before = sys.gettrace()  # of a debugger, or of coverage
        sys.settrace(self._trace)

    def __exit__(self, *_):
        sys.settrace(self._before)

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
    """Yield a function that starts a timer, which raises TimeoutError after HANG seconds if the system has timers."""

    def fail(*_):
        raise TimeoutError("it hangs")

    if not hasattr(signal, "setitimer"):
        yield lambda: None
        return
    with handled(signal.SIGALRM, fail):
        yield lambda: signal.setitimer(signal.ITIMER_REAL, HANG)
