"""All targets, by name."""

from . import calls, files, folders, memory, pools

TARGETS = calls.TARGETS | files.TARGETS | folders.TARGETS | memory.TARGETS | pools.TARGETS
