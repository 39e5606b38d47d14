/** A rule of ESLint: the texts of the page lie in static/texts, and no module contains any. */

const PLACED = /^(class|id|type|role|name|value|viewBox|transform)$/; // properties and attributes that nobody reads
/** What a sentence, several words, or a word with a capital letter is like. */
const TEXT = /^\P{L}*\p{Lu}\p{Ll}|\p{L}[’,:;]? \p{L}|\p{L}[.!?:] *$/u;
const ERRORS = ["RangeError", "TypeError", "Error"]; // for developers
const CALLS = ["querySelector", "querySelectorAll", "closest", "matches", "matchMedia", "setAttribute", "includes"];
const KEYS = /^(Shift )?(Enter|Escape|Home|End|Arrow(Left|Right|Up|Down)?|z)?$/; // as in KeyboardEvent.key

/** The text of a literal or template, with a number in each place; null for other nodes. */
function textOf(node) {
  if (node.type === "TemplateLiteral") return node.quasis.map((part) => part.value.cooked).join("0");
  return typeof node.value === "string" ? node.value : null;
}

/** Whether a text is for the browser or for developers by its place: a class, a selector, an error. */
function isPlaced(node) {
  const { parent } = node;
  if (parent.type === "Property") return parent.key === node || PLACED.test(parent.key.name ?? parent.key.value);
  if (parent.type === "ImportDeclaration" || parent.type === "BinaryExpression") return true;
  if (parent.type === "AssignmentExpression") return parent.left.property?.name === "className";
  if (parent.type === "NewExpression") return ERRORS.includes(parent.callee.name);
  if (parent.type !== "CallExpression") return false;
  return CALLS.includes(parent.callee.property?.name ?? parent.callee.name);
}

/** @type {import("eslint").Rule.RuleModule} */
export const ownTexts = {
  meta: { type: "problem", schema: [{ type: "array" }] },
  create(context) {
    const allowed = context.options[0] ?? [];
    const check = (node) => {
      const text = textOf(node);
      if (text === null || !TEXT.test(text) || KEYS.test(text) || allowed.includes(text) || isPlaced(node)) return;
      context.report({ node, message: `“${text}” is a text for users: it belongs in static/texts/*.json` });
    };
    return { Literal: check, TemplateLiteral: check };
  },
};
