"""The pages show what their commands print; docs/blocks.py also runs those that take long."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_spec = importlib.util.spec_from_file_location("blocks", ROOT / "docs/blocks.py")
blocks = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(blocks)

PAGES = [page for page in blocks.pages() if any(not shown.is_slow for shown in blocks.blocks(page))]
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


@pytest.mark.timeout(600)  # all commands of a page
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_what_its_commands_print(page, tmp_path):
    for shown in blocks.blocks(page):
        if not shown.is_slow:
            output = blocks.printed(shown.command, tmp_path)
            assert blocks.is_as_shown(shown, output), f"{shown}\n{blocks.difference(shown, output)}"


@pytest.fixture
def page(tmp_path, monkeypatch):
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    monkeypatch.setattr(blocks, "ROOT", tmp_path)
    monkeypatch.setattr(blocks, "pages", lambda: [path])
    return path


def test_the_commands_of_a_page(page, tmp_path):
    found = list(blocks.blocks(page))
    assert [(shown.line, shown.output, shown.is_slow) for shown in found] == [
        (4, "one\ntwo\n", False),
        (8, "four\n", False),
        (14, "five in ... s\n", True),
        (23, "| a |\n| - |\n", False),
    ]
    outputs = [blocks.printed(shown.command, tmp_path) for shown in found]
    assert outputs[0] == "one\ntwo\n"
    assert list(map(blocks.is_as_shown, found, outputs)) == [True, False, True, True]


def test_commands_of_a_page_share_a_folder(tmp_path):
    blocks.printed("echo kept > /tmp/one.txt", tmp_path)
    assert blocks.printed("cd /tmp; cat one.txt; ls /tmp/one.txt", tmp_path) == "kept\n/tmp/one.txt\n"
