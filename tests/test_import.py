"""The import of the package itself."""

import subprocess
import sys
import zipfile
from pathlib import Path

import c4mcts
from c4mcts import errors


def test_from_an_archive_it_is_refused(tmp_path):
    """Its binaries and its data must be files."""
    package = Path(c4mcts.__file__).parent
    with zipfile.ZipFile(tmp_path / "packages.zip", "w") as archive:
        archive.write(package / "__init__.py", "c4mcts/__init__.py")
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'packages.zip')!r}); import c4mcts"
    done = subprocess.run([sys.executable, "-S", "-c", code], stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.stderr.splitlines()[-1].startswith("ImportError: c4mcts can't be imported from an archive, ")


def test_all_exceptions_are_in_the_tree():
    """A program catches all of them with C4mctsError, which is a ValueError; the docstring draws each one."""
    classes = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    assert all(issubclass(kind, c4mcts.C4mctsError) and f"── {kind.__name__}\n" in errors.__doc__ for kind in classes)
    assert len(classes) == errors.__doc__.count("── ")
    assert issubclass(c4mcts.C4mctsError, ValueError)
