/**
 * A copy of Python's memory right after its start, which the browser keeps: the next visit continues from it, which
 * saves half of the start. Binaries can't be brought back, so it is made before NumPy and c4mcts are imported.
 *
 * There is one for each exported page, under the version of its engine. Where nothing can be stored, as in a private
 * window, the page works without.
 */

const NAME = `c4mcts snapshot ${new URL(".", import.meta.url)}`; // of the cache, which all pages of a host share
const CHECKSUM = "checksum"; // a header

/** Never throws: what can't be read is not there, and what can't be stored is not kept. */
export class Snapshot {
  /** @type {Cache | null} */
  #cache = null;

  #key;

  /** @param {string} version of the engine */
  constructor(version) {
    this.#key = new URL(`snapshot?version=${encodeURIComponent(version)}`, import.meta.url).href;
  }

  /** Whether one can be stored; known when `read` is done. */
  get canBeStored() {
    return this.#cache !== null;
  }

  /** The stored one of this version; null: there is none, or it is damaged. Then all that are stored are removed. */
  async read() {
    try {
      this.#cache = await caches.open(NAME);
      const response = await this.#cache.match(this.#key);
      const content = response ? new Uint8Array(await response.arrayBuffer()) : null;
      if (content && response?.headers.get(CHECKSUM) === checksum(content)) return content;
      for (const key of await this.#cache.keys()) await this.#cache.delete(key);
    } catch {
      this.#cache = null;
    }
    return null;
  }

  /**
   * The storing is begun before this returns, so that it is done while Python imports modules and this thread is busy.
   *
   * @param {() => Uint8Array<ArrayBuffer>} make
   */
  async store(make) {
    try {
      const content = make();
      const headers = { [CHECKSUM]: checksum(content) };
      await this.#cache?.put(this.#key, new Response(new Blob([content]), { headers }));
    } catch {
      // the next visit starts as this one
    }
  }
}

/** Remove what is stored: after a failure, since the snapshot may be the reason. */
export async function removeSnapshots() {
  try {
    await caches.delete(NAME);
  } catch {
    // there are none
  }
}

/** @param {Uint8Array<ArrayBuffer>} content */
function checksum(content) {
  let sum = content.length;
  for (const word of new Uint32Array(content.buffer, 0, content.length >> 2)) sum = Math.imul(sum ^ word, 0x01000193);
  return `${sum}`;
}
