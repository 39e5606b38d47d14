"""The command line: python -m alphazero train run --preset small"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from c4mcts import CheckpointError, SaveError

from . import files
from .configuration import PRESETS, Configuration, ConfigurationError
from .folder import Folder


def main(arguments: list[str] | None = None) -> int:
    """Run a command. Returns the exit code: 1 after an error, 130 after Ctrl-C."""
    args = _parser().parse_args(arguments)
    try:
        _run(args)
    except (ConfigurationError, CheckpointError, SaveError, OSError) as error:
        print(f"alphazero: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\nStopped. All finished games are kept. To continue:\n  {_command(args)}", file=sys.stderr)
        return 130
    return 0


def _run(args: argparse.Namespace) -> None:
    if args.command == "plot":
        from .plot import plot

        plot(args.folder, args.out)
        return
    folder = Folder(args.folder, _configuration(args))
    if args.command == "train":
        from .training import train

        train(folder)
    elif args.command == "evaluate":
        from .training import measure

        measure(folder, again=args.again)
    elif args.command == "export":
        _export(folder, args.out)
    else:
        from .ceiling import ceiling

        ceiling(folder, args.games, args.per_ply, args.per_slow_ply)


def _export(folder: Folder, out: Path) -> None:
    """Write the last network in the ONNX format."""
    if folder.configuration.network != "resnet":
        raise ConfigurationError(f'export needs the network "resnet", not {folder.configuration.network!r}')
    from .resnet import Resnet, onnx_model

    last = Resnet(folder.configuration)
    last.restore(folder.network(folder.last_network()).read_bytes())
    files.write(out, onnx_model(last.network))


def _configuration(args: argparse.Namespace) -> Configuration | None:
    """The configuration that the options ask for; None for that of the folder."""
    changes = dict(_change(text) for text in args.set)
    known = args.folder / "configuration.json"
    if args.preset is None and known.exists():
        from .configuration import from_json

        return from_json(known.read_text(encoding="utf-8")).changed(**changes)
    if args.preset is None:
        raise ConfigurationError(f"a new training run needs --preset, one of {', '.join(PRESETS)}")
    return PRESETS[args.preset].changed(**changes)


def _change(text: str) -> tuple[str, Any]:
    """Name and value of NAME=VALUE; the value in JSON, or a text without quotes."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ConfigurationError(f"--set needs NAME=VALUE, not {text!r}")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def _command(args: argparse.Namespace) -> str:
    return f"python -m alphazero {args.command} {args.folder}"


def _parser() -> argparse.ArgumentParser:
    words = "Train a network by self-play, and measure it."
    parser = argparse.ArgumentParser(prog="python -m alphazero", description=words)
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for name, words in (
        ("train", "start a training run, or continue one"),
        ("evaluate", "measure the networks that were not measured"),
        ("ceiling", "train the same network on exact scores"),
        ("plot", "draw the curve"),
        ("export", "write the last network as a model for ONNX Runtime"),
    ):
        command = commands.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")
        command.add_argument("folder", type=Path, help="of the training run")
        if name == "plot":
            command.add_argument("out", type=Path, nargs="?", help="picture, by default curve.svg in the folder")
            continue
        if name == "export":
            command.add_argument("out", type=Path, help="file, such as network.onnx")
        command.add_argument("--preset", choices=PRESETS, help="configuration of a new training run")
        command.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change a field of it")
        if name == "evaluate":
            command.add_argument("--again", action="store_true", help="measure the last one again, say with more games")
        if name == "ceiling":
            command.add_argument("--games", type=int, default=20_000, help="of UCT, whose positions are labelled")
            command.add_argument("--per-ply", type=int, default=6000, help="positions with the same number of discs")
            command.add_argument("--per-slow-ply", type=int, default=1000, help="the same for 8 to 11 discs")
    return parser


if __name__ == "__main__":
    sys.exit(main())
