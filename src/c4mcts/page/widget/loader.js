/**
 * The end of the script of the page, which board.js imports. __init__.py puts the modules and STYLE in front of it.
 *
 * @import { Model } from "../static/js/transports.js"
 */

export default {
  /** @param {{ model: Model, el: HTMLElement }} view */
  render: ({ model, el }) => START.show(model, el, STYLE),
};
