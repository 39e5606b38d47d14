"""Pages, docstrings, comments and messages are free of phrases that sound translated."""

import re
from bisect import bisect
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACES = [
    "README.md",
    "CONTRIBUTING.md",
    "bench",
    "docs/*.*",
    "docs/api",
    "docs/course",
    "docs/guide",
    "docs/internals/*",
    "docs/prior_systems",
    "docs/schemas",
    "examples",
    "src",
    "tools",
]
EXCEPT = {"tests/project/test_english.py"}
SUFFIXES = {".css", ".h", ".html", ".js", ".json", ".md", ".pxd", ".py", ".pyx", ".toml", ".txt"}

UNITS = "one|two|[0-9] ?m?s|[0-9] points|bytes|entries|games|iterations|ms|plies|points|seconds|simulations"
WHOLES = "batch|bucket|entry|game|generation|job|line|move|node|ply|processor|row|search|simulation|thread"

# A pattern, what to write instead, a text with the phrase, and one that may stay.
PHRASES = [
    (r"\bso many\b(?! that)", "this many, at most N, the argument's name", "of so many plies", "so many that it fails"),
    (rf"\b({UNITS}) an? ({WHOLES})\b(?! [a-z]+s\b)", "per", "takes 16 bytes a node", "after two a game ends"),
    (
        r"(?<!are )(?<!were )\ball the same(?= ?[.,;:)]|$)",
        "even so",
        "played on all the same.",
        "they are all the same.",
    ),
    (r"\bfor nothing\b(?! else)", "free", "examples for nothing", "good for nothing else"),
    (r"\bmend(s|ed|ing)?\b", "fix", "with that mended", "recommended"),
    (
        r"\bbeside (others?|that of|those|mean|[0-9]|(?-i:[A-Z]))",
        "compared with",
        "beside OpenSpiel",
        "beside the board",
    ),
    (r"\bg(o|oes|oing) on\b(?! (the|top|a|its|each)\b)", "continue", "the search goes on", "the next disc goes on top"),
    (r"\bplay(s|ed)? on(?= ?[.,;:)]|$)", "continue", "there is no game to play on,", "boards to play on a phone"),
    (r"\bnone of them twice\b", "without duplicates", "all moves, none of them twice", "none of them is played twice"),
    (
        r"\ban? (\w+ ){1,2}of (its|our|their|your) own\b",
        "its own, a separate",
        "a file of its own",
        "3 discs of its own",
    ),
    (r"\bwhatever\b", "any, no matter what", "whatever the seed", "no matter what the seed is"),
    (
        r"(?<!there )\b(is|are) no (board|disc|file|game|integer|JSON|move|number|position|rules|column)s?\b",
        "is not a",
        "a line that is no game",
        "there is no game",
    ),
    (r"\ball the while\b", "during", "asked all the while", "all the whole files"),
    (
        r"[.:;] (?-i:Who) (does|knows|prefers|reads|says|takes|wants)\b",
        "a player who, if you",
        "end. Who takes long loses",
        "end. Who is to move?",
    ),
    (r"\bsome (hundred|millions?|thousand|minutes|ms|seconds)\b", "a few", "after some minutes", "some minute details"),
]


def files_of(place):
    """The files of a place, a path or a pattern of paths, that people read or write."""
    found = [file for path in ROOT.glob(place) for file in (path.rglob("*") if path.is_dir() else [path])]
    return [file for file in found if file.suffix in SUFFIXES and file.relative_to(ROOT).as_posix() not in EXCEPT]


@cache
def compiled(pattern):
    return re.compile(pattern, re.IGNORECASE)


def joined(text):
    """The lines as one, without indents and comment signs, since phrases wrap; and where in it each line begins."""
    lines = [re.sub(r"^\s*(#:?|//|/?\*+|>|-)?\s*", "", line).rstrip() for line in text.splitlines()]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    return " ".join(lines), starts


def faults(text):
    """The line, the phrase, and what to write instead."""
    whole, starts = joined(text)
    for pattern, instead, _, _ in PHRASES:
        for found in compiled(pattern).finditer(whole):
            yield bisect(starts, found.start()), found[0], instead


@pytest.mark.parametrize("place", PLACES)
def test_texts_have_no_translated_phrases(place):
    files = files_of(place)
    assert files, "the place is gone"
    found = [
        f"{file.relative_to(ROOT)}:{line}: {phrase!r}: write {instead!r}"
        for file in files
        for line, phrase, instead in faults(file.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("pattern", "bad", "good"), [(pattern, bad, good) for pattern, _, bad, good in PHRASES])
def test_the_table_finds_what_it_is_for_and_nothing_else(pattern, bad, good):
    assert compiled(pattern).search(bad)
    assert not compiled(pattern).search(good)


def test_phrases_are_found_across_lines_with_their_place():
    assert list(faults("# first\n    # plies, so\n    # many of them\n")) == [(2, "so many", PHRASES[0][1])]
