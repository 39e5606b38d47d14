"""The exam: its questions, its certificates, and moves of finished games."""

import json
import re

import pytest
from make_puzzles import only_move

from c4mcts import Board
from c4mcts.cli import main
from c4mcts.play import PerfectPlayer, exam, examine, grade_moves, read_game
from c4mcts.solver.solver import Solver

QUESTIONS = exam.questions()


def test_each_question_has_one_right_move_and_is_asked_once():
    lines = [json.loads(line.split(" ", 1)[1]) for line in exam.QUESTIONS.read_text(encoding="utf-8").splitlines()]
    solver = Solver()
    for (board, theme), line in zip(QUESTIONS, lines, strict=True):
        assert only_move(solver.solve(board)) == line["answer"] - 1
        assert exam.theme_of(board) == theme or theme in ("double threat", "zugzwang")
    assert len({each for board, _ in QUESTIONS for each in (board, board.mirror())}) == 200
    assert [row["questions"] for row in examine(PerfectPlayer()).rows()] == [20, 20, 20, 20, 20, 100]


def test_a_certificate_names_themes_intervals_and_errors():
    perfect = examine("perfect")
    assert not perfect.errors
    assert "all            100 of 100  96% to 100%" in str(perfect)

    def leftmost(board):
        if board.ply % 2:
            raise RuntimeError("I only play yellow")
        return board.legal_columns[0]

    found = examine(leftmost)
    odd = [answer for answer, (board, _) in zip(found.answers, QUESTIONS, strict=True) if board.ply % 2]
    assert {answer.reason for answer in odd} == {"RuntimeError: I only play yellow"}
    assert found.errors["no legal move"] == len(odd)
    assert {"overlooked win", "unblocked threat"} <= set(found.errors)
    assert sum(found.errors.values()) == 100 - found.rows()[-1]["right"]
    with pytest.raises(ValueError, match="player <lambda> makes no legal move: chose 9"):
        examine(lambda board: 9)


def test_moves_of_games_are_graded_by_player_without_openings_and_with_forfeits():
    """Red does not stop the row of yellow; then a game that red loses by time."""
    facts = {"first": "ann", "second": "bob", "opening": 2}
    lost = read_game(f"1727374 {json.dumps({**facts, 'result': '1-0', 'end': 'line'})}")
    late = read_game(f"44 {json.dumps({**facts, 'result': '1-0', 'end': 'forfeit', 'reason': 'too slow'})}")
    ann, bob = grade_moves([lost, late])
    assert (ann.player, len(ann.answers), bob.player, len(bob.answers)) == ("ann", 3, "bob", 3)
    assert bob.errors["unblocked threat"] == bob.errors["no legal move"] == 1
    assert bob.answers[-1].reason == "too slow"
    assert [answer.theme for answer in ann.answers][-1] == "win"


def test_a_move_that_takes_too_long_is_no_answer(tmp_path):
    first = QUESTIONS[0][0].to_pons()
    file = tmp_path / "bot.py"
    file.write_text(
        f"def choose(board):\n    while board.to_pons() == '{first}': pass\n    return board.legal_columns[0]"
    )
    answers = examine(str(file), seconds=2).answers
    assert [answer.reason for answer in answers if answer.reason] == ["took longer than 2 s to choose a move"]
    assert main(["exam", "random", "--seconds", "0"]) == 2


def test_the_command(tmp_path, capsys):
    assert main(["exam", "--questions"]) == 0
    positions = capsys.readouterr().out.split()
    right = [only_move(Solver().solve(Board.from_pons(each))) + 1 for each in positions]
    answers = tmp_path / "answers.txt"
    lines = [f"{position}: {column}" for position, column in zip(positions, right, strict=True)]
    answers.write_text("\n".join([f"{positions[0]} I resign", *lines[1:-1]]))
    assert main(["exam", "--answers", str(answers), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["certificates"]
    assert found["themes"][-1]["right"] == 98
    assert found["errors"] == {"no legal move": 2}
    assert "I resign" in found["answers"][0]["reason"]
    assert found["answers"][-1]["reason"] == "ValueError: no answer"
    for text, words in (("5 1", "must be a position of the exam"), (f"{lines[0]}\n{positions[0]} 0", "two answers")):
        answers.write_text(text)
        assert main(["exam", "--answers", str(answers)]) == 2
        assert words in capsys.readouterr().err
    answers.write_text('4453 {"first": "ann", "second": "bob"}')
    assert main(["exam", "--games", str(answers)]) == 0
    assert [part.split()[0] for part in capsys.readouterr().out.split("\n\n")] == ["ann", "bob"]
    answers.write_text("4453\n\n49")
    assert main(["exam", "--games", str(answers)]) == 2
    assert "answers.txt: line 3: character 2: column must be 1 to 7, not 9" in capsys.readouterr().err
    (tmp_path / "bot.py").write_text("def choose(board): return 9")
    assert main(["exam", "random", "--seed", "-1"]) == 2
    assert main(["exam", str(tmp_path / "bot.py")]) == 1
    assert re.fullmatch(
        r"c4mcts exam: error: --seed must be at least 0, not -1\n"
        r"c4mcts exam: error: player .*bot.py makes no legal move: chose 9: column must be 0 to 6, not 9\n",
        capsys.readouterr().err,
    )
    assert main(["exam"]) == main(["exam", "random", "--questions"]) == 2
