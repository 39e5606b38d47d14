"""Pictures of the tree drawn by Graphviz, which need not be there: stand-ins take its place on the PATH."""

import os
import stat
import sys

import pytest

from c4mcts import Board, Engine
from c4mcts.cli import main
from c4mcts.search.dot import render, tree_dot


@pytest.fixture
def no_dot(monkeypatch, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))


@pytest.fixture
def fake_dot(monkeypatch, tmp_path):
    """Puts a program of that name on the PATH; it writes its options and what it reads, or what it is told to do."""
    if os.name == "nt":
        pytest.skip("a script is no program there")

    def fake(body="print(*sys.argv[1:]); print(sys.stdin.read(), end='')"):
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        program = folder / "dot"
        program.write_text(f"#!{sys.executable}\nimport sys\n{body}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", str(folder))

    return fake


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_pictures_are_drawn_by_the_suffix(fake_dot, tmp_path, suffix):
    fake_dot()
    render("digraph {}", tmp_path / f"tree.{suffix}")
    assert (tmp_path / f"tree.{suffix}").read_text() == f"-T{suffix}\ndigraph {{}}"
    render("digraph {}", str(tmp_path / f"TREE.{suffix.upper()}"))
    assert (tmp_path / f"TREE.{suffix.upper()}").read_text() == f"-T{suffix}\ndigraph {{}}"


def test_a_missing_graphviz_is_named(no_dot, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"Graphviz is needed to draw .*tree.png.*graphviz\.org.*\.dot file"):
        render("digraph {}", tmp_path / "tree.png")
    assert not (tmp_path / "tree.png").exists()


def test_a_failing_graphviz_leaves_no_file(fake_dot, tmp_path):
    fake_dot("print('half a picture'); sys.exit('syntax error in line 1')")
    with pytest.raises(RuntimeError, match=r"could not draw .*tree.svg: syntax error in line 1"):
        render("digraph {", tmp_path / "tree.svg")
    fake_dot("sys.exit(3)")
    with pytest.raises(RuntimeError, match="exit code 3"):
        render("digraph {", tmp_path / "tree.svg")
    assert not (tmp_path / "tree.svg").exists()


def test_other_suffixes_are_refused(fake_dot, tmp_path):
    fake_dot()
    for name in ("tree.jpg", "tree", "tree.dot"):
        with pytest.raises(ValueError, match=rf"must be a .png, .svg or .pdf file, not '.*{name}'"):
            render("digraph {}", tmp_path / name)


# the command


def expected():
    engine = Engine(seed=7)
    return tree_dot(engine, engine.search(Board.from_pons("44"), simulations=500))


def analyze(*argv):
    return main(["analyze", "44", "--simulations", "500", "--seed", "7", "--dot", *map(str, argv)])


@pytest.mark.parametrize("suffix", ["dot", "gv"])
def test_the_command_writes_the_text(capsys, no_dot, tmp_path, suffix):
    file = tmp_path / f"tree.{suffix}"
    assert analyze(file) == 0
    assert "column" in capsys.readouterr().out
    assert file.read_bytes().decode() == expected()
    assert analyze(file, "--json") == 0
    assert capsys.readouterr().out.startswith("{")


def test_the_command_draws(capsys, fake_dot, tmp_path):
    fake_dot()
    assert analyze(tmp_path / "tree.pdf") == 0
    options, _, text = (tmp_path / "tree.pdf").read_text().partition("\n")
    assert options == "-Tpdf"
    assert text == expected()


@pytest.mark.parametrize(
    ("name", "status", "words"),
    [
        ("tree.jpg", 2, ["--dot", "tree.jpg", ".dot, .gv, .png, .svg, .pdf"]),
        ("tree", 2, ["--dot", ".png"]),
        ("nowhere/tree.dot", 2, ["no folder", "nowhere"]),
        ("tree.png", 1, ["Graphviz", "tree.png"]),
    ],
)
def test_the_command_looks_before_it_searches(capsys, monkeypatch, no_dot, tmp_path, name, status, words):
    monkeypatch.setattr(Engine, "search", None)
    monkeypatch.chdir(tmp_path)
    assert analyze(name) == status
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert all(word in err for word in words), err


def test_what_fails_after_the_search_loses_no_result(capsys, fake_dot, tmp_path):
    fake_dot("sys.exit('out of paper')")
    assert analyze(tmp_path / "tree.png", "--json") == 1
    out, err = capsys.readouterr()
    assert out.startswith("{")
    assert "out of paper" in err
    (tmp_path / "tree.dot").mkdir()
    assert analyze(tmp_path / "tree.dot", "--json") == 1
    out, err = capsys.readouterr()
    assert out.startswith("{")
    assert "tree.dot" in err


def test_the_command_writes_the_tree_of_a_growing_display_too(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert analyze(tmp_path / "tree.dot") == 0
    assert "line of play" in capsys.readouterr().out
    assert (tmp_path / "tree.dot").read_text() == expected()
