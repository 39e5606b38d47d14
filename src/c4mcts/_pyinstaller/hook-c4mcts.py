"""The package loads its backends, its commands and its data by name, which PyInstaller does not see."""

from PyInstaller.utils.hooks import collect_all

datas, binaries, hiddenimports = collect_all("c4mcts", include_py_files=False, on_error="ignore")
