"""What the platform lacks: in WebAssembly a process has one thread, and can't start others."""

import sys

IS_WASM = sys.platform == "emscripten"
HAS_THREADS = not IS_WASM  # read when it is needed, so that tests can change it


def require_threads(what: str) -> None:
    """RuntimeError if the platform has no threads. what: needs them."""
    if not HAS_THREADS:
        raise RuntimeError(f"{what} needs threads, and this platform has none")
