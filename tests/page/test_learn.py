"""Learn: simulations one by one, in the tree and on the board, and a tree to look into."""

import json
import re
import signal

import pytest
from page import Server, halts

from c4mcts import Board, Engine, SearchParams
from c4mcts.protocol import Session

pytestmark = pytest.mark.native


def phase(page):
    phases = page.panel.listitem().button()
    return phases.texts[phases.is_current.index(True)][2:]


def sentence(page):
    """What the page says about the phase."""
    return page.panel.paragraph()[0].text


def scores(page):
    """The rows of the children's scores, and that of the selected one."""
    table = page.table("Scores of the children")
    return table.rows, table.rows[table.part("row").is_current.index(True) - 1]


def formula(page):
    """The formula of the score with the numbers of the selected child."""
    return [text for text in page.paragraph().texts if "√" in text][1]


def open_learn(page, position=""):
    page.open(position, "learn")
    wait_for_story(page)


def wait_for_story(page):
    """Wait for the first simulation of a search. While the page asks for one, the last one can't be used."""
    page.panel.slider("Simulation").wait_for()
    page.wait_for_headline("Simulation 1 of")


def ghosts(page):
    return len(page.ghosts)


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
    assert "has the highest score" in sentence(page)
    chosen = int(scores(page)[1][0])
    assert page.ghosts == ["1"]
    page.panel.button("Forward (→)").click()
    assert phase(page) == "Expansion"
    assert sentence(page).startswith("This node is reached for the second time: it gets a child for each of the 7")
    assert ghosts(page) == 2
    page.panel.button("Forward (→)").click()
    assert phase(page) == "Rollout"
    moves = int(re.search(r"After (\d+) move", sentence(page))[1])
    page.wait(lambda: ghosts(page) == 2 + moves)
    page.panel.button("Forward (→)").click()
    assert phase(page) == "Backup"
    rows = page.table().rows
    assert [row[0].split()[0] for row in rows] == ["Red", "Yellow", "Root"]
    assert rows[1][0] == f"Yellow {chosen}"
    assert "0 → 1" in rows[0]
    assert "1 → 2" in rows[1]
    assert "7 → 8" in rows[2]
    page.wait_to_hear("Backup: ")
    page.panel.button("Forward (→)").click()
    page.wait_for_headline("Simulation 9 of 200")
    page.wait_to_hear("Simulation 9. Selection: ")
    assert page.slider("Simulation").ask("return found[0].ariaValueText") == "Simulation 9 of 200"


def test_the_formula_has_the_numbers_of_the_child(page):
    open_learn(page, "4453")
    for number in (30, 100, 200):
        page.go_to_simulation(number)
        rows, (*_, best, selected_visits) = scores(page)
        score, mean, factor, total, tries = map(float, re.findall(r"[\d.]+", formula(page)))
        assert score == max(float(row[2]) for row in rows) == float(best)
        assert total == sum(int(row[3][2:]) for row in rows) == number - 1
        assert tries == int(selected_visits[2:])
        bonus = page.driver.execute_script("return Math.sqrt(Math.log(arguments[0]) / arguments[1])", total, tries)
        assert score == pytest.approx(mean + factor * bonus, abs=0.02)


def test_the_tree_grows_by_a_node_a_simulation_and_stays_where_it_is(page):
    open_learn(page)

    def places():
        return set(page.image("Tree of *").group().ask("return found.map((each) => each.getAttribute('transform'))"))

    page.press(page.keys.END)
    page.wait_for_headline("Simulation 200 of 200")
    page.image("Tree of 200 nodes*").wait_for()  # the root, and a node for each simulation before this one
    late = places()
    for number in (1, 2, 30):
        page.go_to_simulation(number)
        page.image(f"Tree of {number + (number == 2)} nodes*").wait_for()  # the one selected in 2 is new
        if number != 2:
            assert places() <= late
    box = page.image("Tree of *").elements[0].rect
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
        page.wait_for_headline(f"Simulation {number} of")
    assert page.hash == ""  # the game is where it was


def test_the_rollout_is_played_disc_by_disc(page):
    page.prefer(prefers_reduced_motion="no-preference")
    open_learn(page)
    page.button("3 Rollout").click()
    seen, moves = {ghosts(page)}, int(re.search(r"After (\d+) move", sentence(page))[1])
    page.wait(lambda: seen.add(ghosts(page)) or 1 + moves in seen)
    assert (len(seen) > 1, phase(page)) == (True, "Rollout")
    page.press(page.keys.ARROW_LEFT)
    page.wait(lambda: ghosts(page) == 1)


def test_another_position_and_other_settings(page):
    open_learn(page, "44")
    page.play(4)
    page.wait(lambda: (page.hash, page.discs) == ("444", 3))
    page.press(page.keys.CONTROL + "z", page.keys.NULL)
    page.wait(lambda: (page.hash, page.discs) == ("44", 2))
    page.go_to_simulation(50)
    page.play(3)
    page.wait(lambda: page.hash == "443")
    wait_for_story(page)
    page.press("f")
    page.go_to_simulation(8)
    assert sentence(page).startswith("Yellow selects")  # the second player, with swapped colours
    page.textbox("Exploration factor c").type("0.3", page.keys.ENTER)
    page.wait_for_headline("Simulation 1 of 200")
    page.go_to_simulation(100)
    assert "0.30 √" in formula(page)


@halts
def test_until_a_search_comes_that_of_the_position_before_cannot_be_used(page):
    with Server() as own:
        page.url = own.url
        open_learn(page, "44")
        own.process.send_signal(signal.SIGSTOP)
        page.play(3)
        page.wait(lambda: page.hash == "443")
        page.press(page.keys.END)
        assert page.panel.heading().texts[0].startswith("Simulation 1 of")
        assert not page.panel.slider("Simulation")
        assert not page.panel.button("Play")
        own.process.send_signal(signal.SIGCONT)
        page.go_to_simulation(50)
    page.driver.get("about:blank")


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


def test_a_node_shows_its_board_and_figures(page):
    open_learn(page, "4453")
    page.go_to_simulation(120)
    nodes = page.image("Tree of *").group("yellow 3: *")
    title = max(nodes.names, key=lambda name: int(re.search(r"n (\d+)", name)[1]))  # the child of the root
    node = nodes[nodes.names.index(title)]
    actions = pytest.importorskip("selenium.webdriver").ActionChains
    actions(page.driver).move_to_element(node.elements[0]).click().perform()
    page.heading("Node 3: yellow’s move in column 3").wait_for()
    assert page.ghosts == ["1"]
    found = page.terms
    assert re.fullmatch(r"\d+ simulations", found["Visits"])
    assert re.fullmatch(r"[01]\.\d\d for yellow", found["Value"])
    visits, mean = re.fullmatch(r"yellow 3: n (\d+), value ([\d.]+)", title).groups()
    assert (found["Visits"].split()[0], found["Value"].split()[0]) == (visits, mean)
    page.wait_to_hear("Node 3: yellow’s move in column 3. Visits: ")
    page.button("Close the node").click()
    assert not page.heading("Node *")
    assert scores(page)
    assert formula(page)


def test_the_nodes_by_keys(page):
    open_learn(page, "4453")
    page.go_to_simulation(120)
    page.image("Tree of *").focus()
    page.press(page.keys.ENTER)
    page.heading("The root: the position on the board").wait_for()
    page.press(page.keys.ARROW_DOWN)
    page.press(*[page.keys.ARROW_LEFT] * 7)
    page.heading("Node 1: yellow’s move in column 1").wait_for()
    page.press(page.keys.ESCAPE)
    page.wait(lambda: not page.heading("Node *"))
    page.press(page.keys.ARROW_DOWN)
    page.wait_for_headline("Simulation 121")


# a tree to look into


def openers(page):
    return page.table("Nodes of the tree").button()


def visits(page):
    """The visits of the first child."""
    return page.table("Nodes of the tree").rows[0][1]


def test_a_tree_is_opened_node_by_node(page):
    page.open("44", "learn")
    page.panel.button("Look into a tree").click()
    assert page.combobox("Preset").value == "uct", "which proves no positions at once"
    page.set_time()
    page.wait(lambda: len(openers(page)) == 7)
    page.button("Stop").click()
    page.button("Continue").wait_for()
    openers(page)[3].click()
    page.wait(lambda: len(openers(page)) == 14)
    names = openers(page).names
    assert names[3:6] == ["Column 4", "Column 4, 1", "Column 4, 2"]
    assert openers(page)[3].ask("return found[0].ariaExpanded") == "true"
    openers(page)[7].click()
    page.wait(lambda: len(openers(page)) == 21)
    page.wait(lambda: page.ghosts == ["1", "2"])
    openers(page)[3].click()
    page.wait(lambda: len(openers(page)) == 7)
    page.play(4)  # another position, another tree
    page.wait(lambda: page.hash == "444")
    page.paragraph().wait_for("The tree of the search appears here.")
    page.button("Start", "Continue").click()
    page.wait(lambda: len(openers(page)) == 7)


def test_the_tree_of_the_analysis_grows(page):
    page.open("4")
    page.set_time()
    page.wait_for_numbers()
    page.disclosure("Tree").click()
    page.wait(lambda: len(openers(page)) == 7)
    first = visits(page)
    openers(page)[0].click()
    page.wait(lambda: len(openers(page)) == 14)
    page.wait(lambda: visits(page) != first)
    page.switch("play")
    page.switch("analyse")
    page.wait_for_numbers()


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
