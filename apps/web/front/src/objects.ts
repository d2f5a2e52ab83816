// Pictures that a model draws by definitions: VISB_SVG_OBJECTS, VISB_SVG_UPDATES, VISB_SVG_HOVERS and VISB_SVG_EVENTS, as VisB has them.

import * as api from "./api";

/** A record of the model: its fields as texts, without quotation marks. */
export type Fields = Map<string, string>;

/** What a model draws. */
export interface Drawn {
  /** Objects that are in the picture from the beginning. */
  objects: Fields[];
  /** Attributes that follow the state. */
  updates: Fields[];
  /** What pointing at an object changes. */
  hovers: Fields[];
  /** What clicking on an object does. */
  events: Fields[];
}

/** So many definitions with a number behind their name are looked for in files that the model refers to. */
const MOST = 10;

const SVG = "http://www.w3.org/2000/svg";

/** Kinds of objects; a script is none of them. */
const CLASSES = new Set(["a", "circle", "ellipse", "g", "image", "line", "path", "polygon", "polyline", "rect", "svg", "text", "tspan", "title", "use", "defs", "linearGradient", "radialGradient", "stop", "marker"]);

/** Attributes that say what an object is. */
const OWN = new Set(["id", "svg_class", "svgid", "text", "title", "children", "group", "event", "predicate", "predicates", "trigger_id", "hover_enter_val", "hover_leave_val", "hover_attr"]);

/** Where the bracket or text that begins at a place ends. */
function end(text: string, at: number): number {
  let depth = 0;
  for (; at < text.length; at++) {
    const c = text[at];
    if (c === '"') for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
    if ("([{".includes(c)) depth++;
    if (")]}".includes(c) && --depth === 0) return at + 1;
  }
  return text.length;
}

const plain = (value: string) => (/^".*"$/s.test(value) ? value.slice(1, -1).replaceAll('\\"', '"').replaceAll("\\n", "\n") : value);

/** The records in a value: one by itself, in a set, or in a function. */
export function records(value: string | null): Fields[] {
  const found: Fields[] = [];
  const text = value ?? "";
  for (let at = text.indexOf("rec("); at >= 0; at = text.indexOf("rec(", at)) {
    const close = end(text, at + 3);
    const inside = text.slice(at + 4, close - 1);
    const fields: Fields = new Map();
    let start = 0;
    while (start < inside.length) {
      const colon = inside.indexOf(":", start);
      if (colon < 0) break;
      let stop = colon + 1;
      while (stop < inside.length && inside[stop] !== ",") {
        if (inside[stop] === '"') stop = inside.indexOf('"', stop + 1) + 1 || inside.length;
        else stop = "([{".includes(inside[stop]) ? end(inside, stop) : stop + 1;
      }
      const name = inside.slice(start, colon).trim().replaceAll("`", "");
      fields.set(name, plain(inside.slice(colon + 1, stop).trim()));
      start = stop + 1;
    }
    found.push(fields);
    at = close;
  }
  return found;
}

/** The names of definitions of a kind: with a number behind it, and whatever else the text of the model has. */
function names(kind: string): string[] {
  const numbered = Array.from({ length: MOST }, (_, at) => `${kind}${at + 1}`);
  const written = [...api.model.text.matchAll(new RegExp(`\\b${kind}\\w*`, "g"))].map((found) => found[0]);
  return [...new Set([kind, ...numbered, ...written])];
}

/** What the model draws where the animation is. */
export async function drawn(): Promise<Drawn> {
  const kinds = ["VISB_SVG_OBJECTS", "VISB_SVG_UPDATES", "VISB_SVG_HOVERS", "VISB_SVG_EVENTS"].map(names);
  const values = await api.evaluate(kinds.flat());
  const [objects, updates, hovers, events] = kinds.map((names) => values.splice(0, names.length).flatMap(records));
  return { objects, updates, hovers, events };
}

/** Pieces of drawings as texts: VISB_SVG_CONTENTS. */
export async function contents(): Promise<string[]> {
  const values = await api.evaluate(names("VISB_SVG_CONTENTS"));
  return values.filter((value): value is string => value !== null && value.startsWith('"')).map(plain);
}

/** An empty picture of the size that VISB_SVG_BOX says. */
export async function paper(): Promise<string> {
  const [value] = await api.evaluate(["VISB_SVG_BOX"]);
  const box = records(value)[0] ?? new Map();
  const number = (name: string, usual: number) => Number(box.get(name)) || usual;
  const [width, height] = [number("width", 400), number("height", 400)];
  const view = box.get("viewBox") ?? `0 0 ${width} ${height}`;
  return `<svg xmlns="${SVG}" width="${width}" height="${height}" viewBox="${view.replace(/[^-\d. ]/g, "")}"></svg>`;
}

/** The part of a picture with an id. */
export const part = (root: Element, id: string | undefined) => (id ? root.querySelector(`#${CSS.escape(id)}`) : null);

/** Sets the attributes of an object. */
export function dress(element: Element, fields: Fields): void {
  for (const [name, value] of fields) {
    if (name === "text") {
      element.textContent = value;
    } else if (name === "title") {
      const title = element.querySelector("title") ?? element.appendChild(document.createElementNS(SVG, "title"));
      title.textContent = value;
    } else if (!OWN.has(name) && !/^on/i.test(name) && !(/href$/i.test(name) && !/^(#|data:image\/)/.test(value))) {
      element.setAttribute(name.replaceAll("_", "-"), value);
    }
  }
}

/** Adds objects to a picture, or changes those that are there already. */
export function add(root: Element, objects: Fields[]): void {
  for (const fields of objects) {
    const kind = fields.get("svg_class") ?? "";
    const id = fields.get("id") ?? fields.get("svgid");
    let element = part(root, id);
    if (!element && CLASSES.has(kind)) {
      element = document.createElementNS(SVG, kind);
      if (id) element.id = id;
      (part(root, fields.get("group")) ?? root).append(element);
    }
    if (element) dress(element, fields);
  }
}
