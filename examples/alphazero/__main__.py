"""The command line: python -m alphazero train run --preset small"""

import argparse
import os
import sys
from concurrent.futures import BrokenExecutor
from pathlib import Path

# NumPy's products are small here: more threads would only wait for each other, and their number changes the last bits
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from c4mcts import CheckpointError, SaveError

from . import files
from .configuration import PRESETS, Configuration, ConfigurationError, change, from_json
from .folder import Folder
from .networks import named


def main(arguments: list[str] | None = None) -> int:
    """Run a command. Returns the exit code: 1 after an error, 130 after Ctrl-C."""
    args = _parser().parse_args(arguments)
    try:
        _run(args)
    except BrokenExecutor:
        print(f"alphazero: a worker was killed. To continue:\n  {_command(args)}", file=sys.stderr)
        return 1
    except (ConfigurationError, CheckpointError, SaveError, OSError) as error:
        print(f"alphazero: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\nStopped. All that is finished is kept. To continue:\n  {_command(args)}", file=sys.stderr)
        return 130
    return 0


def _run(args: argparse.Namespace) -> None:
    if args.command == "plot":
        from .plot import plot

        plot(args.folder, args.out)
        return
    if args.command in ("sweep", "tournament"):
        _play_tournament(args)
        return
    configuration, told = _configuration(args), getattr(args, "on_metrics", None)
    if configuration is not None and ":" in configuration.network:
        named("network", configuration.network)  # before the folder is made
    folder = Folder(args.folder, configuration, named("--on-metrics", told) if told else None)
    if args.command == "train":
        _train(folder, args.executor)
    elif args.command == "evaluate":
        from .training import measure

        measure(folder, again=args.again)
    elif args.command == "own":
        from .own_games import measure_own

        measure_own(folder, args.count)
    elif args.command == "export":
        _export(folder, args.out)
    else:
        from .ceiling import ceiling

        ceiling(folder, args.games, args.per_ply, args.per_slow_ply)


def _train(folder: Folder, executor: str | None) -> None:
    """Train, in this process alone or with workers that play."""
    if not folder.configuration.asynchronous:
        from .training import train

        train(folder)
        return
    from . import asynchronous

    # processes would take turns with the card
    usual = "processes" if folder.configuration.device == "cpu" else "threads:1"
    with asynchronous.workers_of(executor or usual) as (workers, count):
        asynchronous.train(folder, workers, count)


def _play_tournament(args: argparse.Namespace) -> None:
    """A tournament of networks, which a sweep trains first."""
    from .tournament import sweep, tournament

    if args.command == "sweep":
        folders = sweep(args.folder, _configuration(args), args.variant, args.seconds)
    elif len(folders := {str(path): Folder(path, None) for path in args.folders}) < 2:
        raise ConfigurationError("a tournament needs at least two folders, all of them different")
    place = args.folder if args.command == "sweep" else args.folders[0]
    print(tournament(folders, args.games, place, progress=sys.stderr.isatty()))


def _export(folder: Folder, out: Path) -> None:
    """Write the last network: "resnet" in the ONNX format, "lines" as PolicyValueNetwork.save does."""
    state = folder.network(folder.last_network()).read_bytes()
    if folder.configuration.network == "lines":
        from .training import restored

        restored(folder.configuration, state).save(out)
    elif folder.configuration.network == "resnet":
        from .resnet import Resnet, onnx_model

        last = Resnet(folder.configuration)
        last.restore(state)
        files.write(out, onnx_model(last.network))
    else:
        raise ConfigurationError(f'export needs the network "lines" or "resnet", not {folder.configuration.network!r}')


def _configuration(args: argparse.Namespace) -> Configuration | None:
    """The configuration that the options ask for; None for the folder's."""
    changes = dict(map(change, args.set))
    if args.network is not None:
        changes["network"] = args.network
    if getattr(args, "executor", None) is not None:
        changes["asynchronous"] = True
    known = args.folder / "configuration.json"
    if args.preset is None and known.exists():
        return from_json(known.read_text(encoding="utf-8")).changed(**changes)
    if args.preset is None:
        raise ConfigurationError(f"a new training run needs --preset, one of {', '.join(PRESETS)}")
    return PRESETS[args.preset].changed(**changes)


def _command(args: argparse.Namespace) -> str:
    """The command that continues: for a folder that stores its configuration, without options."""
    if args.command in ("sweep", "tournament"):
        return "the same command"
    return f"python -m alphazero {args.command} {args.folder}"


def _parser() -> argparse.ArgumentParser:
    words = "Train a network by self-play, and measure it."
    parser = argparse.ArgumentParser(prog="python -m alphazero", description=words)
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")

    def add(name: str, words: str, folder: str = "of the training run") -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")
        command.add_argument("folder", type=Path, help=folder)
        return command

    def add_configuration(command: argparse.ArgumentParser) -> None:
        command.add_argument("--preset", choices=PRESETS, help="configuration of a new training run")
        words = "resnet, lines, dense, or module:Class, your own with the methods of Learner (see networks.py)"
        command.add_argument("--network", metavar="NAME", help=words)
        command.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change a field of it")

    train = add("train", "start a training run, or continue one")
    words = (
        "play in processes, processes:4, threads:1 (on a GPU) or the workers of a Dask scheduler, tcp://host:8786, "
        "while this process learns;"
    )
    train.add_argument("--executor", metavar="WHERE", help=f"{words} no two such runs are alike")
    words = "a function that is called with the figures of each generation, as a dictionary, instead of TensorBoard's"
    train.add_argument("--on-metrics", metavar="MODULE:NAME", help=words)
    evaluate = add("evaluate", "measure the networks that were not measured")
    evaluate.add_argument("--again", action="store_true", help="measure the last one again, say with more games")
    own = add("own", "measure how often it finds a best move in the positions of its own games")
    own.add_argument("--count", type=int, default=2000, help="of positions (default 2000)")
    sweep = add(
        "sweep", "train several configurations alike, and let their networks play each other", "for all of them"
    )
    words = "changes of the configuration, as 'window=4 epochs=2', or '' for none; at least twice"
    sweep.add_argument("--variant", action="append", default=[], metavar="'NAME=VALUE ...'", help=words)
    words = "CPU time of each, without measuring, instead of a number of generations"
    sweep.add_argument("--seconds", type=float, metavar="S", help=words)
    tournament = commands.add_parser("tournament", help="let the last networks of training runs play each other")
    tournament.add_argument("folders", type=Path, nargs="+", metavar="folder", help="of a training run")
    for command in (sweep, tournament):
        command.add_argument("--games", type=int, default=100, metavar="N", help="of every two networks (default 100)")
    ceiling = add("ceiling", "train the same network on exact scores")
    ceiling.add_argument("--games", type=int, default=20_000, help="of UCT, whose positions are labelled")
    ceiling.add_argument("--per-ply", type=int, default=6000, help="positions with the same number of discs")
    ceiling.add_argument("--per-slow-ply", type=int, default=1000, help="the same for 8 to 11 discs")
    plot = add("plot", "draw the curve")
    plot.add_argument("out", type=Path, nargs="?", help="picture, by default curve.svg in the folder")
    export = add("export", "write the last network: a model for ONNX Runtime, or a file for PolicyValueNetwork.load")
    export.add_argument("out", type=Path, help="file, such as network.onnx or network.npz")
    for command in (train, evaluate, own, sweep, ceiling, export):
        add_configuration(command)
    return parser


if __name__ == "__main__":
    sys.exit(main())
