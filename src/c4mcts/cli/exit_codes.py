"""The exit codes of all commands."""

OK, FAILED, USAGE, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143

MEANINGS = {
    OK: "done, or the reader of the output has gone away",
    FAILED: "failed, for lack of memory or space, or because of an evaluator, a player, a missing backend or program",
    USAGE: "wrong usage: an option, a file or a position (all other lines of the input are answered)",
    INTERRUPTED: "stopped by Ctrl-C (SIGINT), with what was found so far",
    TERMINATED: "stopped by SIGTERM, with what was found so far",
}
