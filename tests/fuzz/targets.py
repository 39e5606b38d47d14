"""All targets, by name."""

from . import calls, commands, files, interruptions, memory, messages, notations, play

TARGETS = (
    calls.TARGETS
    | commands.TARGETS
    | files.TARGETS
    | interruptions.TARGETS
    | memory.TARGETS
    | messages.TARGETS
    | notations.TARGETS
    | play.TARGETS
)
