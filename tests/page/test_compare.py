"""Learn, Compare: two searches with the same random numbers; presets in words."""

from decimal import ROUND_HALF_UP, Decimal

import pytest

from c4mcts import Board, Engine, SearchParams

pytestmark = pytest.mark.native

SETTINGS = {"isOn": False}  # no search
COUNTS = (20, 200, 2_000, 20_000)
SEEDS = """const send = WebSocket.prototype.send;
    window.seeds = [];
    WebSocket.prototype.send = function (text) {
      const message = JSON.parse(text);
      if (message.action === "analyze") seeds.push(message);
      return send.call(this, text);
    };"""


def open_comparison(page, position="44"):
    page.open(position, "learn")
    page.click("#learn-compare")
    wait(page)


def wait(page):
    page.wait(lambda: len(page.all(".compare-table :is(.win, .draw, .loss)")) == 2 * len(COUNTS))


def moves(page, side):
    return [int(text) for text in page.texts(f".compare section:nth-child({side}) tbody td:nth-child(2) b")]


def test_both_searches_are_those_of_the_engine_with_the_same_seed(page):
    open_comparison(page)
    page.driver.execute_script(SEEDS)
    page.click("#compare-again")
    wait(page)
    sent = page.driver.execute_script("return window.seeds")
    (seed,) = {message["seed"] for message in sent[1:]}
    assert "seed" not in sent[0]
    for side, factor in ((1, 0.3), (2, 3.0)):
        params = SearchParams.preset("uct", exploration=factor)
        found = [Engine(params, seed=seed).search(Board.from_pons("44"), simulations=count) for count in COUNTS]
        assert moves(page, side) == [result.column + 1 for result in found]
        assert page.texts(f".compare section:nth-child({side}) tbody td:nth-child(3)") == [
            str(Decimal(result.value).quantize(Decimal("0.01"), ROUND_HALF_UP)) for result in found
        ]  # browsers round halves up


def test_what_it_plays_and_what_is_exact(page):
    open_comparison(page)
    assert page.text(".compare-exact") == "The exact best move is 4."
    assert page.text(".compare-words").startswith(f"After 20 simulations it plays {moves(page, 1)[0]}")
    last = {moves(page, 1)[-1], moves(page, 2)[-1]}
    assert sorted(page.texts(".ghost")) == (["AB"] if len(last) == 1 else ["A", "B"])
    page.wait_for("#live", "The exact best move is 4.")


def test_pairs_and_settings(page):
    open_comparison(page)
    page.press_button(".view button", "Random and safe rollouts")
    wait(page)
    chosen = [page.find(f"#compare-{side}-rollouts").get_property("value") for side in "ab"]
    assert chosen == ["random", "safe"]
    assert [page.find(f"#compare-{side}-c").get_property("value") for side in "ab"] == ["", ""]
    page.driver.execute_script(SEEDS)
    page.find("#compare-b-c").send_keys("0.7", page.keys.ENTER)
    page.wait(lambda: len(page.driver.execute_script("return window.seeds")) == 2 * len(COUNTS))
    sent = page.driver.execute_script("return window.seeds.map((each) => each.overrideSettings)")
    assert sent[1] == {"exploration": 0.7, "rollout": "safe"}
    assert sent[0] == {"rollout": "random"}
    page.play(4)
    page.wait(lambda: page.hash == "444")
    wait(page)


def values(page):
    """What the fields of both sides hold."""
    names = [f"#compare-{side}{field}" for side in "ab" for field in ("", "-c", "-rollouts")]
    return [page.find(name).get_property("value") for name in names]


def test_its_settings_survive_a_reload(page):
    open_comparison(page)
    assert values(page) == ["uct", "0.3", "", "uct", "3", ""]
    page.press_button(".view button", "UCT and strong")
    wait(page)
    page.find("#compare-a-c").send_keys("0,7", page.keys.ENTER)
    page.press_button("#compare-b-rollouts option", "safe")
    page.driver.refresh()
    page.click("#learn-compare")
    wait(page)
    assert values(page) == ["uct", "0,7", "", "strong", "", "safe"]


def test_the_network_has_no_rollouts_to_choose(page):
    open_comparison(page)
    page.press_button(".view button", "Random and safe rollouts")
    wait(page)
    page.driver.execute_script(SEEDS)
    page.find("#compare-b").send_keys("network")
    page.wait(lambda: len(page.driver.execute_script("return window.seeds")) == 2 * len(COUNTS))
    wait(page)
    assert [page.find(f"#compare-{side}-rollouts").is_enabled() for side in "ab"] == [True, False]
    sent = page.driver.execute_script("return window.seeds")
    assert (sent[1]["preset"], sent[1]["overrideSettings"]) == ("network", {})
    assert len(moves(page, 2)) == len(COUNTS)
    page.click("#back")
    assert "network" not in page.texts("#learn-preset option"), "it has no rollouts to show"
