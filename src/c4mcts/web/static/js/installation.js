/**
 * Keeps an exported page in the browser with a service worker (web/site/service-worker.js), so that it opens without a
 * network.
 *
 * @import { Status } from "./status.js"
 */

import { texts } from "./texts.js";

const TEXTS = texts.installation;

/**
 * Store the page, and offer a new version when it is complete.
 *
 * @param {Status} status
 */
export async function install(status) {
  const workers = navigator.serviceWorker;
  if (!workers) return; // without HTTPS, or turned off
  const hadPage = workers.controller !== null;
  let registration;
  try {
    registration = await workers.register("service-worker.js");
  } catch {
    return; // not allowed, as in a private window; the page works, but needs the network
  }
  const offer = () => {
    const { waiting } = registration;
    if (!waiting || !hadPage) return;
    status.offer(TEXTS.newVersion, TEXTS.reload, () => {
      workers.addEventListener("controllerchange", () => location.reload());
      waiting.postMessage("activate");
    });
  };
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
  offer();
}
