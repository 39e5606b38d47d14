"""All targets, by name."""

from . import calls, files, folders, memory, notations, pools

TARGETS = calls.TARGETS | files.TARGETS | folders.TARGETS | memory.TARGETS | notations.TARGETS | pools.TARGETS
