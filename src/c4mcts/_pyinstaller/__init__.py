"""For PyInstaller, which asks the entry point pyinstaller40 where the hooks of a package are."""

from pathlib import Path


def hook_folders() -> list[str]:
    """The folder with hook-c4mcts.py."""
    return [str(Path(__file__).parent)]
