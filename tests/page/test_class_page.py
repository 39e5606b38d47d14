"""The page for a class, from its file alone."""

from c4mcts import Board, Rules
from c4mcts.play import Contestant, RandomPlayer, play_tournament
from c4mcts.play.grades import Grades

FILLS = {"#ffd23f": 1, "#c8102e": 2}


def shown(browser):
    """The cells of the board in the dialog, the top row first."""
    circles = browser.execute_script(
        "return [...document.querySelectorAll('dialog circle:not(.mark)')]"
        ".map((each) => [each.getAttribute('cy'), each.getAttribute('cx'), each.getAttribute('fill')])"
    )
    return [FILLS.get(fill, 0) for _, _, fill in sorted(circles, key=lambda each: tuple(map(int, each[:2])))]


def test_the_page_replays_its_games(browser, tmp_path):
    tournament = play_tournament([Contestant("<b>bot", RandomPlayer), "uct@20"], games=4, rules=Rules(5, 4), seed=1)
    Grades(tournament, 1).save(tmp_path / "class.html")
    browser.get((tmp_path / "class.html").as_uri())
    browser.get_log("browser")
    for game, number in zip(tournament.games_of(0), (-4, -3, -2, -1), strict=True):
        browser.execute_script(f"[...document.querySelectorAll('h2 ~ p button')].at({number}).click()")
        assert browser.find_element("id", "move").text.startswith(f"Move {game.opening} of {len(game.moves)}: ")
        for ply in range(len(game.moves), -1, -1):
            browser.execute_script(f"slider.value = {ply}; slider.dispatchEvent(new Event('input'))")
            board = Board.from_moves(game.moves[:ply], Rules(5, 4))
            assert shown(browser) == board.to_array().ravel().tolist()
        browser.find_element("css selector", "dialog button").click()
    assert browser.get_log("browser") == []
