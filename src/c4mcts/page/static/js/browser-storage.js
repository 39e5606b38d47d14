/** Values that the browser keeps under names, as JSON: for a tab, or for all tabs. */

/**
 * Store a value; returns whether each place keeps it. Where a storage is full, what it would keep lasts as long as the
 * page.
 *
 * @param {string} name
 * @param {unknown} value
 * @param {readonly Storage[]} places
 */
export function store(name, value, places = storages().slice(-1)) {
  let isKept = true;
  for (const storage of places) {
    try {
      storage.setItem(name, JSON.stringify(value));
    } catch {
      isKept = false; // full
    }
  }
  return isKept;
}

/**
 * What the first storage that has the name keeps under it; null if none does. What can't be read is set aside.
 *
 * @template Found
 * @param {string} name
 * @param {(value: any) => Found} unpack throws an error of any kind if it can't; `any`: from outside
 * @param {readonly Storage[]} places
 * @returns {{ found: Found | null, isUnread: boolean }}
 */
export function stored(name, unpack = (value) => value, places = storages().slice(-1)) {
  let isUnread = false;
  for (const storage of places) {
    const text = storage.getItem(name);
    if (text === null) continue;
    try {
      return { found: unpack(JSON.parse(text)), isUnread };
    } catch {
      isUnread = true;
      storage.removeItem(name);
      store(`${name}.unread`, text, [storage]);
    }
  }
  return { found: null, isUnread };
}

/** The browser's storages that are allowed: this tab's, and as the last the one of all tabs. */
export function storages() {
  try {
    return [sessionStorage, localStorage];
  } catch {
    return [];
  }
}
