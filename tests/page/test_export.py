"""What is exported, and from what: the files of the page, found by their hashes. tests/wasm opens such a page."""

import functools
import gzip
import hashlib
import io
import json
import marshal
import re
import sys
import tarfile
import types
import zipfile
import zipimport

import pytest

import c4mcts
from c4mcts.cli import main
from c4mcts.page import export
from c4mcts.page.export import export_page

NUMPY = {"numpy/__init__.py": "version = 1", "numpy/tests/test_a.py": "1/0", "numpy-2.dist-info/RECORD": "-"}
OURS = {
    "c4mcts/__init__.py": '"""Words."""',
    "c4mcts/page/worker.py": "",
    "c4mcts/http/app.py": "",
    "c4mcts/page/static/index.html": "",
    "c4mcts/cli/__init__.py": "",
    "c4mcts/_native/search.abi3.so": "\0asm",
}
LIBRARY = {
    "json/__init__.py": '"""Words."""\nassert False',
    "_pyodide/_base.py": '"""Words."""',
    "email/message.py": "",
    "encodings/cp1252.py": "",
    "encodings/utf_8.py": "",
    "uuid.py": "",
}
OLDER = (3, 10)  # a Python that does not run these tests


def wheel_of(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def made(request, tmp_path, monkeypatch):
    """Files as those of Pyodide, with hashes that are known, in a folder, and a wheel; the arguments of export_page."""
    python = ".".join(map(str, getattr(request, "param", OLDER)))
    numpy = wheel_of(NUMPY)
    lock = {
        "info": {"python": f"{python}.4"},
        "packages": {"numpy": {"file_name": "numpy.whl", "sha256": sha256(numpy)}},
    }
    files = {
        **{"pyodide.mjs": b"one", "pyodide.asm.wasm": b"two", "pyodide-lock.json": json.dumps(lock).encode()},
        "python_stdlib.zip": wheel_of(LIBRARY),
    }
    folder = tmp_path / "pyodide"
    folder.mkdir()
    for name, data in {**files, "numpy.whl": numpy, "other.txt": b""}.items():
        (folder / name).write_bytes(data)
    release = export.Release("1.2.3", {name: sha256(data) for name, data in files.items()})
    monkeypatch.setattr(export, "RELEASES", {"2024_0": release})
    wheel = tmp_path / f"c4mcts-{c4mcts.__version__}-cp311-abi3-pyodide_2024_0_wasm32.whl"
    wheel.write_bytes(wheel_of(OURS))
    return {"wheel": wheel, "pyodide": [folder]}


def bundle(path):
    """The files in a bundle."""
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(path.read_bytes()))) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar.getmembers()}


def hashes(folder):
    """What the service worker knows of the other files."""
    text = (folder / "service-worker.js").read_text(encoding="utf-8")
    return json.loads(re.match(r"const FILES = (\{.*?\});", text, re.DOTALL)[1])


def test_all_files_of_the_page_are_there(made, tmp_path):
    sizes = export_page(tmp_path / "site", **made)
    found = {path.relative_to(tmp_path / "site").as_posix() for path in (tmp_path / "site").rglob("*.*")}
    assert found == set(sizes) == {*hashes(tmp_path / "site"), "service-worker.js"}
    assert {
        "index.html",
        "manifest.webmanifest",
        "static/js/page.js",
        "static/scores.json",
        "static/texts/de.json",
        "engine/engine.js",
        "engine/pyodide.mjs",
    } <= found
    assert not any("notebook" in name or "other" in name for name in found)
    index = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "script-src 'self' 'wasm-unsafe-eval'; " in index
    assert "http" not in index.replace("http-equiv", "")


def test_the_scores_of_the_first_positions_are_in_the_order_of_their_moves():
    scores = json.loads(export.first_scores())
    assert len(scores) == 1 + 7 + 49 + 343 + 2401
    assert scores[0] == [-2, -1, 0, 1, 0, -1, -2]
    for moves in ([3], [0, 6], [2, 2, 5], [3, 3, 4, 2]):
        index = functools.reduce(lambda number, column: 7 * number + column + 1, moves, 0)  # as Store in store.js
        assert scores[index] == list(c4mcts.solve(c4mcts.Board.from_moves(moves)).columns)


def test_bundles_and_library_have_what_a_session_needs(made, tmp_path):
    export_page(tmp_path / "site", **made)
    assert bundle(tmp_path / "site/engine/numpy.bundle") == {"numpy/__init__.py": b"version = 1"}
    assert set(bundle(tmp_path / "site/engine/c4mcts.bundle")) == {
        "c4mcts/__init__.py", "c4mcts/page/worker.py", "c4mcts/_native/search.abi3.so",
    }  # fmt: skip
    with zipfile.ZipFile(tmp_path / "site/engine/python_stdlib.zip") as found:
        assert found.namelist() == ["_pyodide/_base.py", "encodings/utf_8.py", "json/__init__.py"]
        assert found.read("json/__init__.py").decode() == LIBRARY["json/__init__.py"]


@pytest.mark.parametrize("made", [sys.version_info[:2]], indirect=True)
def test_the_same_version_of_python_compiles_the_modules_and_the_library_without_docstrings(made, tmp_path):
    export_page(tmp_path / "site", **made)
    ours = bundle(tmp_path / "site/engine/c4mcts.bundle")
    exec(marshal.loads(ours["c4mcts/__init__.pyc"][16:]), module := {})
    assert (module["__doc__"], "c4mcts/__init__.py" in ours) == ("Words.", False)
    assert ours["c4mcts/_native/search.abi3.so"] == b"\0asm"

    path = tmp_path / "site/engine/python_stdlib.zip"
    found = {}
    for name in ("json/__init__", "_pyodide/_base"):
        with zipfile.ZipFile(path) as archive:
            assert f"{name}.py" not in archive.namelist()
            exec(marshal.loads(archive.read(f"{name}.pyc")[16:]), module := {})
        found[name] = module.get("__doc__")
    assert found == {"json/__init__": None, "_pyodide/_base": "Words."}  # Pyodide needs its own
    assert type(zipimport.zipimporter(f"{path}").get_code("json")) is types.CodeType


@pytest.mark.parametrize("name", ["engine.js", "snapshot.js"])
def test_the_version_of_the_engine_differs_if_a_file_does(made, tmp_path, monkeypatch, name):
    before = version(made, tmp_path / "site")
    assert version(made, tmp_path / "site") == before, "an export is always the same, and replaces an earlier one"
    read = export.site
    monkeypatch.setattr(export, "site", lambda file: read(file) + (b"//" if file == name else b""))
    assert version(made, tmp_path / "site") != before


def version(made, folder):
    """The version of the engine of a new export."""
    export_page(folder, **made)
    first, _, _ = (folder / "engine/engine.js").read_text(encoding="utf-8").partition("\n")
    return re.fullmatch(r'const VERSION = "(sha256-\S+)";', first)[1]


@pytest.mark.parametrize("pack", ["tgz", "zip"])
def test_the_file_with_the_hash_is_found_in_an_archive(made, tmp_path, pack):
    (folder,) = made["pyodide"]
    other = tmp_path / "other"
    other.mkdir()
    (other / "pyodide.mjs").write_bytes(b"of another version")
    packed = tmp_path / f"packed.{pack}"
    if pack == "tgz":
        with tarfile.open(packed, "w:gz") as tar:
            tar.add(folder, "package")
    else:
        packed.write_bytes(wheel_of({f"assets/{path.name}": path.read_bytes() for path in folder.iterdir()}))
    export_page(tmp_path / "site", wheel=made["wheel"], pyodide=[other, packed])
    assert (tmp_path / "site/engine/pyodide.mjs").read_bytes() == b"one"


def test_a_file_with_another_hash_is_refused(made, tmp_path):
    (folder,) = made["pyodide"]
    (folder / "numpy.whl").write_bytes(wheel_of({}))
    with pytest.raises(
        ValueError, match=r"Pyodide 1\.2\.3 needs numpy\.whl with the SHA-256 \w+: .* has another numpy\.whl"
    ):
        export_page(tmp_path / "site", **made)
    (folder / "numpy.whl").unlink()
    with pytest.raises(ValueError, match=r"needs numpy\.whl with the SHA-256 \w+: not in "):
        export_page(tmp_path / "site", **made)
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("c4mcts-0.0.9-cp311-abi3-pyodide_2024_0_wasm32.whl", "must be of version .*, not of 0.0.9"),
        ("c4mcts-0.1.0-cp311-abi3-manylinux_2_17_x86_64.whl", "must be one of c4mcts for Pyodide, c4mcts-.*, not c4"),
        ("numpy-0.1.0-cp311-abi3-pyodide_2024_0_wasm32.whl", "must be one of c4mcts for Pyodide"),
        ("c4mcts-0.1.0-cp311-abi3-pyodide_2010_0_wasm32.whl", "_2024_0_wasm32.whl, not c4mcts-0.1.0"),
    ],
)
def test_another_wheel_is_refused(made, tmp_path, name, words):
    with pytest.raises(ValueError, match=words):
        export_page(tmp_path / "site", wheel=tmp_path / name, pyodide=made["pyodide"])


def test_a_folder_with_other_files_is_left_alone(made, tmp_path):
    with pytest.raises(ValueError, match=r"folder must be empty or have an earlier export, but .* has other files"):
        export_page(tmp_path, **made)
    assert len(list(tmp_path.iterdir())) == 2


def test_the_command(made, tmp_path, capsys):
    (folder,), wheel = made["pyodide"], made["wheel"]
    assert main(["web", "--export", f"{tmp_path / 'site'}", "--wheel", f"{wheel}", "--pyodide", f"{folder}"]) == 0
    assert re.search(r"site: \d+ files, 0\.\d MB; any server of files can serve them", capsys.readouterr().out)
    assert main(["web", "--export", f"{tmp_path / 'site'}"]) == 2
    assert "--export needs --wheel and --pyodide" in capsys.readouterr().err
    assert main(["web", "--export", f"{tmp_path / 'site'}", "--wheel", f"{wheel}", "--pyodide", __file__]) == 2
    assert "test_export.py is neither a folder nor an archive" in capsys.readouterr().err
