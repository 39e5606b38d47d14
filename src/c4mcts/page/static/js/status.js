/**
 * The notice at the top of the page: whether the engine can be reached, and what to do if not; and the service worker
 * (page/site/service-worker.js) that keeps an exported page in the browser, so that it opens without a network.
 */

import { h, setText } from "./dom.js";
import { texts } from "./texts.js";

const TEXTS = texts.status;

export class Status {
  #text = h("span");

  #bar = h("progress", { "aria-label": TEXTS.loading });

  #button = h("button", { type: "button", class: "quiet" });

  /** @type {HTMLElement} */
  #place;

  /** @param {HTMLElement} place */
  constructor(place) {
    this.#place = place;
    place.replaceChildren(this.#text, " ", this.#bar, this.#button);
    this.say("");
  }

  /** @param {number} part how much is loaded, from 0 to 1; at 1 it is being started */
  load(part) {
    const isLoaded = part >= 1;
    this.say(isLoaded ? TEXTS.starting : TEXTS.loadingEngine);
    this.#bar.hidden = false;
    if (isLoaded) this.#bar.removeAttribute("value");
    else this.#bar.value = part;
  }

  /**
   * @param {string} words
   * @param {string} name of the button
   * @param {() => void} act
   */
  offer(words, name, act) {
    this.say(words);
    setText(this.#button, name);
    this.#button.onclick = act;
    this.#button.hidden = false;
  }

  /** @param {string} words "" hides the notice */
  say(words) {
    setText(this.#text, words);
    this.#bar.hidden = this.#button.hidden = true;
    this.#place.hidden = words === "";
  }
}

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
