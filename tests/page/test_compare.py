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
    page.panel.button("Compare").click()
    wait(page)


def wait(page):
    texts = page.table("What the search plays").cell
    page.wait(lambda: len(texts("* the best move", "* the result", "* the result away")) == 2 * len(COUNTS))


def moves(page, side):
    return [int(row[1].split()[0]) for row in plays(page, side)]


def plays(page, side):
    """What a side plays after each number of simulations: the number, the move, its value."""
    return page.region(side).table().rows


def test_both_searches_are_those_of_the_engine_with_the_same_seed(page):
    open_comparison(page)
    page.driver.execute_script(SEEDS)
    page.panel.button("Other random numbers").click()
    wait(page)
    sent = page.driver.execute_script("return window.seeds")
    (seed,) = {message["seed"] for message in sent[1:]}
    assert "seed" not in sent[0]
    for side, factor in (("A", 0.3), ("B", 3.0)):
        params = SearchParams.preset("uct", exploration=factor)
        found = [Engine(params, seed=seed).search(Board.from_pons("44"), simulations=count) for count in COUNTS]
        assert moves(page, side) == [result.column + 1 for result in found]
        assert [row[2] for row in plays(page, side)] == [
            str(Decimal(repr(result.value)).quantize(Decimal("0.01"), ROUND_HALF_UP)) for result in found
        ]  # browsers round halves up, of the number as it is printed


def test_what_it_plays_and_what_is_exact(page):
    open_comparison(page)
    page.panel.paragraph().wait_for("The exact best move is 4.")
    page.region("A").paragraph().wait_for(f"After 20 simulations it plays {moves(page, 'A')[0]}")
    last = {moves(page, side)[-1] for side in "AB"}
    assert sorted(page.ghosts) == (["AB"] if len(last) == 1 else ["A", "B"])
    page.wait_to_hear("The exact best move is 4.")


def test_pairs_and_settings(page):
    open_comparison(page)
    page.button("Random and safe rollouts").click()
    wait(page)
    assert values(page) == ["uct", "", "random", "uct", "", "safe"]
    page.driver.execute_script(SEEDS)
    page.region("B").textbox("Factor c").type("0.7", page.keys.ENTER)
    page.wait(lambda: len(page.driver.execute_script("return window.seeds")) == 2 * len(COUNTS))
    sent = page.driver.execute_script("return window.seeds.map((each) => each.overrideSettings)")
    assert sent[1] == {"exploration": 0.7, "rollout": "safe"}
    assert sent[0] == {"rollout": "random"}
    page.play(4)
    page.wait(lambda: page.hash == "444")
    wait(page)


def values(page):
    """What the fields of both sides hold."""
    return [
        field.value
        for side in map(page.region, "AB")
        for field in (side.combobox("Preset"), side.textbox("Factor c"), side.combobox("Rollouts"))
    ]


def test_its_settings_survive_a_reload(page):
    open_comparison(page)
    assert values(page) == ["uct", "0.3", "preset’s", "uct", "3", "preset’s"]
    page.button("UCT and strong").click()
    wait(page)
    page.region("A").textbox("Factor c").type("0,7", page.keys.ENTER)
    page.region("B").combobox("Rollouts").choose("safe")
    page.driver.refresh()
    page.panel.button("Compare").click()
    wait(page)
    assert values(page) == ["uct", "0.7", "preset’s", "strong", "", "safe"]


def test_the_network_has_no_rollouts_to_choose(page):
    open_comparison(page)
    page.button("Random and safe rollouts").click()
    wait(page)
    page.driver.execute_script(SEEDS)
    page.region("B").combobox("Preset").choose("network")
    page.wait(lambda: len(page.driver.execute_script("return window.seeds")) == 2 * len(COUNTS))
    wait(page)
    assert [page.region(side).combobox("Rollouts").is_enabled for side in "AB"] == [True, False]
    sent = page.driver.execute_script("return window.seeds")
    assert (sent[1]["preset"], sent[1]["overrideSettings"]) == ("network", {})
    assert len(moves(page, "B")) == len(COUNTS)
    page.panel.button("Step by step").click()
    page.wait(lambda: "uct" in page.combobox("Preset").options)
    assert "network" not in page.combobox("Preset").options, "it has no rollouts to show"


def test_presets_are_offered_where_they_serve_the_board_and_strong_searches_elsewhere(page, accept):
    accept("de")
    names = ("preset", "treePreset", "presetA", "presetB")
    page.store(**dict.fromkeys(names, "network"), seconds=0.1)
    page.load("4x4x3:")
    fields = page.panel.combobox("Profil")
    page.wait(lambda: "UCT" in fields.options)
    page.panel.paragraph().wait_for("„Netz“ ist nicht für dieses Brett. Womit c4mcts spielt")
    page.wait_for_numbers()
    assert not page.panel.disclosure("Eröffnungsbuch")
    page.switch("learn")
    for view in ("Baum ansehen", "Vergleichen"):
        page.panel.button(view).click()
        page.wait(lambda: all(fields[index].options[:2] == ["stark", "UCT"] for index in range(len(fields))))
        assert {"perfekt", "Netz"}.isdisjoint(fields.options), view
        page.wait(lambda: page.panel.cell().texts)
    assert not page.panel.alert()
    page.open("4", "learn")
    page.wait(lambda: [fields[index].value for index in (0, 1)] == ["Netz", "Netz"])
