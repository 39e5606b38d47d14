"""The page of `c4mcts web` and the exported one in Chromium: seconds until it starts and answers, and memory.

The exported page is a folder that `c4mcts web --export` has written. Seconds of the clock, from the click or key to
what a person sees: run it on an idle machine. Needs Chromium, its driver, Selenium and Linux.
"""

import argparse
import functools
import http.server
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from measure import Report, parser, spread

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from page import Page, Server, start_browser

GAME = "5225261322445364544155646613362133"  # 34 plies
PATIENCE = 180.0  # seconds until the engine is ready
PAUSE = 3.0  # seconds between the two loads, in which the second engine starts
POSITION, ANSWER = "7x6x4:4453", "Red wins in 36 moves"


class Files(http.server.SimpleHTTPRequestHandler):
    """A server of files, as `python -m http.server` is, that prints nothing."""

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of a folder's files."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@contextmanager
def running() -> Iterator[tuple[str, int]]:
    """The address of `c4mcts web`, and its process."""
    server = Server()
    yield server.url, server.process.pid
    server.end()


def seconds_of(job: Callable[[], object]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def visit(url: str, server: int | None) -> dict[str, float]:
    """The measurements of one person's visit, in a browser that has stored nothing. server: its process, if any."""
    driver = start_browser()
    try:
        page = Page(driver, url)
        found = {"first load": load(page)}
        if server is None:
            driver.set_script_timeout(PATIENCE)
            driver.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")
        time.sleep(PAUSE)
        found["second load"] = load(page)
        found |= answers(page)
        found["memory of the browser"] = memory_below(driver.service.process.pid)
        if server is not None:
            found["memory of the server"] = memory_of(server)
        return found
    finally:
        driver.quit()


def load(page: Page) -> float:
    """Seconds until the engine is ready, which the line above the board then no longer speaks of."""
    ready = "return Boolean(document.body?.dataset.mode) && document.querySelector('#status').hidden"

    def wait() -> None:
        page.driver.get(page.url)
        page.wait(lambda: page.driver.execute_script(ready), PATIENCE)

    page.driver.get("about:blank")
    return seconds_of(wait)


def first_analysis(folder: Path) -> float:
    """Seconds of a first visit until the exact result of POSITION is there, by the clock of the page."""
    watch = f"""new MutationObserver(() => {{
        if (document.querySelector("#panel h1")?.textContent === {ANSWER!r}) window.shownAt ??= performance.now();
    }}).observe(document, {{ subtree: true, childList: true, characterData: true }});"""
    driver = start_browser()
    try:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": watch})
        with served(folder) as url:
            page = Page(driver, url)
            driver.get(f"{url}#/analyse/{POSITION.replace(':', '/')}")
            return float(page.wait(lambda: driver.execute_script("return window.shownAt"), PATIENCE)) / 1000
    finally:
        driver.quit()


def compare(folder: Path, before: Path, arguments: argparse.Namespace) -> None:
    """Time the first analysis of two exported pages in turns."""
    pages = {"exported page": folder, "before": before}
    times: dict[str, list[float]] = {name: [] for name in pages}
    for number in range(arguments.repeats):
        for name in list(pages)[:: 1 if number % 2 else -1]:
            times[name].append(first_analysis(pages[name]))
    columns = {"what": "", **{name: name for name in pages}, "ratio": "ratio of the medians"}
    report = Report("The first visit", columns)
    ratio = statistics.median(times["exported page"]) / statistics.median(times["before"])
    report.add(what="first analysis, s", ratio=f"{ratio:.2f}", **{name: spread(each) for name, each in times.items()})
    report.finish(arguments)


def answers(page: Page) -> dict[str, float]:
    """Seconds until a search shows its first values, until the exact result, a review and a hint."""
    found = {}
    page.switch("analyse")
    page.type_moves("9x7x4:44")
    found["first values of a search"] = seconds_of(lambda: page.wait_for("#panel .numbers", "simulations"))
    page.type_moves(POSITION)
    found["exact result"] = seconds_of(lambda: page.wait_for("#panel h1", ANSWER))
    page.type_moves(GAME)
    page.switch("review")
    found[f"review of {len(GAME)} moves"] = seconds_of(lambda: page.wait_for("#panel .accuracies li", "%"))
    page.switch("analyse")
    page.click("#new")
    page.start_match(5)
    page.play(4)
    page.wait(lambda: "thinking" not in page.text("#panel h1") and len(page.hash) == 2)
    found["hint"] = seconds_of(lambda: (page.press("h"), page.wait(lambda: page.text(".hint-text"))))
    return found


def memory_of(process: int) -> float:
    """Megabytes of a process; what it shares with others counts in parts."""
    text = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")) / 1000


def memory_below(parent: int) -> float:
    """Megabytes of all processes that a process has started, and of those that these have started."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        status = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        children.setdefault(int(status[1]), []).append(int(entry.name))
    total, waiting = 0.0, children.get(parent, [])
    while waiting:
        process = waiting.pop()
        total += memory_of(process)
        waiting += children.get(process, [])
    return total


def main() -> None:
    options = parser(__doc__, repeats=3)
    options.add_argument("folder", type=Path, help="of the exported page")
    options.add_argument("--before", type=Path, help="another one: only their first analysis is timed, in turns")
    arguments = options.parse_args()
    if arguments.before:
        return compare(arguments.folder, arguments.before, arguments)
    visits: dict[str, list[dict[str, float]]] = {"exported page": [], "c4mcts web": []}
    for _ in range(arguments.repeats):
        with served(arguments.folder) as url:
            visits["exported page"].append(visit(url, None))
        with running() as (url, process):
            visits["c4mcts web"].append(visit(url, process))
    report = Report("The page in a browser", {"what": "", **{name: name for name in visits}})
    for what in max((found[0] for found in visits.values()), key=len):
        values = {name: [each[what] for each in found if what in each] for name, found in visits.items()}
        unit = "MB" if "memory" in what else "s"
        report.add(what=f"{what}, {unit}", **{name: spread(each) for name, each in values.items() if each})
    report.finish(arguments)


if __name__ == "__main__":
    main()
