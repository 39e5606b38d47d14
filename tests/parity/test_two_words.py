"""The class of two words that takes the place of integers of 128 bits with Visual C++, compared with those of GCC."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from page import is_ci

NATIVE = Path(__file__).parents[2] / "src/c4mcts/_native"

PROGRAM = r"""
#include <cstdio>
#include "two_words.h"

typedef unsigned __int128 integer;

static uint64_t state = 1;

/* Random bits, of which at times most are 0 or 1: words of zeros, carries from end to end. */
static uint64_t word()
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    const uint64_t bits = state ^ state >> 29;
    switch (state >> 61) {
    case 0: return 0;
    case 1: return ~(uint64_t)0;
    case 2: return bits & 7;
    case 3: return ~(bits & 7);
    default: return bits;
    }
}

static int failures = 0;

static void check(const char *name, c4_cells found, integer expected)
{
    if ((uint64_t)found != (uint64_t)expected || (uint64_t)(found >> 64) != (uint64_t)(expected >> 64)) {
        std::printf("%s\n", name);
        failures++;
    }
}

#define RESULT(type, expr) [](type a, type b, int n) { (void)b, (void)n; return type(expr); }
#define CHECK(expr) check(#expr, RESULT(c4_cells, expr)(x, y, n), RESULT(integer, expr)(i, j, n));

int main()
{
    for (int round = 0; round < 20000; round++) {
        const uint64_t low = word(), high = word(), other_low = word();
        const uint64_t other_high = round % 3 ? word() : high; /* comparisons that the low words decide */
        const c4_cells x(low, high), y(other_low, other_high);
        const integer i = (integer)high << 64 | low, j = (integer)other_high << 64 | other_low;
        const int n = round % 128;
        CHECK(~a) CHECK(a & b) CHECK(a | b) CHECK(a ^ b) CHECK(a + b) CHECK(a - b) CHECK(a * b)
        CHECK(a << n) CHECK(a >> n) CHECK(a == b) CHECK(a != b) CHECK(a < b) CHECK(a > b) CHECK(a == a)
        CHECK(a &= b) CHECK(a |= b) CHECK(a ^= b)
        CHECK((bool)a) CHECK((bool)(a & 0)) CHECK((bool)(a >> 64 << 64)) CHECK((int)a == (int)b) CHECK((uint16_t)a)
        CHECK(a & ~a + 1) CHECK(a | 5)
    }
    return failures != 0;
}
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Visual C++ has no integers to compare with")
def test_operators_are_those_of_integers(tmp_path):
    compiler = shutil.which("g++")
    if compiler is None and not is_ci():
        pytest.skip("needs g++")
    if not NATIVE.is_dir():
        pytest.skip("needs the sources")
    source, program = tmp_path / "two_words.cpp", tmp_path / "two_words"
    source.write_text(PROGRAM, encoding="utf-8")
    command = [compiler, "-std=c++14", f"-I{NATIVE}", source, "-o", program]
    subprocess.run(command, check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
