/**
 * Positions from outside: texts, files with a game a line; and the FEN, which only the server reads.
 *
 * @import { App } from "./app.js"
 * @import { Connection } from "./connection.js"
 * @import { Rules } from "./game.js"
 * @import { ReadFen } from "./notation.js"
 * @import { PastGame } from "./storage.js"
 */

import { pictureOf } from "./board-picture.js";
import { mayReplace, openDialog, returned } from "./dialogs.js";
import { button, download, h, showText } from "./dom.js";
import { columns, messageOf, whole } from "./format.js";
import { Game, isSameStart, isStandard } from "./game.js";
import { LONGEST_FILE, readGame } from "./game-text.js";
import { GameTree } from "./game-tree.js";
import { isRunning } from "./match.js";
import { checkedRules } from "./notation.js";
import { dateOf } from "./storage.js";
import { counted, fill, texts } from "./texts.js";
import { NotationError, splitMoves, strip, withoutComments } from "./tree-text.js";

const TEXTS = texts.positions;
const MOST_SHOWN = 12; // moves in the sentence that says how a text was read
const SHOWN_ROWS = 12;
const MOST = 5000; // games in the list
const LONGEST = 90_000; // characters that the server reads
const SHOWN_MOVES = 24; // characters
const SHOWN_TEXT = 40;
const WORDS = /^(?![[{]|.*(?:\/|\dx\d))[^\n]*(?:\p{L}{2}|["'“(=])[^\n]*$/u; // one line of no form of a position
const DOUBT = /with as many discs (\S+) as (\S+), it is not known who began/i; // as the server says it
const FIRST_RED = /^\s*first\s*[:=]\s*(?:(r|🔴)|y|🟡)\s*$/imu;

/**
 * @param {Pick<Connection, "request">} connection
 * @returns {ReadFen}
 */
export function positionReader(connection) {
  return async (fen) => {
    const found = await connection.request({ action: "describe", fen }).catch((error) => {
      throw new NotationError(messageOf(error));
    });
    const rows = [...found.board].reverse();
    const columns = rows[0].map((_, column) => rows.map((row) => row[column] - 1).filter((player) => player >= 0));
    return { rules: found.rules, start: { fen, columns, turn: found.currentPlayer } };
  };
}

/**
 * A reading of a text, and what the user is told of it. flipped: the colours of a drawing that has them, see State.
 * question: what the user is asked, if there is another reading.
 *
 * @typedef {{ tree: GameTree, words: string, flipped?: boolean, question?: string }} Found
 */

/**
 * Put the game of a text on the board and say how it was read, or why it can't be; returns whether it is there. If the
 * text has several games, a line each, the user chooses; what replaces a game is shown as a picture before.
 *
 * @param {App} app
 * @param {string} text
 */
export async function loadText(app, text) {
  note("");
  app.showError(null);
  try {
    const games = gameLines(text);
    const title = games.length > MOST ? TEXTS.titleOfFirst : TEXTS.title;
    const counts = { most: whole(MOST), count: whole(games.length) };
    const index = games.length > 1 ? await choiceOf(app, fill(title, counts), games) : null;
    if (games.length > 1 && index === null) return false;
    const line = index === null ? text : games[index];
    const found = await agreedOn(app, await readingsOf(app, line));
    if (!found) return false;
    app.store.load(found.tree, Infinity, found.flipped);
    note(found.words);
    return true;
  } catch (error) {
    app.showError(fill(TEXTS.problem, { problem: messageOf(error) }));
    return false;
  }
}

/**
 * The readings of a text: two, if it does not say what its columns count from, or who began. NotationError.
 *
 * @param {App} app
 * @param {string} text
 * @returns {Promise<Found[]>}
 */
async function readingsOf(app, text) {
  const read = async (/** @type {string} */ line) => {
    const tree = await readAny(app, line);
    return { tree, words: understood(line, tree.game), flipped: coloursOf(line, tree.game) };
  };
  try {
    const found = await read(text);
    return [{ ...found, question: TEXTS.which }, ...fromOne(text, found.tree)];
  } catch (error) {
    const [, ...symbols] = DOUBT.exec(messageOf(error)) ?? [];
    if (!symbols.length) throw error;
    return Promise.all(symbols.map(async (symbol) => ({ ...await read(`first: ${symbol}\n${text}`),
      words: fill(TEXTS.began, { symbol }), question: TEXTS.whoBegan })));
  }
}

/**
 * The game of a text: what the page writes is read here, all else by the server. NotationError.
 *
 * @param {Pick<App, "connection" | "store">} app
 * @param {string} text
 */
export async function readAny({ connection, store }, text) {
  if (text.startsWith("\uFEFF")) return readAny({ connection, store }, text.slice(1));
  const { rules } = store.state.game;
  if (/[\0\uFFFD]/.test(text)) throw new NotationError(TEXTS.noText);
  try {
    return await readGame(text, rules, positionReader(connection));
  } catch (error) {
    const [moves, facts] = splitMoves(text);
    const short = compact(moves && /^\{\s*\}$/.test(facts) ? moves : text);
    if (!(error instanceof NotationError) || short.length > LONGEST) throw error;
    return readByServer(connection, short, rules).catch((refusal) => {
      if (WORDS.test(short)) throw unreadable(short);
      throw /^\s*\d[^\n]*$|#|\d:/.test(text) ? error : refusal; // which is in the user's language
    });
  }
}

/** @param {string} text in words: its error, with the moves in it that may be meant */
function unreadable(text) {
  const [moves = ""] = (text.match(/\d+(?:,\d+)+|\d{3,}/g) ?? []).toSorted((one, other) => other.length - one.length);
  const problem = fill(TEXTS.unreadable, { text: text.slice(0, SHOWN_TEXT) + (text.length > SHOWN_TEXT ? "…" : "") });
  return new NotationError(moves ? `${problem} ${fill(TEXTS.meant, { moves })}` : problem);
}

/**
 * A text without the blanks of JSON that is printed for people.
 *
 * @param {string} text
 */
function compact(text) {
  if (!/^\s*[[{]/.test(text)) return strip(text);
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return strip(text);
  }
}

/**
 * The game of a text in any form that Board.parse reads in Python. NotationError.
 *
 * @param {Pick<Connection, "request">} connection
 * @param {string} position
 * @param {Rules} rules for a text without rules, unless it only makes sense with a board of its own size
 */
export async function readByServer(connection, position, rules) {
  const ask = (/** @type {Rules | undefined} */ known) =>
    connection.request({ action: "describe", position, ...(known && { rules: known }) });
  const found = await (isStandard(rules) ? ask(undefined) : ask(rules).catch(() => ask(undefined))).catch((error) => {
    throw new NotationError(messageOf(error));
  });
  checkedRules(found.rules);
  const isFromStart = found.moves.length === found.ply;
  const start = isFromStart ? null : (await positionReader(connection)(found.start)).start;
  return GameTree.of(new Game(found.rules, found.moves, start));
}

/**
 * The other reading of a list with commas that says nothing else: columns that count from 1.
 *
 * @param {string} text
 * @param {GameTree} tree as the columns from 0
 * @returns {Found[]} none, if there is no other
 */
function fromOne(text, { game, start }) {
  if (!/^\s*\d+(\s*,\s*\d+)*,?\s*$/.test(text) || !text.includes(",")) return [];
  let other = start;
  for (const column of game.moves) {
    if (other.refusal(column - 1) !== null) return [];
    other = other.play(column - 1);
  }
  return [{ tree: GameTree.of(other), words: fill(TEXTS.fromOne, shown(other)) }];
}

/**
 * Whether the first player is red in a drawing of red and yellow discs; undefined if the text is something else.
 *
 * @param {string} text
 * @param {Game} game
 */
function coloursOf(text, { discs, moves }) {
  const first = FIRST_RED.exec(text);
  if (first) return first[1] !== undefined;
  const [red, yellow] = [/[r🔴]/giu, /[y🟡]/giu].map((symbol) => text.match(symbol)?.length ?? 0);
  const isDrawn = discs > 0 && red + yellow === discs && moves.length === 0 && !/["{]/.test(text);
  return isDrawn ? red > yellow : undefined;
}

/**
 * The reading that the user agrees to, by its picture; null if there is none. Nobody is asked if there is one reading
 * which keeps all that is on the board.
 *
 * @param {App} app
 * @param {readonly Found[]} found
 */
async function agreedOn(app, found) {
  const { game, flipped, match } = app.store.state;
  const [{ tree }] = found;
  const isKept = isSameStart(tree.start, game) && game.moves.every((column, ply) => tree.game.moves[ply] === column);
  const isOne = found.length === 1;
  const figures = found.map(({ tree, words, flipped: own = flipped }, index) => h("figure", {},
    pictureOf(tree.game, own),
    h("figcaption", {}, words),
    isRunning(match) && isOne ? null : h("button", { value: `${index}`, class: "primary" }, TEXTS.open)));
  if (isOne && (isKept || isRunning(match) || game.moves.length === 0)) {
    return await mayReplace(app, h("div", { class: "readings" }, ...figures)) ? found[0] : null;
  }
  const dialog = openDialog(isOne ? TEXTS.replace : found[0].question ?? "", { id: "readings" },
    h("form", { method: "dialog" }, h("div", { class: "readings" }, ...figures),
      h("div", { class: "row end" }, h("button", { value: "cancel" }, TEXTS.cancel))));
  dialog.querySelector("button")?.focus();
  const choice = found[Number(await returned(dialog) || NaN)];
  return choice && await mayReplace(app) ? choice : null;
}

/**
 * How the text of a game was read, in words for the user, who counts columns from 1 as on the board.
 *
 * @param {string} text
 * @param {Game} game
 */
export function understood(text, game) {
  if (!game.moves.length) {
    return game.discs ? fill(TEXTS.position, { discs: counted(texts.counts.discs, game.discs) }) : TEXTS.noMoves;
  }
  const moves = text.split(/[#:]/).at(-1) ?? "";
  const form = !/^\s*\d[\d\s,]*$/.test(moves) ? TEXTS.columns : moves.includes(",") ? TEXTS.list : TEXTS.digits;
  return fill(form, shown(game));
}

/** @param {Game} game */
function shown({ moves }) {
  return { columns: columns(moves.slice(0, MOST_SHOWN)), more: moves.length > MOST_SHOWN ? " …" : "" };
}

/** @param {string} text shown below the board until the position changes; "" removes it */
export function note(text) {
  const place = document.getElementById("read");
  if (place) showText(place, text);
}

/**
 * The lines of a text that are games of their own; others are left out. Lines of one move each are one game, and rows
 * of cells are a drawing.
 *
 * @param {string} text
 */
export function gameLines(text) {
  if (text.length > LONGEST_FILE || /^\s*[[{]|^[\d\s]*0[\d\s]*$/m.test(text)) return [];
  return text.split("\n").map((line) => line.trim()).filter((line) => {
    const [moves, rest] = splitMoves(line);
    if (rest) return rest.startsWith("{") && /^["\d(]/.test(moves);
    return /^[1-9()]+$/.test(withoutComments(moves)) && moves.length > 1;
  });
}

/**
 * A game of a file in a few words: "2. level 4 and you, 0-1: 444421".
 *
 * @param {string} line
 * @param {number} index from 0
 */
export function summaryOf(line, index) {
  const [moves, rest] = splitMoves(line);
  const { first, second, result } = factsOf(rest);
  const players = first && second ? fill(TEXTS.players, { first, second }) : first || second;
  const head = [players, result].filter(Boolean).join(", ");
  const start = moves.length > SHOWN_MOVES ? `${moves.slice(0, SHOWN_MOVES)} …` : moves;
  return `${index + 1}. ${head ? `${head}: ` : ""}${start}`;
}

/** @param {string} text the rest of a line of a file */
function factsOf(text) {
  /** @type {Record<string, unknown>} */
  let found = {};
  try {
    found = JSON.parse(text) ?? {};
  } catch {
    // no facts, or no JSON, which is an error only if this game is chosen
  }
  const [first, second, result] = ["first", "second", "result"].map((name) =>
    typeof found[name] === "string" ? found[name] : "");
  return { first, second, result };
}

/**
 * Ask the user for one of the past games, which can be saved as a file, too; null if none is chosen.
 *
 * @param {App} app
 * @param {readonly PastGame[]} games newest first
 */
export function chosenPast(app, games) {
  const lines = games.map(({ line }) => line);
  const save = button(TEXTS.saveAll, () =>
    download("connect4-games.txt", new Blob(lines.toReversed(), { type: "text/plain" })), { id: "save-all" });
  return choiceOf(app, TEXTS.pastGames, lines, games.map(({ id }) => dateOf(id)), save);
}

/**
 * Ask the user for one of several games: its place in the list, or null if the dialog is closed without a choice.
 *
 * @param {App} app
 * @param {string} title
 * @param {readonly string[]} lines
 * @param {readonly string[]} dates of the games
 * @param {HTMLButtonElement | null} more a button
 */
async function choiceOf(app, title, lines, dates = [], more = null) {
  const list = h("select", { id: "games", size: Math.max(2, Math.min(lines.length, SHOWN_ROWS)), "aria-label": title,
    ondblclick: () => dialog.close("open"), onchange: draw },
  ...lines.slice(0, MOST).map((line, index) => h("option", { selected: index === 0 },
    [summaryOf(line, index), ...dates.slice(index, index + 1)].join(", "))));
  const picture = h("div", { class: "game-picture" });
  async function draw() {
    const line = lines[list.selectedIndex];
    const tree = await readAny(app, line).catch(() => null); // it is read again, with its error, if it is chosen
    if (line === lines[list.selectedIndex]) {
      picture.replaceChildren(...(tree ? [pictureOf(tree.game, app.store.state.flipped)] : []));
    }
  }
  if (lines.length) draw();
  const content = lines.length ? list : h("p", {}, TEXTS.noGames);
  const open = h("button", { value: "open", class: "primary" }, TEXTS.open);
  const dialog = openDialog(title, { id: "game-choice" },
    h("form", { method: "dialog", onkeydown: (event) => {
      if (event.key !== "Enter" || event.target !== list) return;
      event.preventDefault(); // or it also presses the button that gets the focus back
      dialog.close("open");
    } }, content, picture, h("div", { class: "row end" }, lines.length ? more : null,
      h("button", { value: "cancel" }, TEXTS.cancel), lines.length ? open : null)));
  list.focus();
  return await returned(dialog) === "open" && list.selectedIndex >= 0 ? list.selectedIndex : null;
}
