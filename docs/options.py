"""Which argument in Python each option of a command sets: docs/cli.py and docs/docstrings.py link them both ways."""

import inspect
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Unpack, get_args, get_origin

import c4mcts

API = Path(__file__).parent / "api"
POSITION = {"Board.parse": "text=position rules first"}
PARAMS = {"SearchParams.preset": "name=preset", "SearchParams.changed": "changes=set"}
SEARCH = {**PARAMS, "Engine.search": "simulations seconds"}
CAPS = {"protocol.Caps": "seconds=max-seconds memory=max-memory"}
POSITIONALS = {"position", "player", "game", "folder"}
ADDRESS = "host allow-host port max-sockets log"
CALLS: dict[str, dict[str, str]] = {  # by command: functions with their arguments; argument=option if the names differ
    # "": options that set no argument, since they are about files, pages and printing
    "analyze": {
        **POSITION,
        **PARAMS,
        "Engine": "seed backend threads evaluator",
        "Engine.search": "simulations seconds nodes",
        "view.tree_dot": "engine=dot",
        "": "json start from",
    },
    "web": {**CAPS, "": f"{ADDRESS} no-browser allow-frame export wheel pyodide"},
    "play": {
        **POSITION,
        "play.LevelPlayer": "level",
        "play.play_game": "first=watch second=against seed",
        "play.read_game": "line=load",
        "play.append_game": "path=save",
        "": "second clock show-value start from",
    },
    "match": {
        "play.play_tournament": "players=player games sprt gauntlet anchor rules seed executor checkpoint",
        "play.Terms": "adjudicate move_seconds overage",
        "play.openings": "balanced=openings plies within",
        "play.Tournament.save": "path=out",
        "": "json",
    },
    "grade": {
        "play.grading.submissions": "folder",
        "play.grading.grade": "against games seconds memory files round_robin points rules seed executor checkpoint",
        "play.grades.Grades.save": "path=out",
    },
    "check": {"play.player_check.check_player": "player sizes games seconds overage seed", "": "max-size"},
    "review": {"play.review": "game rules simulations", "Board.parse": "first", "": "file out from json"},
    "exam": {"play.examine": "player seed seconds", "play.grade_moves": "games", "": "questions answers json"},
    "puzzles": {"": "level theme count solutions json"},
    "solve": {
        "Board.parse": "rules first",
        "solve_many": "boards=position executor",
        "solve": "columns=all max_nodes=nodes seconds checkpoint threads",
        "": "file out check from json",
    },
    "prove": {
        **POSITION,
        "solver.prove": "claim distance seconds max_positions",
        "solver.join": "certificates=join",
        "solver.shorten": "passes=shorten",
        "solver.Certificate.load": "path=check",
        "play.proof_tree": "plies",
        "solver.Certificate.save": "path=out",
        "": "start from",
    },
    "exploit": {
        "play.exploit": "player rules samples seed max_positions seconds checkpoint",
        "play.append_game": "path=out",
    },
    "study": {
        **POSITION,
        **PARAMS,
        "study.convergence": "simulations runs seed executor",
        "study.optimality": "values optimal",
        "study.win_rate": "budgets opponent boards=also",
        "study.Result.to_csv": "path=out",
        "": "experiment points linear start from",
    },
    "selfplay": {
        **POSITION,
        **SEARCH,
        "selfplay.generate": "games play evaluator seed executor out",
        "selfplay.PlayParams": "openings",
        "": "start from",
    },
    "serve": {
        **CAPS,
        **SEARCH,
        "protocol.Session": "workers",
        "protocol.Defaults": "threads",
        "": f"http mcp schema allow-origin {ADDRESS}",
    },
    "export-kaggle": {**PARAMS, "": "out single-file network policy"},
    "bench": {"": "quick backend json"},
    "info": {"Engine": "backend", "": "signature json"},
}


class Argument(NamedTuple):
    """An argument of a function, and the option that sets it."""

    command: str
    option: str
    function: str
    name: str


ARGUMENTS = tuple(
    Argument(command, option or name.replace("_", "-"), function, name)
    for command, calls in CALLS.items()
    for function, names in calls.items()
    for name, _, option in (text.partition("=") for text in names.split())
)


def function_of(name: str) -> Any:
    """A function or a class of c4mcts by its name."""
    thing: Any = c4mcts
    for part in name.split("."):
        thing = getattr(thing, part) if hasattr(thing, part) else import_module(f"{thing.__name__}.{part}")
    return thing


def arguments_of(function: Any) -> set[str]:
    """The names of the arguments of a function, including the keys of an unpacked TypedDict."""
    parameters = inspect.signature(function).parameters
    more = [get_args(each.annotation)[0] for each in parameters.values() if get_origin(each.annotation) is Unpack]
    return set(parameters).union(*(each.__annotations__ for each in more))


@cache
def page_of(function: str) -> str:
    """The part of the reference that describes a function, as a link from docs/."""
    homes = function_of(function).__module__, f"c4mcts.{function.rpartition('.')[0]}"
    for page in sorted(API.glob("*.md")):
        for module in homes:
            if f"## `{module}`" in page.read_text(encoding="utf-8"):
                return f"api/{page.name}#{re.sub(r'[^a-z_0-9]', '', module)}"
    raise LookupError(function)


def in_python(command: str, option: str) -> str:
    """The arguments that an option sets, as links."""
    found = [each for each in ARGUMENTS if (each.command, each.option) == (command, option) and each.function]
    return ", ".join(f"[`{each.function}({each.name}=)`]({page_of(each.function)})" for each in found)


def at_the_shell(thing: Any) -> str:
    """The options that set arguments of a function, as a paragraph of reStructuredText with links; "" if none does."""
    found = [each for each in ARGUMENTS if each.function and function_of(each.function) == thing]
    commands = []
    for command in dict.fromkeys(each.command for each in found):
        options = ", ".join(
            f"``{'' if each.option in POSITIONALS else '--'}{each.option}``"
            + (f" ({each.name})" if each.option != each.name.replace("_", "-") else "")
            for each in found
            if each.command == command
        )
        commands.append(f"`c4mcts {command} <../cli.html#c4mcts-{command}>`__ {options}")
    return f"At the shell: {'; '.join(commands)}." if commands else ""
