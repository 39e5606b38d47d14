/** Makes types for tsc: those of the protocol's messages by docs/schemas, and that of the page's texts by en.json. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { compileFromFile } from "json-schema-to-typescript";

const TYPES = new URL("node_modules/.cache/", import.meta.url);
const SCHEMAS = fileURLToPath(new URL("../../docs/schemas/", import.meta.url));
const ENGLISH = new URL("../../src/c4mcts/page/static/texts/en.json", import.meta.url);

/**
 * @param {string} path
 * @param {string} types
 */
async function write(path, types) {
  const file = new URL(path, TYPES);
  await mkdir(new URL(".", file), { recursive: true });
  await writeFile(file, types);
}

for (const name of ["query", "reply"]) {
  const options = { cwd: SCHEMAS, unreachableDefinitions: true, format: false };
  await write(`schemas/${name}.d.ts`, await compileFromFile(`${SCHEMAS}${name}.json`, options));
}
await write("texts/en.d.ts", `export type English = ${await readFile(ENGLISH, "utf8")};`); // JSON is a type of itself
