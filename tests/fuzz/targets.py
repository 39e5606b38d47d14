"""All targets, by name."""

from . import calls, files, folders, memory

TARGETS = calls.TARGETS | files.TARGETS | folders.TARGETS | memory.TARGETS
