// Values as people read them: what is long is taken apart into its elements, and what a step changed is shown element by element.

import { h } from "./dom";

/** A value this short stays on one line. */
const SHORT = 28;
/** So many elements are shown one below the other. */
const MOST = 200;

const OPEN = "([{⟨⟪";
const CLOSE = ")]}⟩⟫";

/** The elements of a set, list or record as it is written, without what stands around them; `null` for a value that cannot be taken apart. */
export function elements(value: string): string[] | null {
  const isEnclosed = OPEN.includes(value[0]) && closes(value) === value.length - 1;
  const inside = isEnclosed ? value.slice(1, -1) : value;
  const parts: string[] = [];
  let [depth, start, isText] = [0, 0, false];
  for (let at = 0; at < inside.length; at++) {
    const c = inside[at];
    if (c === '"' && inside[at - 1] !== "\\") isText = !isText;
    if (isText) continue;
    if (OPEN.includes(c)) depth++;
    if (CLOSE.includes(c)) depth--;
    if (c === "," && depth === 0) {
      parts.push(inside.slice(start, at).trim());
      start = at + 1;
    }
  }
  if (inside.slice(start).trim()) parts.push(inside.slice(start).trim());
  const isOne = parts.length === 1 && !isEnclosed;
  return isOne || parts.length > MOST || depth !== 0 ? null : parts;
}

/** Where the bracket that a text begins with is closed. */
function closes(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') at = text.indexOf('"', at + 1) < 0 ? text.length : text.indexOf('"', at + 1);
    if (OPEN.includes(text[at])) depth++;
    if (CLOSE.includes(text[at]) && --depth === 0) return at;
  }
  return -1;
}

/** Whether elements read better one below the other: not numbers and flags, which fit side by side. */
const isList = (value: string, parts: string[] | null) =>
  parts !== null && parts.length > 1 && value.length > SHORT && parts.reduce((sum, part) => sum + part.length, 0) > 6 * parts.length;

/** A value, and what it was before the last step. */
export function shown(value: string, was?: string): Node[] {
  const now = elements(value);
  const old = was === undefined ? null : elements(was);
  if (!now || !(isList(value, now) || (was !== undefined && isList(was, old)))) {
    return [document.createTextNode(value), ...(was === undefined ? [] : [h("div", { class: "dim" }, `was ${was}`)])];
  }
  const gone = old ?? (was === undefined ? [] : [was]);
  const lines = now.map((part) => {
    const at = gone.indexOf(part);
    if (at >= 0) gone.splice(at, 1);
    return h("div", { class: was !== undefined && at < 0 ? "part new" : "part" }, part);
  });
  if (!now.length) lines.push(h("div", { class: "part" }, value));
  return [...lines, ...gone.map((part) => h("div", { class: "part gone", title: "before the last step" }, part))];
}
