"""All targets, by name."""

from . import (
    calls,
    commands,
    engines,
    files,
    folders,
    game_texts,
    interruptions,
    memory,
    messages,
    notations,
    play,
    pools,
    results,
)

TARGETS = (
    calls.TARGETS
    | commands.TARGETS
    | engines.TARGETS
    | files.TARGETS
    | folders.TARGETS
    | game_texts.TARGETS
    | interruptions.TARGETS
    | memory.TARGETS
    | messages.TARGETS
    | notations.TARGETS
    | play.TARGETS
    | pools.TARGETS
    | results.TARGETS
)
