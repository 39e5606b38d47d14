/**
 * Spaced repetition of a plan: each position in which the user has chosen a move lies in a box, which says when it is
 * asked again. A known move goes to the next box, one that was not known back to the first.
 */

/** @typedef {{ readonly [position: string]: readonly [box: number, due: number] }} Boxes due: in milliseconds */

const DAY = 86_400_000;
const WAITS = [0, 1, 3, 7, 16, 35]; // days until a position of each box is asked again

/**
 * The boxes after the first try in a position.
 *
 * @param {Boxes} boxes
 * @param {string} position
 * @param {boolean} isKnown
 * @param {number} now
 * @returns {Boxes}
 */
export function afterAnswer(boxes, position, isKnown, now) {
  const box = isKnown ? Math.min((boxes[position]?.[0] ?? 0) + 1, WAITS.length - 1) : 0;
  return { ...boxes, [position]: [box, now + WAITS[box] * DAY] };
}

/**
 * Whether a position is to be asked: it is new, or its time has come.
 *
 * @param {Boxes} boxes
 * @param {string} position
 * @param {number} now
 */
export function isDue(boxes, position, now) {
  return !(position in boxes) || boxes[position][1] <= now;
}

/**
 * Which of the positions that may follow comes next: one whose time has come, it or one after it; else a new one; else
 * any.
 *
 * @param {Boxes} boxes
 * @param {readonly string[]} positions as texts with which the positions after them begin
 * @param {number} now
 * @param {() => number} random in [0, 1)
 * @returns {number} its index
 */
export function nextIndex(boxes, positions, now, random = Math.random) {
  const due = Object.keys(boxes).filter((position) => boxes[position][1] <= now);
  const ranks = positions.map((start) => (due.some((each) => each.startsWith(start)) ? 0 : start in boxes ? 2 : 1));
  const best = ranks.flatMap((rank, index) => (rank === Math.min(...ranks) ? [index] : []));
  return best[Math.floor(random() * best.length)];
}
