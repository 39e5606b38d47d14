"""Puzzles on the page: right and wrong moves, rating and streak, links, keys, storage."""

from collections import Counter

import pytest
from page import PHONE

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
    page.wait_for("#panel", f"Puzzle {number}, rated {shown(puzzles()[number - 1].rating)}.")


def shown(rating):
    """A rating as the page shows it, which is never negative."""
    return f"{rating + 500:,}"


def facts(page):
    return page.texts(".puzzle-facts dd")


def test_the_right_move(page):
    open_puzzle(page)
    names = ("Yellow", "Red")
    assert page.text("#panel h1") == f"{names[PUZZLE.board.turn]} wins in {PUZZLE.depth} moves"
    assert page.discs == len(PUZZLE.moves)
    assert facts(page) == ["800", "0, longest 0", "0 of 500"]
    page.play(PUZZLE.column + 1)
    page.wait_for(".puzzle-answer", f"Right: {PUZZLE.column + 1} wins in {PUZZLE.depth} moves.")
    assert page.texts(".ghost") == [str(number + 1) for number in range(len(PUZZLE.line[:9]))]
    assert facts(page)[1:] == ["1, longest 1", "1 of 500"]
    assert int(facts(page)[0]) > 800
    before = facts(page)
    page.driver.refresh()
    page.wait_for("#panel", f"Puzzle {NUMBER}")
    assert facts(page) == before
    page.play(PUZZLE.column + 1)
    page.wait_for(".puzzle-answer", "Right:")
    assert page.driver.switch_to.active_element.get_attribute("id") == "next"
    page.click("#next")
    page.wait(lambda: page.address.startswith("/puzzles/") and page.address != f"/puzzles/{NUMBER}")
    assert page.all(".ghost") == []
    assert page.text(".puzzle-answer") == ""


def test_a_short_win_is_played_to_its_end(page):
    puzzle = puzzles()[SHORT - 1]
    name = ("Yellow", "Red")[puzzle.board.turn]
    open_puzzle(page, SHORT)
    for done in (0, 2, 4):
        assert page.text("#panel h1") == f"{name} wins in {5 - done} move{'s' * (done < 4)}"
        page.play(puzzle.line[done] + 1)
        if done < 4:
            page.wait_for(".puzzle-answer", f"Right. {puzzle.line[done + 1] + 1} is the longest defence. Find the next")
            assert page.discs == len(puzzle.moves) + done + 2
            assert facts(page)[1:] == ["1, longest 1", "1 of 500"], "the first move is what counts"
    page.wait_for(".puzzle-answer", f"Right: {puzzle.column + 1} wins in 5 moves.")
    assert page.text("#panel h1") == f"{name} wins in 5 moves"
    assert len(page.all(".winning")) >= 4
    assert page.driver.switch_to.active_element.get_attribute("id") == "next"
    page.press_button(".puzzle button", "Show the line")
    page.wait(lambda: len(page.all(".ghost")) == 5)
    assert page.discs == len(puzzle.moves)
    page.click("#next")
    page.wait(lambda: page.address != f"/puzzles/{SHORT}")


def test_a_wrong_move_is_refuted_and_may_be_mended(page):
    open_puzzle(page)
    page.play(WRONG + 1)
    page.wait_for(".puzzle-answer", "Try again.")
    assert f"{WRONG + 1} loses in" in page.text(".puzzle-answer") or "only draws" in page.text(".puzzle-answer")
    assert len(page.all(".ghost")) > 1
    rating = facts(page)[0]
    assert int(rating) < 800
    page.play(PUZZLE.column + 1)
    page.wait_for(".puzzle-answer", "Right:")
    assert facts(page) == [rating, "0, longest 0", "0 of 500"], "only the first try counts"


def test_the_solution_can_be_shown_and_explained(page):
    open_puzzle(page)
    assert not page.find("#explain").is_displayed()
    cost = int(page.text("#show").removeprefix("Show the solution (\N{MINUS SIGN}").removesuffix(" points)"))
    page.click("#show")
    page.wait_for(".puzzle-answer", f"The solution: {PUZZLE.column + 1} wins")
    assert facts(page)[0] == f"{800 - cost}"
    page.click("#explain")
    page.wait(lambda: page.text(".explanation-text"))
    page.click("#next")
    page.wait(lambda: page.all(".threat") == [])


def test_links_back_and_forward(page):
    open_puzzle(page)
    page.click("#next")
    page.wait(lambda: page.address != f"/puzzles/{NUMBER}")
    following = page.address
    page.driver.back()
    page.wait_for("#panel", f"Puzzle {NUMBER},")
    page.driver.forward()
    page.wait(lambda: page.address == following)
    page.driver.execute_script("location.hash = '/puzzles/99999'")
    page.wait_for("#read", "There is no puzzle 99999: they are 1 to 500.")
    page.wait(lambda: page.address not in ("/puzzles/99999", following))
    page.click("#next")
    page.wait(lambda: page.text("#read") == "")
    page.driver.execute_script("location.hash = '/puzzles'")
    page.wait(lambda: page.address not in ("/puzzles", "/puzzles/99999"))
    assert page.text("#panel h1")


def test_the_game_of_the_other_modes_stays(page):
    page.open("445")
    page.switch("puzzles")
    page.wait_for("#panel", "Puzzle ")
    page.press(page.keys.ARROW_LEFT, page.keys.HOME)
    page.driver.execute_script("document.body.focus()")
    page.press(page.keys.CONTROL + "z", page.keys.NULL)
    page.driver.back()
    page.wait(lambda: page.address == "/analyse/7x6x4/445")
    assert page.discs == 3


def test_a_puzzle_can_be_analysed(page):
    open_puzzle(page)
    page.click("#analyse")
    page.wait(lambda: page.hash == PUZZLE.board.to_pons())
    assert page.mode == "analyse"
    page.switch("puzzles")
    page.wait_for("#panel", f"Puzzle {NUMBER}")
    page.paste("4453")
    page.agree()
    page.wait(lambda: page.address == "/analyse/7x6x4/4453")


def test_puzzles_of_a_theme(page):
    open_puzzle(page)
    page.press_button("#theme-of-puzzles option", "Save the draw")
    page.click("#next")
    page.wait_for("#panel h1", " saves the draw")
    assert page.stored("c4mcts.puzzles")["theme"] == "draw"


def answer(page, column, count):
    page.play(column + 1)
    page.wait(lambda: len((page.stored("c4mcts.puzzles") or {"exam": []})["exam"]) == count)


def test_the_exam_gives_the_certificate_of_the_command(page):
    """The leftmost column three times and two right answers; then all the others right."""
    open_puzzle(page)
    page.click("#puzzles-exam")
    order = [questions()[21 * number % 100][0] for number in range(100)]
    page.wait_for("#panel h1", f"Question 1 of 100: {('Yellow', 'Red')[order[0].turn]} to move")
    columns = [(solve(board).best[0], board.legal_columns[0])[number < 3] for number, board in enumerate(order[:5])]
    for count, column in enumerate(columns, 1):
        answer(page, column, count)
    found = Counter(
        ExamAnswer("other", Reviewer(b.after(c)).step()).error for b, c in zip(order, columns, strict=False)
    )
    assert Counter(page.stored("c4mcts.puzzles")["exam"]) == found
    page.click("#certificate")
    low, high = wilson(found[""], 5)
    assert page.texts(".certificate tr:last-child td") == [
        f"{found['']} of 5",
        f"{100 * low:.0f}\N{EN DASH}{100 * high:.0f} %",
    ]
    progress = page.stored("c4mcts.puzzles") | {"exam": [*page.stored("c4mcts.puzzles")["exam"], *[""] * 94]}
    script = "localStorage.setItem('c4mcts.puzzles', JSON.stringify(arguments[0]))"
    page.driver.execute_script(script, progress | {"version": 2})
    page.driver.refresh()
    page.click("#puzzles-exam")
    page.wait_for("#panel h1", "Question 100 of 100")
    answer(page, solve(order[99]).best[0], 100)
    page.wait_for("#panel h1", "Certificate")
    assert page.texts(".certificate tr:last-child td")[0] == f"{95 + found['']} of 100"
    page.play(4)
    assert page.text("#panel h1") == "Certificate"
    page.click("#again")
    page.wait_for("#panel h1", "Question 1 of 100")


def test_by_keys_alone_and_for_screen_readers(page):
    open_puzzle(page)
    page.driver.execute_script("document.querySelector('.column').focus()")
    label = page.find(".board").get_attribute("aria-label")
    assert label == f"{('Yellow', 'Red')[PUZZLE.board.turn]} to move."
    page.press(str(PUZZLE.column + 1))
    page.wait_for(".puzzle-answer", "Right:")
    assert page.find(".puzzle-answer").get_attribute("role") == "status"
    before = page.address
    page.press("n")
    page.wait(lambda: page.address != before)
    page.wait_for("#live", "Exactly one move is right.")


def test_on_a_phone_the_board_and_the_task_are_in_sight(page):
    page.resize(*PHONE, touch=True)
    open_puzzle(page)
    assert page.box("#panel h1")[3] < PHONE[1]
