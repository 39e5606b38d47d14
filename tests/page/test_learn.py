"""Learn: simulations one by one, in the tree and on the board, and a tree to look into."""

import json
import re

import pytest

from c4mcts import Board, Engine, SearchParams
from c4mcts.protocol import Session

pytestmark = pytest.mark.native


def phase(page):
    return page.text(".phase[aria-current]")[2:]


def open_learn(page, position=""):
    page.open(position, "learn")
    page.wait_for("#panel h1", "Simulation 1 of")


def ghosts(page):
    return len(page.all(".ghost"))


def steps_reply(**query):
    """What the server replies to "steps"."""
    replies = []
    session = Session(replies.append)
    session.receive(json.dumps({"id": "x", "action": "steps", **query}))
    session.finish()
    return replies[0]


# step by step


def test_the_phases_of_a_simulation(page):
    open_learn(page)
    page.go_to_simulation(8)  # the first that selects by scores: all columns have been tried
    assert phase(page) == "Selection"
    assert "has the highest score" in page.text(".learn-words")
    chosen = int(page.text(".scores .chosen th"))
    assert page.find(".ghost text").text == "1"
    page.click("#learn-forward")
    assert phase(page) == "Expansion"
    assert page.text(".learn-words").startswith(
        "This node is reached for the second time: it gets a child for each of the 7"
    )
    assert (len(page.all(".stub")), ghosts(page)) == (7, 2)
    page.click("#learn-forward")
    assert phase(page) == "Rollout"
    moves = int(re.search(r"After (\d+) move", page.text(".learn-words"))[1])
    page.wait(lambda: ghosts(page) == 2 + moves)
    page.click("#learn-forward")
    assert phase(page) == "Backup"
    rows = [row.text for row in page.all(".rewards tbody tr")]
    assert [row.split()[0] for row in rows] == ["Red", "Yellow", "Root"]
    assert rows[1].startswith(f"Yellow {chosen}")
    assert "0 → 1" in rows[0]
    assert "1 → 2" in rows[1]
    assert "7 → 8" in rows[2]
    page.wait_for("#live", "Backup: ")
    page.click("#learn-forward")
    page.wait_for("#panel h1", "Simulation 9 of 200")
    page.wait_for("#live", "Simulation 9. Selection: ")
    assert page.find("#learn-range").get_attribute("aria-valuetext") == "Simulation 9 of 200"
    assert "nodes" in page.find(".learn-tree").get_attribute("aria-label")


def test_the_formula_has_the_numbers_of_the_child(page):
    open_learn(page, "4453")
    for number in (30, 100, 200):
        page.go_to_simulation(number)
        scores = [float(text) for text in page.texts(".scores td:nth-child(3)")]
        visits = [int(text[2:]) for text in page.texts(".scores td:nth-child(4)")]
        score, mean, factor, total, tries = map(float, re.findall(r"[\d.]+", page.text(".formula p:nth-child(2)")))
        assert score == max(scores) == float(page.text(".scores .chosen td:nth-child(3)"))
        assert total == sum(visits) == number - 1
        assert tries == int(page.text(".scores .chosen td:nth-child(4)")[2:])
        bonus = page.driver.execute_script("return Math.sqrt(Math.log(arguments[0]) / arguments[1])", total, tries)
        assert score == pytest.approx(mean + factor * bonus, abs=0.02)


def test_the_tree_grows_by_a_node_a_simulation_and_stays_where_it_is(page):
    open_learn(page)

    def places():
        nodes = page.all(".learn-tree .tree-node")
        return {node.get_attribute("transform") for node in nodes}

    page.press(page.keys.END)
    page.wait_for("#panel h1", "Simulation 200 of 200")
    assert len(page.all(".tree-node")) == 200  # the root, and a node for each simulation before this one
    late = places()
    for number in (1, 2, 30):
        page.go_to_simulation(number)
        assert len(page.all(".tree-node")) == number + (number in (2,))  # the one selected in 2 is new
        if number != 2:
            assert places() <= late
    box = page.driver.execute_script("return document.querySelector('.learn-tree').getBoundingClientRect().toJSON()")
    centres = [tuple(map(float, re.findall(r"[\d.]+", place))) for place in late]
    assert all(0 < x < box["width"] and 0 < y < box["height"] for x, y in centres)


def test_back_and_forth_by_keyboard(page):
    open_learn(page)
    right, left, up, down = (getattr(page.keys, f"ARROW_{name}") for name in ("RIGHT", "LEFT", "UP", "DOWN"))
    home, end = page.keys.HOME, page.keys.END
    page.press(right)
    assert phase(page) == "Expansion"
    page.press(left)
    assert phase(page) == "Selection"
    for key, number in ((down, 2), (down, 3), (up, 2), (end, 200), (down, 200), (home, 1), (up, 1)):
        page.press(key)
        page.wait_for("#panel h1", f"Simulation {number} of")
    assert page.hash == ""  # the game is where it was


def test_the_rollout_is_played_disc_by_disc(page):
    page.prefer(prefers_reduced_motion="no-preference")
    open_learn(page)
    page.click(".phases li:nth-child(3) button")
    seen, moves = {ghosts(page)}, int(re.search(r"After (\d+) move", page.text(".learn-words"))[1])
    page.wait(lambda: seen.add(ghosts(page)) or 1 + moves in seen)
    assert (len(seen) > 1, phase(page)) == (True, "Rollout")
    page.press(page.keys.ARROW_LEFT)
    page.wait(lambda: ghosts(page) == 1)


def test_another_position_and_other_settings(page):
    open_learn(page, "44")
    page.go_to_simulation(50)
    page.play(3)
    page.wait(lambda: page.hash == "443")
    page.wait_for("#panel h1", "Simulation 1 of 200")
    page.press("f")
    page.go_to_simulation(8)
    assert page.text(".learn-words").startswith("Yellow selects")  # the second player, with swapped colours
    field = page.find("#learn-exploration")
    field.send_keys("0.3", page.keys.ENTER)
    page.wait_for("#panel h1", "Simulation 1 of 200")
    page.go_to_simulation(100)
    assert "0.30 √" in page.text(".formula")


def test_the_story_of_a_search_is_its_tree(page):
    """Before each simulation the story has the visits that an engine has after as many simulations."""
    reply = steps_reply(position="4453", preset="uct", seed=3, maxVisits=60)
    body = """const story = new m.Story(a[0]);
        return story.steps.map((_, index) => [...story.treeBefore(index)].map(([node, {visits}]) => [node, visits]));"""
    trees = page.open().run("learn-story", body, reply)
    for count in (1, 7, 20, 59):
        engine = Engine(SearchParams.preset("uct"), seed=3)
        engine.search(Board.from_pons("4453"), simulations=count)
        visits = engine.tree()["visits"]
        assert dict(trees[count]) == {node: int(number) for node, number in enumerate(visits) if number}


# a node of the drawn tree


def look_at(page, number):
    """Click a node of the tree."""
    actions = pytest.importorskip("selenium.webdriver").ActionChains
    actions(page.driver).move_to_element(page.find(f".tree-node[data-node='{number}']")).click().perform()
    page.wait(lambda: page.all(".halo"))


def figures(page):
    return dict(zip(page.texts(".node-facts dt"), page.texts(".node-facts dd"), strict=True))


def test_a_node_shows_its_board_and_figures(page):
    open_learn(page, "4453")
    page.go_to_simulation(120)
    look_at(page, 3)  # a child of the root
    assert page.text(".learn-detail h2").startswith("Node 3: yellow’s move in column 3")
    assert page.texts(".ghost") == ["1"]
    found = figures(page)
    assert re.fullmatch(r"\d+ simulations", found["Visits"])
    assert re.fullmatch(r"[01]\.\d\d for yellow", found["Value"])
    title = page.driver.execute_script("return document.querySelector(\"[data-node='3'] title\").textContent")
    visits, mean = re.fullmatch(r"yellow 3: n (\d+), value ([\d.]+)", title).groups()
    assert (found["Visits"].split()[0], found["Value"].split()[0]) == (visits, mean)
    page.wait_for("#live", "Node 3: yellow’s move in column 3. Visits: ")
    page.click("#node-close")
    assert page.all(".halo") == []
    assert page.all(".scores")
    assert "formula" in page.find(".learn-detail > div").get_attribute("class")


def test_the_nodes_by_keys(page):
    open_learn(page, "4453")
    page.go_to_simulation(120)
    page.driver.execute_script("document.querySelector('.learn-tree').focus()")
    page.press(page.keys.ENTER)
    page.wait_for(".learn-detail h2", "The root: the position on the board")
    page.press(page.keys.ARROW_DOWN)
    page.press(*[page.keys.ARROW_LEFT] * 7)
    page.wait_for(".learn-detail h2", "Node 1: yellow’s move in column 1")
    page.press(page.keys.ESCAPE)
    page.wait(lambda: not page.all(".halo"))
    page.press(page.keys.ARROW_DOWN)
    page.wait_for("#panel h1", "Simulation 121")


# a tree to look into


def openers(page):
    return page.all(".opener")


def test_a_tree_is_opened_node_by_node(page):
    page.open("44", "learn")
    page.click("#learn-tree")
    page.set_time()
    page.wait(lambda: len(openers(page)) == 7)
    page.click("#search")  # stop
    page.wait_for("#search", "Continue")
    openers(page)[3].click()
    page.wait(lambda: len(openers(page)) == 14)
    names = [button.get_attribute("aria-label") for button in openers(page)]
    assert names[3:6] == ["Column 4", "Column 4, 1", "Column 4, 2"]
    assert openers(page)[3].get_attribute("aria-expanded") == "true"
    openers(page)[7].click()
    page.wait(lambda: len(openers(page)) == 21)
    page.wait(lambda: page.texts(".ghost") == ["1", "2"])
    openers(page)[3].click()
    page.wait(lambda: len(openers(page)) == 7)
    page.play(4)  # another position, another tree
    page.wait(lambda: page.hash == "444")
    page.wait_for(".explorer-box", "The tree of the search appears here.")
    page.click("#search")
    page.wait(lambda: len(openers(page)) == 7)


def test_the_tree_of_the_analysis_grows(page):
    page.open("4")
    page.set_time()
    page.wait_for("#panel .numbers", "simulations")
    page.click("#tree summary")
    page.wait(lambda: len(openers(page)) == 7)
    first = page.text(".explorer tbody td")
    openers(page)[0].click()
    page.wait(lambda: len(openers(page)) == 14)
    page.wait(lambda: page.text(".explorer tbody td") != first)
    heads = page.texts(".explorer thead th")
    assert heads == ["Move", "Visits", "Value", "Score", "Proof"]
    page.switch("play")
    page.switch("analyse")
    page.wait_for("#panel .numbers", "simulations")


def test_a_tree_of_plain_uct_is_proposed_and_grows(page):
    page.open("", "learn")
    page.click("#learn-tree")
    page.wait_for("#panel .explorer-box", "visits")
    assert page.find("#setting-preset").get_attribute("value") == "uct"
    page.switch("analyse")
    page.wait(lambda: page.find("#setting-preset").get_attribute("value") == "strong")


def test_the_formula_and_the_four_steps_fit_on_a_projector(page):
    page.resize(1280, 860)
    page.open("", "learn")
    page.go_to_simulation(150)
    page.press("p")
    page.wait(lambda: page.driver.execute_script("return document.documentElement.hasAttribute('data-presenting')"))
    script = """const tops = (selector) =>
            new Set([...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect().top)).size;
        const formulas = [...document.querySelectorAll(".formula p:not(.soft)")];
        return [tops(".phases li"), formulas.length, ...formulas.filter((each) =>
            each.getClientRects().length > 1 || each.scrollWidth > each.clientWidth ||
            each.getBoundingClientRect().height > 2 * parseFloat(getComputedStyle(each).fontSize))];"""
    page.wait(lambda: page.driver.execute_script(script) == [1, 2])
    page.press("p")
