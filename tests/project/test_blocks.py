"""The pages show what their commands print; docs/blocks.py also runs those that take long."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_spec = importlib.util.spec_from_file_location("blocks", ROOT / "docs/blocks.py")
blocks = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(blocks)

SHOWN = [shown for page in blocks.pages() for shown in blocks.blocks(page)]
PAGE = """\
# A page

```console
$ echo one; \\
    echo two
one
two
$ echo three
four
```

<!-- slow -->
```console
$ echo five in 7 s
five in ... s
```

```
$ not run
```

```console
$ printf '| a |\\n| - |\\n' --markdown
```

| a |
| - |

<!-- end of output -->
"""


@pytest.mark.parametrize("shown", [each for each in SHOWN if not each.is_slow], ids=str)
def test_a_page_shows_what_its_command_prints(shown):
    output = blocks.printed(shown.command)
    assert blocks.is_as_shown(shown, output), blocks.difference(shown, output)


@pytest.fixture
def page(tmp_path, monkeypatch):
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    monkeypatch.setattr(blocks, "ROOT", tmp_path)
    monkeypatch.setattr(blocks, "pages", lambda: [path])
    return path


def test_the_commands_of_a_page(page):
    found = list(blocks.blocks(page))
    assert [(shown.line, shown.output, shown.is_slow) for shown in found] == [
        (4, "one\ntwo\n", False),
        (8, "four\n", False),
        (14, "five in ... s\n", True),
        (23, "| a |\n| - |\n", False),
    ]
    assert blocks.printed(found[0].command) == "one\ntwo\n"
    assert [blocks.is_as_shown(shown, blocks.printed(shown.command)) for shown in found] == [True, False, True, True]
