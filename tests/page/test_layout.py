"""Where things are on the page: what is seen without scrolling, and that nothing jumps."""

import json
from importlib.resources import files
from itertools import pairwise

import pytest
from page import GAME, PHONE, SCREEN

pytestmark = pytest.mark.native


def test_the_list_of_moves_is_beside_the_board(page):
    for mode in ("analyse", "review"):
        page.open(GAME, mode)
        page.move(1).wait_for()
        page.driver.execute_script("scrollTo(0, 0)")
        left, top, right, bottom = page.box(".variations")
        assert left >= page.box(".board")[2]
        assert right <= page.box("#panel")[0]
        assert top >= 0
        assert max(bottom, page.box("#comment")[3], page.box("#remove")[3]) <= SCREEN[1]


def test_the_graph_has_a_band_for_each_result(page):
    page.open("445335")
    page.wait(lambda: len(page.all(".graph .dot")) == 7)
    names = "return [...document.querySelectorAll('.graph .band-name')].map((name) => name.textContent)"
    assert page.driver.execute_script(names) == ["Yellow wins", "Draw", "Red wins"]
    bands = [page.box(f".graph .band.{name}") for name in ("yellow", "even", "red")]
    script = "return [...document.querySelectorAll('.graph .dot')].map((dot) => dot.getBoundingClientRect().top)"
    page.wait(lambda: not page.all(".graph .estimate"))
    tops = page.driver.execute_script(script)
    found = [next(index for index, (_, top, _, bottom) in enumerate(bands) if top <= y < bottom) for y in tops]
    assert found == [0, 0, 0, 2, 2, 2, 0]  # a move that gives the win away falls through the band of draws


def test_the_graph_of_a_long_game_has_small_dots_and_no_sign_upon_another(page):
    body = """const graph = new m.Graph(() => {});
        graph.show(Array.from({length: 261}, (_, ply) => ({height: 0, mark: ply % 3 ? "" : "??"})), 260, "");
        const values = (selector, name) => [...graph.svg.querySelectorAll(selector)].map((each) =>
          Number(each.getAttribute(name)));
        return [values(".sign", "x"), values(".dot", "r")];"""
    places, sizes = page.open().run("graph", body)
    assert len(places) > 20
    assert min(later - place for place, later in pairwise(places)) >= 12
    assert sorted(sizes)[-2:] == [pytest.approx(434 / 260), 4.5], "the one on the board is seen"


def test_the_focus_is_seen(page):
    page.open("", "play")
    page.press(page.keys.TAB)
    for scheme, ring in (("light", "rgb(11, 14, 18)"), ("dark", "rgb(255, 255, 255)")):
        page.prefer(prefers_color_scheme=scheme)
        page.board.button()[0].focus()
        page.wait(lambda ring=ring: page.css(".column", "stroke") == ring)
        page.radio()[0].focus()
        page.wait(lambda ring=ring: page.css(".segment span", "outlineColor") == ring)
        assert page.css(".segment span", "outlineStyle") == "solid"


# what is seen without scrolling


def bottom(page, *selectors):
    return max(page.box(selector)[3] for selector in selectors)


def test_a_lesson_fits_on_a_projector(page):
    page.resize(1280, 720)
    page.open("4453", "learn")
    page.go_to_simulation(60)
    parts = (".board", ".scores", ".learn-tree", "#learn-play", "#learn-preset", "#learn-again")
    assert bottom(page, *parts) <= 720
    assert page.driver.execute_script("return document.documentElement.scrollHeight") <= 720
    assert page.box(".board")[2] - page.box(".board")[0] > 220


def test_a_phone_on_its_side_shows_the_whole_board_and_a_large_screen_a_large_one(page):
    for position in ("4453", "20x14x5:10,11"):
        for mode in ("analyse", "play", "learn", "review"):
            page.resize(844, 390, touch=True)
            page.open(position, mode)
            left, top, right, low = page.box(".board")
            assert min(left, top) >= 0, (position, mode)
            assert right <= 844, (position, mode)
            assert low <= 390, (position, mode)
            assert right - left > 200, (position, mode)
    page.resize(1600, 1000)
    page.open("4453")
    _, top, _, low = page.box(".board")
    assert low - top > 650


def test_a_presentation_shows_one_thing_at_a_time(page):
    page.resize(1280, 720)
    page.open("4453", "learn")
    page.go_to_simulation(60)
    before = float(page.css(".learn-words", "fontSize")[:-2])
    page.press("p")
    page.wait(lambda: not page.navigation())
    assert float(page.css(".learn-words", "fontSize")[:-2]) > before
    shown = {}
    for _ in range(8):
        phases = page.panel.listitem().button()
        name = phases.texts[phases.is_current.index(True)][2:]
        parts = (".board", ".learn-tree", ".learn-detail > *")
        shown[name] = [part for part in parts if any(each.is_displayed() for each in page.all(part))]
        assert page.driver.execute_script("return document.documentElement.scrollHeight") <= 720, name
        page.press(page.keys.ARROW_RIGHT)
    assert shown == {
        "Selection": [".learn-tree", ".learn-detail > *"],
        "Expansion": [".learn-tree"],
        "Rollout": [".board"],
        "Backup": [".learn-tree", ".learn-detail > *"],
    }
    page.press("p")
    page.navigation().wait_for()
    page.button("Present").click()
    page.wait(lambda: not page.navigation())
    page.press(page.keys.ESCAPE)
    page.navigation().wait_for()


# small screens

PASSING = """const edge = innerWidth - arguments[0];
    return [...document.querySelectorAll("main *, header *")].filter((each) => {
      const {left, right, width} = each.getBoundingClientRect();
      const isClipped = each.closest(".hidden, .variations, td.line, .messages") || each.closest("svg") !== each &&
        each.closest("svg");
      return width > 0 && !isClipped && (right > edge + 0.5 || left < arguments[0] - 0.5);
    }).map((each) => `${each.tagName}.${each.className} ${each.id} ${each.getBoundingClientRect().right}`)"""
SMALL = """return [...document.querySelectorAll("button, select, input, summary, [role=button]")].filter((each) => {
      const target = each.closest("label:has(input[type=radio], input[type=checkbox])") ?? each;
      const {width, height} = target.getBoundingClientRect();
      return width > 0 && !each.closest(".skip") && (width < 39.9 || height < 39.9);
    }).map((each) => `${each.tagName}.${each.getAttribute("class")} ${each.id} ${each.textContent.slice(0, 20)}` +
      ` ${each.getBoundingClientRect().width} ${each.getBoundingClientRect().height}`)"""
CUT = """return [...document.querySelectorAll("main *, header *")].filter((each) =>
      each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 2 &&
        !each.closest(".hidden, .skip, .variations, td.line, .messages, svg, input"))
      .map((each) => `${each.tagName}.${each.className} ${each.id} ${each.textContent.slice(0, 40)}` +
        ` ${each.scrollWidth} ${each.clientWidth}`)"""
LANGUAGES = ["en", "de", "fr", "es"]
READY = {
    "analyse": ".moves-table tbody tr",
    "openings": ".openings tbody tr",
    "play": "#start:enabled",
    "learn": ".phase:enabled",
    "compare": ".compare-table .win",
    "review": ".accuracies",
    "puzzles": ".puzzle",
    "plan": ".plan-tree details details",
    "exam": ".certificate td",
}


def switch(page, state):
    """Go to a mode, or to a part of one."""
    modes = {"openings": "analyse", "compare": "learn", "plan": "puzzles", "exam": "puzzles"}
    buttons = {"openings": "#openings summary", "compare": "#learn-compare"}
    buttons |= {"plan": "#puzzles-plan", "exam": "#puzzles-exam"}
    if state == "exam":  # of which all questions are answered
        progress = {"version": 2, "exam": ["missed win"] * 100}
        page.driver.execute_script("localStorage['c4mcts.puzzles'] = JSON.stringify(arguments[0])", progress)
    page.switch(modes.get(state, state))
    if state in buttons and not page.all(READY[state]):
        # by a script, since what arrives may move a button away from the mouse
        page.driver.execute_script("document.querySelector(arguments[0]).click()", buttons[state])
    page.wait(lambda: page.all(READY[state]))


def test_the_head_of_a_small_phone_has_two_rows(page):
    page.resize(320, 568, touch=True)
    for position in ("4453", "20x14x5:10,11", "9x7x4-no-diagonals:44"):
        page.open(position)
        tops = {page.box(selector)[1] for selector in ("#rules", "#theme", "#help")}
        assert len(tops) == 1
        assert page.box("#rules")[2] <= page.box("#theme")[0]
        assert page.box("#modes")[1] >= page.box("#rules")[3]
        assert page.box("#mode-puzzles")[1] == page.box("#mode-analyse")[1]
    script = "return new Set([...document.querySelectorAll('.controls select')].map((each) => each.offsetTop)).size"
    assert page.driver.execute_script(script) == 1, "the fields of the search are in a row, too"


def test_the_actions_below_the_board_are_in_one_row(page):
    for width, mode in ((1280, "analyse"), (1280, "review"), (1600, "learn"), (1600, "analyse")):
        page.resize(width, 1000)
        page.open("4453", mode)
        assert len({page.box(f"#{name}")[1] for name in ("undo", "new", "open", "flip")}) == 1, (width, mode)


@pytest.fixture
def touch(page):
    """A function that makes the device one without a mouse."""
    yield lambda: page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_passes_the_margin_and_all_is_large_enough_for_a_finger(page, touch, language):
    """On a projector, a phone on its side and a small phone, in every mode, once it has come to rest."""

    def expect_to_fit(*scripts):
        for mode in READY:
            switch(page, mode)
            for script in scripts:
                page.wait(lambda script=script: not page.driver.execute_script(script, 11))

    page.store(language=language)
    page.resize(1280, 720)
    page.open("445335")
    expect_to_fit(PASSING, CUT)
    page.resize(640, 430)  # also a laptop at 200 %
    expect_to_fit(PASSING)
    touch()
    page.resize(320, 568, touch=True)
    expect_to_fit(PASSING, SMALL, CUT)


# nothing jumps

OBSERVE = """window.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        shifts.push([entry.value, entry.sources.map(({node}) => node?.id || node?.className?.baseVal || node?.className
          || node?.nodeName)]);
      }
    }).observe({type: "layout-shift", buffered: true});"""


def shifts(page):
    """The layout shifts since the page was loaded: value and elements. Those right after a key or a click count."""
    return page.driver.execute_script("return window.shifts")


def test_nothing_jumps_while_the_page_loads(page):
    page.open("445335")
    for mode in READY:
        if mode in ("compare", "plan", "exam"):
            continue
        switch(page, mode)
        page.driver.refresh()
        page.driver.execute_script(OBSERVE)
        page.wait(lambda mode=mode: page.all(READY[mode]))
        page.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        assert sum(value for value, _ in shifts(page)) < 0.02, (mode, shifts(page))


def test_nothing_jumps_while_searches_come_and_go(page):
    page.store(preset="uct", openings=True)  # which proves nothing: the button says "Continue" at the end
    page.open("445335")
    page.wait(lambda: page.all(READY["openings"]))
    page.button("Continue").wait_for()
    page.driver.execute_script(OBSERVE)
    places = [".controls", "#search", ".fields", ".moves-table", "#graph", "#steps", "#comment", "#tree"]
    before = [page.box(selector) for selector in places]
    for key in ("3", "3", "1", page.keys.ARROW_LEFT, page.keys.ARROW_LEFT, "2", page.keys.HOME, page.keys.END):
        page.press(key)
        assert [page.box(selector) for selector in places] == before, key
        page.wait_for_numbers()
        assert [page.box(selector) for selector in places] == before, key
    page.play(9 - 8)
    assert [page.box(selector) for selector in places] == before
    assert sum(value for value, _ in shifts(page)) == 0, shifts(page)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_button_of_the_search_keeps_its_width(page, language):
    def sizes():  # not where they are: presets have descriptions of different lengths
        return [(right - left, bottom - top) for left, top, right, bottom in map(page.box, ("#search", ".fields"))]

    words = json.loads((files("c4mcts") / f"page/static/texts/{language}.json").read_text("utf-8"))["searchFields"]
    page.store(language=language, preset="uct", isOn=False)
    page.open("4453")
    page.set_time()
    found = {}

    def measure(state):
        page.button(words[state]).wait_for()
        found[state] = sizes()
        page.button(words[state]).ask("found[0].click()")  # wherever it is now

    measure("start")
    page.wait(lambda: "·" in page.numbers)
    measure("stop")
    measure("continue")
    page.set_preset("strong")
    page.open("112233")
    measure("proven")
    assert list(found.values()) == 4 * [found["start"]], found


def test_a_phone_shows_a_line_and_a_tap_on_a_row_puts_it_on_the_board(page, touch):
    touch()
    page.store(preset="uct")  # which proves nothing: the solver is asked for the lines
    page.resize(*PHONE, touch=True)
    page.open(GAME[:20])
    page.panel.definition().wait_for("best")
    table = page.table("Moves, the best first")
    page.wait(lambda: table.rows[0][-1])
    left, _, right, _ = page.box(".moves-table .line")
    assert right - left > 80  # eight digits
    rows = table.rows
    other = next(index for index, cells in enumerate(rows) if cells[-1].endswith("…"))
    page.wait(lambda: (table.part("row").elements[other + 1].click(), len(page.ghosts) > 1)[1])
    page.wait(lambda: not table.rows[other][-1].endswith("…"))


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_the_modes_are_in_one_row_that_holds_their_names(page, language):
    page.store(language=language)
    page.open()
    script = """const buttons = [...document.querySelectorAll("#modes button")];
        return [new Set(buttons.map((each) => each.offsetTop)).size,
            ...buttons.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)];"""
    for size in ((667, 375), (740, 360), (844, 390), (320, 568)):
        page.resize(*size, touch=True)
        for mode in ("learn", "review", "puzzles"):
            page.switch(mode)
            assert page.driver.execute_script(script) == [1], (size, mode)


@pytest.mark.parametrize("width", [390, 320])
def test_moves_are_listed_in_whole_pairs(page, width):
    page.resize(width, 844, touch=True)
    page.open(GAME, "review")
    page.wait(lambda: len(page.group("Moves").button()) == len(GAME))
    tops = page.group("Moves").button().ask("return found.map((each) => each.getBoundingClientRect().top)")
    assert tops[::2] == tops[1::2]


def test_the_skip_link_leads_to_the_board(page):
    page.open("44")
    page.press(page.keys.TAB)
    assert page.focus == "Skip to the board"
    page.press(page.keys.ENTER)
    assert page.focus == "Column 1: empty"
