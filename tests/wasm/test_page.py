"""The exported page in a browser, from a server of files: the engine runs in the browser, also without the server."""

import functools
import http.server
import os
import re
import shutil
import threading

import pytest
from page import SCREEN, Page
from wasm_wheel import PYODIDE, wheels_in

from c4mcts.page.export import export_page

pytestmark = [pytest.mark.native, pytest.mark.timeout(1800)]  # it builds a wheel

BUILD = 16  # where in a snapshot the number of Pyodide's build begins
LOADING = 180  # seconds until the engine is ready, on a busy machine


class Files:
    """A server of files, as `python -m http.server` is. It holds back those of the engine while `engine` is not set."""

    def __init__(self, folder):
        handler = functools.partial(Quiet, directory=folder)
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.engine = self._server.engine = threading.Event()
        self.engine.set()
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/"

    def end(self):
        self._server.shutdown()
        self._server.server_close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.0"  # a connection for each request, so that none is open when the server ends

    def do_GET(self):
        if self.path.startswith("/engine/"):
            self.server.engine.wait(LOADING)
        super().do_GET()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of an exported page."""
    wheels = wheels_in(tmp_path_factory.mktemp("wheels"))
    (wheel,) = wheels.glob("c4mcts-*.whl")
    folder = tmp_path_factory.mktemp("site")
    export_page(folder, wheel=wheel, pyodide=[PYODIDE, wheels])
    return folder


@pytest.fixture(scope="module")
def loaded(site, browser):
    """The page with a running engine, for several tests. While it was loading, a disc was played."""
    files = Files(site)
    found = Page(browser, files.url)
    found.resize(*SCREEN)
    browser.get_log("browser")
    files.engine.clear()
    found.open()
    found.play(4)
    found.wait(lambda: found.hash == "4")
    found.wait_for_headline("Yellow wins in 40 moves")  # by the file of the first scores
    assert re.search("oading|Starting", found.status().text)
    files.engine.set()
    wait_until_ready(found)
    yield found
    found.expect_no_errors()
    browser.get("about:blank")
    files.end()


@pytest.fixture
def copy(site, tmp_path):
    """A copy of the page, which a test may change."""
    return shutil.copytree(site, tmp_path / "site")


@pytest.fixture
def served(copy, browser):
    """A server of that copy, and the page, which is not open yet."""
    files = Files(copy)
    yield files, Page(browser, files.url)
    browser.get("about:blank")
    browser.get_log("browser")
    files.end()


def wait_until_ready(page):
    """Until the engine can be asked. The line above the board is also hidden before the page has begun to load it."""
    page.wait(lambda: page.mode and not page.status(), LOADING)


def wait_until_stored(page):
    """Until the page is stored for the time without a network."""
    page.driver.set_script_timeout(LOADING)
    page.driver.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")


# all that the page does


def test_a_search_grows_stops_and_continues(loaded):
    loaded.switch("analyse")
    loaded.type_moves("9x7x4:44")  # where nothing is proven
    loaded.expect_search_to_stop_and_continue()
    loaded.set_time(1)  # 5 s
    loaded.type_moves("7x6x4:44")  # the board of the tests below


def test_the_engine_says_that_it_has_one_thread(loaded):
    loaded.switch("analyse")
    threads = loaded.combobox("Threads")
    threads.wait_for()
    assert threads.options == ["1"]
    loaded.wait(lambda: "one thread" in threads.ask("return found[0].title"))


def test_the_policy_of_the_page_is_that_of_its_workers(loaded):
    """A worker that starts as the engine's does can't reach other hosts or run texts as code."""
    body = """const source = `
        const tries = [() => fetch("http://localhost:9/"), () => eval("1"), () => import("data:text/javascript,")];
        const all = Promise.allSettled(tries.map(async (each) => each()));
        all.then((found) => postMessage(found.map(({status}) => status)));`;
        const worker = new Worker(URL.createObjectURL(new Blob([source], {type: "text/javascript"})),
            {type: "module"});
        worker.onmessage = ({data}) => done(data);"""
    found = loaded.driver.execute_async_script(f"const done = arguments[0]; {body}")
    assert found == ["rejected"] * 3
    refused = [entry["message"] for entry in loaded.driver.get_log("browser") if "Security Policy" in entry["message"]]
    assert len(refused) >= 2


# what can happen to it


def test_without_a_network_and_with_a_new_version(served, copy):
    files, page = served
    page.open("4453")
    wait_until_ready(page)
    wait_until_stored(page)
    (before,) = page.wait(lambda: snapshots(page), LOADING)
    changed = copy / "static" / "style.css"
    changed.write_text(f"{changed.read_text(encoding='utf-8')}\nbody {{ outline-offset: 7px; }}\n", encoding="utf-8")
    replace(copy / "engine" / "engine.js", 'const VERSION = "sha256-', 'const VERSION = "another')
    page.driver.refresh()
    assert page.css("body", "outlineOffset") == "0px", "the stored version, although the server has another file"
    wait_until_ready(page)
    announce(copy)
    page.driver.refresh()
    page.status().wait_for("A new version of this page is ready.")
    assert page.css("body", "outlineOffset") == "0px"
    page.button("Reload", "Start it again").click()
    page.wait(lambda: page.css("body", "outlineOffset") == "7px")
    assert page.hash == "4453"
    page.wait(lambda: len(found := snapshots(page)) == 1 and "another" in found[0] and found[0] != before, LOADING)
    files.end()
    page.driver.refresh()
    page.wait_for_headline("Red wins in 36 moves")
    page.driver.get(f"{page.url}?from=a-link#44")
    page.wait_for_numbers()


def replace(path, old, new):
    """Change the text of a file, in which the old one is once."""
    before = path.read_text(encoding="utf-8")
    assert before.count(old) == 1
    path.write_text(before.replace(old, new), encoding="utf-8")


def announce(folder):
    """Export the page again, with what has been changed in it."""
    import base64
    import hashlib
    import json

    worker = folder / "service-worker.js"
    head, end, rest = worker.read_text(encoding="utf-8").partition("};")
    hashes = json.loads(head.removeprefix("const FILES = ") + "}")
    for name in hashes:
        hashes[name] = "sha256-" + base64.b64encode(hashlib.sha256((folder / name).read_bytes()).digest()).decode()
    worker.write_text(f"const FILES = {json.dumps(hashes)[:-1]}{end}{rest}", encoding="utf-8")


@pytest.mark.parametrize("name", ["engine.js", "pyodide.asm.wasm", "numpy.bundle"])
def test_an_engine_that_fails_is_a_sentence_and_a_button(served, copy, name):
    _, page = served
    missing = copy / "engine" / name
    missing.rename(copy / "away")
    page.open("44")
    page.status().wait_for("The engine has failed:")
    assert page.button("Start it again")
    assert "Your game is kept." in page.status().text
    page.play(4)
    page.wait(lambda: page.hash == "444")
    if name == "numpy.bundle":
        (copy / "away").rename(missing)
        page.button("Reload", "Start it again").click()
        wait_until_ready(page)
        page.wait_for_numbers()


def test_the_frames_of_a_page_share_an_engine_and_start_another_if_it_fails(served, copy):
    _, page = served
    results = {"4453": "Red wins in 36 moves", "44": "Yellow wins in 39 moves", "445": "Red wins in 37 moves"}
    frames = "".join(f'<iframe src="./?embed=1#/analyse/7x6x4/{moves}"></iframe>' for moves in results)
    (copy / "host.html").write_text(f"<!doctype html><title>Host</title>{frames}", encoding="utf-8")
    bundle = copy / "engine" / "numpy.bundle"
    bundle.rename(copy / "away")
    page.driver.get(f"{page.url}host.html")
    for number in range(len(results)):
        page.driver.switch_to.frame(number)
        page.wait(lambda: "The engine has failed: numpy.bundle" in page.status().text, LOADING)
        page.driver.switch_to.parent_frame()
    (copy / "away").rename(bundle)
    for number, result in enumerate(results.values()):
        page.driver.switch_to.frame(number)
        page.button("Reload", "Start it again").click()
        page.wait(lambda result=result: page.headline == result, LOADING)
        page.driver.switch_to.parent_frame()
    page.wait(lambda: workers(page) == ["shared_worker"])  # the failed one ends when all have left it
    page.driver.execute_script("document.querySelector('iframe').remove()")
    page.driver.switch_to.frame(0)
    page.play(4)
    page.wait(lambda: page.headline == "Yellow wins in 38 moves", LOADING)
    page.driver.switch_to.parent_frame()


def workers(page):
    """The kinds of the page's engines."""
    targets = page.driver.execute_cdp_cmd("Target.getTargets", {})["targetInfos"]
    kinds = ("shared_worker", "worker")
    return [target["type"] for target in targets if page.url in target["url"] and target["type"] in kinds]


# the snapshot of Python's memory, from which later visits start

STORED = """const name = (await caches.keys()).find((each) => each.startsWith("c4mcts snapshot"));
    const cache = name && await caches.open(name);
    const keys = await cache?.keys() ?? [];
    const response = await cache?.match(keys[0]);"""
MARKED = """const checksum = (bytes) => `${new Uint32Array(bytes.buffer, 0, bytes.length >> 2)
        .reduce((sum, word) => Math.imul(sum ^ word, 0x01000193), bytes.length)}`;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const before = checksum(bytes);
    bytes[AT] ^= CHANGE;
    const headers = { checksum: IS_DAMAGED ? before : checksum(bytes), mark: "1" };
    await cache.put(keys[0], new Response(bytes, { headers }));"""


def in_page(page, body):
    """What the body of an async function returns."""
    page.driver.set_script_timeout(LOADING)
    return page.driver.execute_async_script(f"(async () => {{ {body} }})().then(arguments[0]);")


def snapshots(page):
    """The addresses of the stored snapshots."""
    return in_page(page, f"{STORED} return keys.map(({{ url }}) => url);")


def is_marked(page):
    """Whether the snapshot is that which `mark` has stored."""
    return in_page(page, f"{STORED} return Boolean(response?.headers.has('mark'));")


def mark(page, at, change, is_damaged):
    """Change a byte of the snapshot, and store it with a mark. A damaged one keeps its checksum."""
    body = MARKED.replace("AT", f"{at}").replace("CHANGE", f"{change}").replace("IS_DAMAGED", f"{is_damaged:d}")
    in_page(page, f"{STORED} {body}")
    assert is_marked(page)


@pytest.fixture
def alone(served):
    """The page, with one engine instead of two, so that no second one stores a snapshot."""
    _, page = served
    page.driver.execute_cdp_cmd("Emulation.setHardwareConcurrencyOverride", {"hardwareConcurrency": 1})
    yield page
    page.driver.execute_cdp_cmd("Emulation.setHardwareConcurrencyOverride", {"hardwareConcurrency": os.cpu_count()})


def start_again(page):
    """Load the page again; a search must show values."""
    page.driver.refresh()
    wait_until_ready(page)
    page.wait_for_numbers()


def test_a_later_visit_starts_from_the_snapshot(alone):
    alone.open("44")
    wait_until_ready(alone)
    alone.wait(lambda: snapshots(alone), LOADING)
    mark(alone, at=0, change=0, is_damaged=False)
    start_again(alone)
    assert is_marked(alone)
    mark(alone, at=1 << 20, change=1, is_damaged=True)
    start_again(alone)
    alone.wait(lambda: snapshots(alone) and not is_marked(alone), LOADING)
    mark(alone, at=BUILD, change=1, is_damaged=False)  # intact, but Pyodide refuses it
    start_again(alone)
    assert snapshots(alone) == []


@pytest.mark.parametrize("call", ["caches.open", "this.#cache?.put"])
def test_a_browser_that_stores_nothing_starts_without(alone, copy, call):
    refused = "(async () => { throw new DOMException('', 'QuotaExceededError'); })"
    replace(copy / "engine" / "snapshot.js", f"{call}(", f"{refused}(")
    alone.open("44")
    wait_until_ready(alone)
    alone.wait_for_numbers()
    assert snapshots(alone) == []


def test_a_failure_removes_the_snapshot(alone, copy):
    (copy / "service-worker.js").unlink()  # so that files come from the server
    bundle = copy / "engine" / "numpy.bundle"
    bundle.touch()  # a new file is not reused without asking the server
    alone.open("44")
    wait_until_ready(alone)
    alone.wait(lambda: snapshots(alone), LOADING)
    bundle.rename(copy / "away")
    alone.driver.refresh()
    alone.status().wait_for("The engine has failed:")
    alone.wait(lambda: not snapshots(alone))
    (copy / "away").rename(bundle)
    alone.button("Start it again").click()
    wait_until_ready(alone)
    alone.wait_for_numbers()
