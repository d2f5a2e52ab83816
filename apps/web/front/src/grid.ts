// ANIMATION_FUNCTION as ProB has it: pictures and texts in rows and columns.

import * as api from "./api";
import { h } from "./dom";
import { beside, plain } from "./visb";

/** What stands where in the value of ANIMATION_FUNCTION: pairs of a row and a column, or rows alone, with an image or a text. */
function placed(value: string): [[string, string], string][] {
  const key = "(-?\\d+|[\\w.]+)";
  const cell = '("(?:[^"\\\\]|\\\\.)*"|[^()|]+?)';
  const pairs = [...value.matchAll(new RegExp(`\\(\\(${key}\\|->${key}\\)\\|->${cell}\\)`, "g"))];
  if (pairs.length) return pairs.map((found) => [[found[1], found[2]], found[3]]);
  return [...value.matchAll(new RegExp(`\\(${key}\\|->${cell}\\)`, "g"))].map((found) => [["1", found[1]], found[2]]);
}

/** What draws the grid where the animation is, if the model defines one. */
export async function grid(): Promise<(() => Promise<HTMLElement>) | null> {
  const [value] = await api.evaluate(["ANIMATION_FUNCTION"]);
  if (value === null) return null;
  const images = new Map<string, string>();
  const words = new Map<string, string>();
  return async () => {
    const definitions = ["ANIMATION_FUNCTION_DEFAULT", "ANIMATION_FUNCTION", "ANIMATION_FUNCTION1", "ANIMATION_FUNCTION2"];
    const values = await api.evaluate(definitions);
    // Elements of sets stand for themselves, in the order in which they are met.
    const names: [Map<string, number>, Map<string, number>] = [new Map(), new Map()];
    const place = (known: Map<string, number>, key: string) => (/^-?\d+$/.test(key) ? Number(key) : (known.get(key) ?? known.set(key, known.size + 1).size));
    const cells = new Map<string, string>();
    let [rows, columns, row0, column0] = [0, 0, Infinity, Infinity];
    for (const text of values) {
      for (const [keys, cell] of placed(text ?? "")) {
        const [row, column] = [place(names[0], keys[0]), place(names[1], keys[1])];
        [rows, columns, row0, column0] = [Math.max(rows, row), Math.max(columns, column), Math.min(row0, row), Math.min(column0, column)];
        cells.set(`${row},${column}`, plain(cell.trim()));
      }
    }
    const numbers = [...new Set([...cells.values()].filter((cell) => /^\d+$/.test(cell) && !images.has(cell)))];
    const paths = await api.evaluate(numbers.map((number) => `ANIMATION_IMG${number}`));
    const said = await api.evaluate(numbers.map((number) => `ANIMATION_STR${number}`));
    numbers.forEach((number, at) => said[at] !== null && words.set(number, plain(said[at]!)));
    for (const [at, number] of numbers.entries()) {
      const path = paths[at];
      const bytes = path === null ? null : await api.readBytes(beside(api.model.file, plain(path))).catch(() => null);
      images.set(number, bytes ? URL.createObjectURL(bytes) : "");
    }
    const table = h("table", { class: "grid-picture" });
    for (let row = row0; row <= rows; row++) {
      const line = h("tr");
      for (let column = column0; column <= columns; column++) {
        const cell = cells.get(`${row},${column}`) ?? "";
        const image = images.get(cell);
        line.append(h("td", {}, image ? h("img", { src: image, alt: cell }) : h("span", { class: "mono" }, words.get(cell) ?? cell)));
      }
      table.append(line);
    }
    return table;
  };
}
