"""Puzzles on the page: right and wrong moves, rating and streak, links, keys, storage."""

import re
from collections import Counter

import pytest
from page import PHONE, Server, halts

from c4mcts import solve
from c4mcts.play import puzzles
from c4mcts.play.exam import ExamAnswer, questions
from c4mcts.play.ratings import wilson
from c4mcts.play.review import Reviewer

pytestmark = pytest.mark.native

SETTINGS = {"isOn": False}  # no search
NUMBER = next(number for number, each in enumerate(puzzles(), 1) if "win" in each.themes and each.depth > 20)
PUZZLE = puzzles()[NUMBER - 1]  # of which the first move is asked
SHORT = next(number for number, each in enumerate(puzzles(), 1) if "win" in each.themes and each.depth == 5)
WRONG = next(column for column in PUZZLE.board.legal_columns if column != PUZZLE.column)


def open_puzzle(page, number=NUMBER):
    page.driver.get(f"{page.url}#/puzzles/{number}")
    page.panel.wait_for(f"Puzzle {number}, rated {shown(puzzles()[number - 1].rating)}.")


def shown(rating):
    """A rating as the page shows it, which is never negative."""
    return f"{rating + 500:,}"


def facts(page):
    return list(page.terms.values())


def test_the_right_move(page):
    open_puzzle(page)
    names = ("Yellow", "Red")
    assert page.headline == f"{names[PUZZLE.board.turn]} wins in {PUZZLE.depth} moves"
    assert page.discs == len(PUZZLE.moves)
    assert facts(page) == ["800", "0, longest 0", "0 of 500"]
    page.play(PUZZLE.column + 1)
    page.panel.status().wait_for(f"Right: {PUZZLE.column + 1} wins in {PUZZLE.depth} moves.")
    assert page.ghosts == [str(number + 1) for number in range(len(PUZZLE.line[:9]))]
    assert facts(page)[1:] == ["1, longest 1", "1 of 500"]
    assert int(facts(page)[0]) > 800
    before = facts(page)
    page.driver.refresh()
    page.panel.wait_for(f"Puzzle {NUMBER}")
    assert facts(page) == before
    page.play(PUZZLE.column + 1)
    page.panel.status().wait_for("Right:")
    assert page.focus == "Next puzzle"
    page.panel.button("Next *").click()
    page.wait(lambda: page.address.startswith("/puzzles/") and page.address != f"/puzzles/{NUMBER}")
    assert page.ghosts == []
    assert page.panel.status().text == ""


def test_two_tabs_keep_each_others_progress(page):
    open_puzzle(page)
    with page.tab():
        open_puzzle(page, SHORT)
        page.play(puzzles()[SHORT - 1].column + 1)
        page.wait(lambda: facts(page)[2] == "1 of 500")
        page.panel.button("Drill").click()
        page.wait_for_headline("Where does yellow begin?")
        page.play(4)
        page.wait_for_headline("Red has played ")
    page.play(PUZZLE.column + 1)
    page.wait(lambda: facts(page)[2] == "2 of 500")
    assert page.stored("c4mcts.puzzles")["plan"]


def test_a_short_win_is_played_to_its_end(page):
    puzzle = puzzles()[SHORT - 1]
    name = ("Yellow", "Red")[puzzle.board.turn]
    open_puzzle(page, SHORT)
    for done in (0, 2, 4):
        assert page.headline == f"{name} wins in {5 - done} move{'s' * (done < 4)}"
        page.play(puzzle.line[done] + 1)
        if done < 4:
            page.panel.status().wait_for(f"Right. {puzzle.line[done + 1] + 1} is the longest defence. Find the next")
            assert page.discs == len(puzzle.moves) + done + 2
            assert facts(page)[1:] == ["1, longest 1", "1 of 500"], "the first move is what counts"
    page.panel.status().wait_for(f"Right: {puzzle.column + 1} wins in 5 moves.")
    assert page.headline == f"{name} wins in 5 moves"
    assert len(page.drawn("winning")) >= 4
    assert page.focus == "Next puzzle"
    page.button("Show the line").click()
    page.wait(lambda: len(page.ghosts) == 5)
    assert page.discs == len(puzzle.moves)
    page.panel.button("Next *").click()
    page.wait(lambda: page.address != f"/puzzles/{SHORT}")


@halts
def test_a_move_is_not_judged_if_the_connection_is_lost(page):
    puzzle = puzzles()[SHORT - 1]
    with Server() as own:
        page.url = own.url
        open_puzzle(page, SHORT)
        page.play(puzzle.line[0] + 1)
        page.panel.status().wait_for("Find the next")
        before = facts(page)
        own.lose(lambda: page.play(next(column for column in range(7) if column != puzzle.line[2]) + 1))
        page.panel.status().wait_for("was not judged: the solver did not answer in time. Try again.")
        assert facts(page) == before
    page.driver.get("about:blank")
    page.driver.get_log("browser")  # it says that the server was gone


def test_a_server_with_a_small_limit_of_time_judges_moves(page):
    puzzle = puzzles()[SHORT - 1]
    with Server(options=["--max-seconds", "0.5"]) as own:
        page.url = own.url
        open_puzzle(page, SHORT)
        page.play(puzzle.line[0] + 1)
        page.panel.status().wait_for("Right.")
        scores = solve(puzzle.board.after(puzzle.line[0]).after(puzzle.line[1])).columns
        page.play(next(column for column, score in enumerate(scores) if score is not None and score <= 0) + 1)
        page.panel.status().wait_for("Try again.")
        assert re.search("only draws|loses in", page.panel.status().text)
    page.driver.get("about:blank")


def test_a_wrong_move_is_refuted_and_may_be_mended(page):
    open_puzzle(page)
    page.play(WRONG + 1)
    page.panel.status().wait_for("Try again.")
    assert f"{WRONG + 1} loses in" in page.panel.status().text or "only draws" in page.panel.status().text
    assert len(page.ghosts) > 1
    rating = facts(page)[0]
    assert int(rating) < 800
    page.play(PUZZLE.column + 1)
    page.panel.status().wait_for("Right:")
    assert facts(page) == [rating, "0, longest 0", "0 of 500"], "only the first try counts"


def test_the_solution_can_be_shown_and_explained(page):
    open_puzzle(page)
    assert not page.checkbox("Explain the position")
    cost = int(re.search(r"\d+", page.button("Show the solution*").text)[0])
    page.panel.button("Show the solution*").click()
    page.panel.status().wait_for(f"The solution: {PUZZLE.column + 1} wins")
    assert facts(page)[0] == f"{800 - cost}"
    page.checkbox("Explain the position").click()
    page.wait(lambda: page.drawn("threat"))
    page.panel.button("Next *").click()
    page.wait(lambda: page.drawn("threat") == [])


def test_links_back_and_forward(page):
    open_puzzle(page)
    page.panel.button("Next *").click()
    page.wait(lambda: page.address != f"/puzzles/{NUMBER}")
    following = page.address
    page.driver.back()
    page.panel.wait_for(f"Puzzle {NUMBER},")
    page.driver.forward()
    page.wait(lambda: page.address == following)
    page.driver.execute_script("location.hash = '/puzzles/99999'")
    page.game.status().wait_for("There is no puzzle 99999: they are 1 to 500.")
    page.wait(lambda: page.address not in ("/puzzles/99999", following))
    page.panel.button("Next *").click()
    page.wait(lambda: page.game.status().text == "")
    page.driver.execute_script("location.hash = '/puzzles'")
    page.wait(lambda: page.address not in ("/puzzles", "/puzzles/99999"))
    assert page.headline


def test_the_game_of_the_other_modes_stays(page):
    page.open("445")
    page.switch("puzzles")
    page.panel.wait_for("Puzzle ")
    page.press(page.keys.ARROW_LEFT, page.keys.HOME)
    page.driver.execute_script("document.body.focus()")
    page.press(page.keys.CONTROL + "z", page.keys.NULL)
    page.driver.back()
    page.wait(lambda: page.address == "/analyse/7x6x4/445")
    assert page.discs == 3


def test_a_puzzle_can_be_analysed(page):
    open_puzzle(page)
    page.panel.button("Analyse").click()
    page.wait(lambda: page.hash == PUZZLE.board.to_pons())
    assert page.mode == "analyse"
    page.switch("puzzles")
    page.panel.wait_for(f"Puzzle {NUMBER}")
    page.paste("4453")
    page.agree()
    page.wait(lambda: page.address == "/analyse/7x6x4/4453")


def test_puzzles_of_a_theme(page):
    open_puzzle(page)
    page.combobox("Theme of the next puzzles").choose("Save the draw")
    page.panel.button("Next *").click()
    page.wait_for_headline(" saves the draw")
    assert page.stored("c4mcts.puzzles")["theme"] == "draw"


def answer(page, column, count):
    page.play(column + 1)
    page.wait(lambda: len((page.stored("c4mcts.puzzles") or {"exam": []})["exam"]) == count)


def test_the_exam_gives_the_certificate_of_the_command(page):
    """The leftmost column three times and two right answers; then all the others right."""
    open_puzzle(page)
    page.panel.button("Exam").click()
    order = [questions()[21 * number % 100][0] for number in range(100)]
    page.wait_for_headline(f"Question 1 of 100: {('Yellow', 'Red')[order[0].turn]} to move")
    columns = [(solve(board).best[0], board.legal_columns[0])[number < 3] for number, board in enumerate(order[:5])]
    for count, column in enumerate(columns, 1):
        answer(page, column, count)
    found = Counter(
        ExamAnswer("other", Reviewer(b.after(c)).step()).error for b, c in zip(order, columns, strict=False)
    )
    assert Counter(page.stored("c4mcts.puzzles")["exam"]) == found
    page.panel.button("Certificate").click()
    low, high = wilson(found[""], 5)
    assert page.table().rows[-1][1:] == [
        f"{found['']} of 5",
        f"{100 * low:.0f}\N{EN DASH}{100 * high:.0f} %",
    ]
    progress = page.stored("c4mcts.puzzles") | {"exam": [*page.stored("c4mcts.puzzles")["exam"], *[""] * 94]}
    script = "localStorage.setItem('c4mcts.puzzles', JSON.stringify(arguments[0]))"
    page.driver.execute_script(script, progress | {"version": 2})
    page.driver.refresh()
    page.panel.button("Exam").click()
    page.wait_for_headline("Question 100 of 100")
    answer(page, solve(order[99]).best[0], 100)
    page.wait_for_headline("Certificate")
    assert page.table().rows[-1][1] == f"{95 + found['']} of 100"
    page.play(4)
    assert page.headline == "Certificate"
    page.button("Begin again").click()
    page.wait_for_headline("Question 1 of 100")


def test_by_keys_alone_and_for_screen_readers(page):
    open_puzzle(page)
    page.board.button()[0].focus()
    assert page.board.names == [f"{('Yellow', 'Red')[PUZZLE.board.turn]} to move."]
    page.press(str(PUZZLE.column + 1))
    page.panel.status().wait_for("Right:")
    before = page.address
    page.press("n")
    page.wait(lambda: page.address != before)
    page.wait_to_hear("Exactly one move is right.")


def test_on_a_phone_the_board_and_the_task_are_in_sight(page):
    page.resize(*PHONE, touch=True)
    open_puzzle(page)
    assert page.box("#panel h1")[3] < PHONE[1]
