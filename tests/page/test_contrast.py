"""The colours of the page: the contrast of every pair that meets, in both themes, by the formula of WCAG 2.2."""

import re
from importlib.resources import files

import pytest

SHEET = files("c4mcts.page").joinpath("static/style.css").read_text(encoding="utf-8")
TEXT, SHAPE = 4.5, 3.0  # the least contrast
GROUNDS = ("ground", "raised", "track")
BANDS = ("band-yellow", "band-even", "band-red")
PAIRS = [
    *[(name, ground, TEXT) for name in ("ink", "soft", "accent") for ground in GROUNDS],
    *[(name, ground, TEXT) for name in ("bad", "win", "draw", "loss") for ground in GROUNDS],
    *[("on-result", name, TEXT) for name in ("win", "draw", "loss")],
    ("on-accent", "accent", TEXT),
    ("on-yellow", "yellow", TEXT),
    ("on-red", "red", TEXT),
    ("on-hole", "hole", TEXT),
    *[("edge", ground, SHAPE) for ground in ("ground", "raised")],
    *[("focus", ground, SHAPE) for ground in (*GROUNDS, "frame")],
    *[("frame", ground, SHAPE) for ground in ("ground", "hole")],
    *[(name, "hole", SHAPE) for name in ("yellow", "red", "ghost-red", "ring")],
    *[(name, "frame", SHAPE) for name in ("yellow", "ring", "on-hole")],
    *[(name, "red", SHAPE) for name in ("ring", "yellow")],
    *[(name, band, TEXT) for name in ("ink", "soft") for band in BANDS],
    *[("accent", band, SHAPE) for band in BANDS],
]
DECORATION = {"line", "frame-edge", "yellow-edge", "red-edge"}  # nothing is lost where they are not seen


def colours(theme):
    """The colours of a theme, 0 light or 1 dark, by name, as three numbers from 0 to 255."""
    root = SHEET[SHEET.index(":root") : SHEET.index("font: 100%")]
    found = {}
    for name, value in re.findall(r"--([a-z-]+): ([^;]+);", root):
        listed = re.findall("#[0-9a-f]{6}", value)
        found[name] = bytes.fromhex(listed[min(theme, len(listed) - 1)][1:])
    return found


def luminance(colour):
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_every_pair_can_be_told_apart(theme):
    found = colours(theme)
    low = {
        (name, ground): round(contrast(found[name], found[ground]), 2)
        for name, ground, least in PAIRS
        if contrast(found[name], found[ground]) < least
    }
    assert low == {}


def test_every_colour_is_in_a_pair():
    paired = {name for pair in PAIRS for name in pair[:2]}
    assert set(colours(0)) == paired | DECORATION


def test_there_are_no_other_colours():
    rules = SHEET[SHEET.index("font: 100%") :]
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[^{}]*})", rules) == []
    named = re.findall(
        r"(?:color|background|fill|stroke|border(?:-color)?|outline): [^;]*\b(white|black|gr[ae]y)\b", rules
    )
    assert named == []
