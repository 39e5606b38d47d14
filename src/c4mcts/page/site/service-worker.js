/**
 * Keeps an exported page in the browser, so that it opens without a network. export.py puts FILES in front of it.
 *
 * A file is stored under its name and its hash. So while a new version is being loaded, the old one stays complete,
 * and what is equal in both is loaded once.
 */

/** `any`: a service worker has other types than a page. */
const scope = /** @type {any} */ (globalThis);
const NAME = `c4mcts ${scope.registration.scope}`; // of the cache, which all pages of a host share

scope.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(store()));
scope.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(removeOld()));
scope.addEventListener("message", (/** @type {MessageEvent} */ event) => {
  if (event.data === "activate") scope.skipWaiting();
});
scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const key = keyOf(event.request);
  if (key) event.respondWith(caches.match(key, { cacheName: NAME }).then((found) => found ?? fetch(event.request)));
});

/** Store the files that are not stored yet. An error, such as a file of another version, leaves the old version. */
async function store() {
  const cache = await caches.open(NAME);
  await Promise.all(Object.entries(FILES).map(async ([path, hash]) => {
    const key = address(path, hash);
    if (await cache.match(key)) return;
    const response = await fetch(address(path), { integrity: hash, cache: "no-cache" });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    await cache.put(key, response);
  }));
}

async function removeOld() {
  const cache = await caches.open(NAME);
  const keys = new Set(Object.entries(FILES).map(([path, hash]) => address(path, hash)));
  for (const { url } of await cache.keys()) if (!keys.has(url)) await cache.delete(url);
}

/**
 * The key of a request in the cache; null if it is not for a file of the page.
 *
 * @param {Request} request
 */
function keyOf({ url, method }) {
  const { href } = Object.assign(new URL(url), { search: "", hash: "" });
  if (method !== "GET" || !href.startsWith(scope.registration.scope)) return null;
  const path = href.slice(scope.registration.scope.length) || "index.html";
  return Object.hasOwn(FILES, path) ? address(path, FILES[path]) : null;
}

/**
 * @param {string} path
 * @param {string} [hash]
 */
function address(path, hash) {
  const url = new URL(path, scope.registration.scope);
  if (hash) url.searchParams.set("hash", hash);
  return url.href;
}
