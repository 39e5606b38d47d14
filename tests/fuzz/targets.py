"""All targets, by name."""

from . import (
    calls,
    commands,
    files,
    folders,
    game_texts,
    memory,
    messages,
    notations,
    play,
    pools,
)

TARGETS = (
    calls.TARGETS
    | commands.TARGETS
    | files.TARGETS
    | folders.TARGETS
    | game_texts.TARGETS
    | memory.TARGETS
    | messages.TARGETS
    | notations.TARGETS
    | play.TARGETS
    | pools.TARGETS
)
