"""Writes docs/cli.md, the page of all commands, from their parsers: python docs/cli.py"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from c4mcts.cli.commands import command_parser
from c4mcts.cli.exit_codes import MEANINGS

PAGE = Path(__file__).with_suffix(".md")
HEAD = """# Commands

This page is generated from the parsers of the commands by `python docs/cli.py`. `c4mcts --help` and
`c4mcts COMMAND --help` say the same.

The output of each command with `--json` is described by a JSON Schema: {schemas}. Every
result of a computation begins with the same keys: `version`, `backend`, `preset`, `params`, `limits`, `threads`,
`seed`, `rules`, `point_of_view`; a key that does not apply is null.

A position is a text as [boards](guide/boards.md#texts) explains: `4453`, `3,3,4,2`, a FEN, or `20x14x5:9,10`. Otherwise
columns count from 1 at the shell, and from 0 in JSON and CSV.

`analyze` and `solve` read positions from standard input, too, one per line: a FEN, or the first word of the line. Blank
lines are skipped. A line without a position gets its own error, with `--json` also a record with `index`, `position`
and `error`; all other lines are answered, and the exit code is 2.

## Exit codes

| code | meaning |
|---|---|
{codes}

SIGINT and SIGTERM end a search or a match, which prints its result so far, also into a pipe; a second signal ends the
command immediately. Matches with `--checkpoint`, experiments and self-play keep their checkpoints, and the same command
continues from there.

## Completion

`pip install 'c4mcts[completion]'`, and then, for bash:

```
c4mcts --print-completion bash > ~/.local/share/bash-completion/completions/c4mcts
```

For zsh, write the output of `c4mcts --print-completion zsh` to a file `_c4mcts` in a folder of `$fpath`; for tcsh,
source it.
"""
SCHEMAS = ("analyze", "match", "tournament", "review", "solve", "book", "perft", "bench", "info", "signature")


def page() -> str:
    """The text of the page."""
    schemas = ", ".join(f"[{name}](schemas/{name}.json)" for name in SCHEMAS)
    codes = "\n".join(f"| {code} | {meaning} |" for code, meaning in MEANINGS.items())
    parts = [HEAD.format(schemas=schemas, codes=codes)]
    for name, parser in subparsers(command_parser()):
        parts += section(f"c4mcts {name}", parser, "##")
        for word, inner in subparsers(parser):
            parts += section(f"c4mcts {name} {word}", inner, "###")
    return "\n".join(parts)


def subparsers(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The names and the parsers of the subcommands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def section(title: str, parser: argparse.ArgumentParser, heading: str) -> list[str]:
    """The part of the page about one command."""
    rows = [f"| `{escaped(invocation(action))}` | {escaped(action.help or '')} |" for action in arguments(parser)]
    table = ["| argument | meaning |", "|---|---|", *rows, ""] if rows else []
    end = [parser.epilog, ""] if parser.epilog else []
    return [f"{heading} {title}", "", f"{parser.description}", "", *table, *end]


def arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The options and positional arguments, in the order of the help, without --help and subcommands."""
    hidden = (argparse._HelpAction, argparse._SubParsersAction)
    return [
        action for group in parser._action_groups for action in group._group_actions if not isinstance(action, hidden)
    ]


def invocation(action: argparse.Action) -> str:
    """An argument as it is written."""
    value = action.metavar or ("{" + ",".join(map(str, action.choices)) + "}" if action.choices else None)
    if isinstance(value, tuple):
        value = " ".join(value)
    if not action.option_strings:
        word = str(value or action.dest)
        if isinstance(action.nargs, int):
            return " ".join([word] * action.nargs)
        return f"{word} ..." if action.nargs == "+" else f"[{word}]" + (" ..." if action.nargs == "*" else "")
    return action.option_strings[-1] if action.nargs == 0 else f"{action.option_strings[-1]} {value or action.dest}"


def escaped(text: str) -> str:
    """Text for a cell of a table."""
    return text.replace("|", "\\|").replace("%%", "%")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
