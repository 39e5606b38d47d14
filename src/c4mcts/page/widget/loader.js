/**
 * The script of the page, which board.js imports. __init__.py puts MODULES and STYLE in front of it. A module is
 * imported by its address, so each becomes a blob with one.
 *
 * @import { Model } from "../static/js/transports.js"
 */

async function load() {
  /** @type {Map<string, string>} */
  const addresses = new Map();
  for (const [name, text] of MODULES) {
    const linked = text.replace(/(?<= from )"\.\/([\w-]+\.js)"(?=;)/g,
      (_, imported) => `"${addresses.get(imported)}"`);
    addresses.set(name, URL.createObjectURL(new Blob([linked], { type: "text/javascript" })));
  }
  /** @type {typeof import("../static/js/notebook.js")} */
  const loaded = await import(addresses.get("notebook.js") ?? "");
  for (const address of addresses.values()) URL.revokeObjectURL(address);
  return loaded;
}

const loading = load();

export default {
  /** @param {{ model: Model, el: HTMLElement }} view */
  async render({ model, el }) {
    const { show } = await loading;
    return show(model, el, STYLE);
  },
};
