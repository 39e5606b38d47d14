/**
 * The module of each board that anywidget loads. The page itself is the script of a model that all boards share; it is
 * imported once.
 *
 * @import { Model } from "../static/js/transports.js"
 */

/** @typedef {{ render: (view: { model: Model, el: HTMLElement }) => Promise<() => void> }} Page */
/** @typedef {Model & { widget_manager: { get_model: (name: string) => Promise<Model> } }} BoardModel */

// global, as each board has a module of its own
const shared = /** @type {{ c4mctsPages?: Map<string, Promise<Page>> }} */ (globalThis);
const pages = shared.c4mctsPages ??= new Map();

/** @param {BoardModel} model */
function pageOf(model) {
  /** @type {string} */
  const name = model.get("page").slice("IPY_MODEL_".length);
  const loading = pages.get(name) ?? load(model, name);
  pages.set(name, loading);
  return loading;
}

/**
 * @param {BoardModel} model
 * @param {string} name
 */
async function load(model, name) {
  const found = await model.widget_manager.get_model(name);
  const address = URL.createObjectURL(new Blob([found.get("script")], { type: "text/javascript" }));
  /** @type {{ default: Page }} */
  const { default: page } = await import(address);
  URL.revokeObjectURL(address);
  return page;
}

export default {
  /** @param {{ model: BoardModel, el: HTMLElement }} view */
  async render(view) {
    return (await pageOf(view.model)).render(view);
  },
};
