"""Writes what follows from how the protocol reads messages, its schemas and tables of keys: python docs/schemas.py"""

import json
import re
from pathlib import Path

from c4mcts.protocol import Caps
from c4mcts.protocol.schema import keys_of, schemas

FOLDER = Path(__file__).with_name("schemas")
PAGE = Path(__file__).with_name("guide") / "protocol.md"
POSITION = ("moves", "position", "fen", "rules")


def texts() -> dict[Path, str]:
    """The files and their texts."""
    page = PAGE.read_text(encoding="utf-8")
    keys = {key.name: key.says for key in keys_of("analyze", Caps())}
    for title, names in (("position", POSITION), ("search", [name for name in keys if name not in POSITION])):
        rows = "\n".join(f"| `{name}` | {keys[name]} |" for name in names)
        table = f"<!-- {title}: python docs/schemas.py -->\n\n| key | meaning |\n|---|---|\n{rows}\n\n"
        page = re.sub(rf"<!-- {title}: .*?(?=<!-- end -->)", lambda _, table=table: table, page, flags=re.DOTALL)
    return {PAGE: page} | {
        FOLDER / f"{name}.json": json.dumps(schema, indent=2) + "\n" for name, schema in schemas().items()
    }


if __name__ == "__main__":
    for path, text in texts().items():
        path.write_text(text, encoding="utf-8", newline="\n")
