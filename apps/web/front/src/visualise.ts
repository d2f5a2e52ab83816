// Pictures that move with the model: VisB files (SVG and JSON), definitions of VisB, and ANIMATION_FUNCTION as ProB has it.

import * as api from "./api";
import { attempt, download, empty, h, status } from "./dom";
import type { Page } from "./main";
import { type Fields, add, contents, dress, drawn, paper, part } from "./objects";
import { shown } from "./values";

interface Item { id: string; attr: string; value: string; optional?: boolean }
interface Click { id: string; event: string; predicates: string[]; hovers: { id?: string; attr: string; enter: string; leave: string }[] }

/** The most repetitions of an entry, as VisB has it. */
const MAX_REPEAT = 100_000;

/** Replaces `%0`, `%1`, … by the values of a repetition, the number of a loop first. */
function filled(text: string, values: string[]): string {
  return text.replace(/%(\d)/g, (whole, at) => values[Number(at)] ?? whole);
}

/** An entry as often as it is to be repeated. */
export function repeated(entry: api.Json): string[][] {
  let rounds: string[][] = [[]];
  if (entry.for) {
    const { from, to, step = 1 } = entry.for;
    rounds = [];
    for (let at = from; step > 0 ? at <= to : at >= to; at += step) {
      rounds.push([String(at)]);
      if (rounds.length >= MAX_REPEAT || step === 0) break;
    }
  }
  if (entry.repeat) {
    const more: string[][] = entry.repeat.map((one: api.Json) => (Array.isArray(one) ? one.map(String) : [String(one)]));
    rounds = rounds.flatMap((round) => more.map((one) => [...round, ...one]));
  }
  return rounds;
}

const beside = (file: string, name: string) => [...file.split("/").slice(0, -1), ...name.split("/")].filter((part) => part && part !== ".").join("/");

/** Words of an item that are no attributes of the drawing. */
const WORDS = new Set(["id", "attr", "value", "optional", "ignore", "repeat", "for", "comment", "override"]);

/** What a VisB file says. */
interface Visb { svg: string; objects: Fields[]; items: Item[]; clicks: Click[] }

/** Names of a VisB file for formulas: each stands for its formula, wherever it is written. */
function expanded(text: string, names: [string, string][]): string {
  return names.reduceRight((text, [name, value]) => text.replaceAll(new RegExp(`(?<![\\w.])${name}(?!\\w)`, "g"), () => `(${value})`), text);
}

async function load(file: string): Promise<Visb> {
  const visb = JSON.parse(await api.read(file));
  const base: Visb = visb.include ? await load(beside(file, visb.include)) : { svg: "", objects: [], items: [], clicks: [] };
  const svg = visb.svg ? await api.read(beside(file, visb.svg)) : base.svg;
  const names: [string, string][] = (visb.definitions ?? []).filter((one: api.Json) => /^\w+$/.test(one.name)).map((one: api.Json) => [one.name, String(one.value)]);
  const wanted = (list: api.Json[] | undefined) => (list ?? []).filter((one) => !one.ignore);
  const items: Item[] = wanted(visb.items).flatMap((item) => {
    const attributes: [string, string][] = Object.entries(item).filter(([name]) => !WORDS.has(name)).map(([name, value]) => [name, String(value)]);
    if (item.attr !== undefined) attributes.push([item.attr, String(item.value)]);
    return repeated(item).flatMap((round) =>
      attributes.map(([attr, value]) => ({ id: filled(item.id, round), attr: filled(attr, round), value: expanded(filled(value, round), names), optional: item.optional })),
    );
  });
  const clicks: Click[] = wanted(visb.events).flatMap((click) =>
    repeated(click).map((round) => ({
      id: filled(click.id, round),
      event: filled(click.event ?? "", round),
      predicates: (click.predicates ?? []).map((one: string) => expanded(filled(one, round), names)),
      hovers: (click.hovers ?? []).map((hover: api.Json) => ({ ...hover, id: hover.id && filled(hover.id, round) })),
    })),
  );
  const objects: Fields[] = wanted(visb.svg_objects).flatMap((object) =>
    repeated(object).map((round) => new Map(Object.entries(object).filter(([name]) => !["repeat", "for", "comment"].includes(name)).map(([name, value]) => [name, filled(String(value), round)]))),
  );
  return { svg, objects: [...base.objects, ...objects], items: [...base.items, ...items], clicks: [...base.clicks, ...clicks] };
}

/** A value of the model as an attribute: strings lose their quotation marks. */
const plain = (value: string) => (/^".*"$/s.test(value) ? value.slice(1, -1).replaceAll('\\"', '"') : value);

/** What stands where in the value of ANIMATION_FUNCTION: pairs of a row and a column, or rows alone, with an image or a text. */
function placed(value: string): [[string, string], string][] {
  const key = "(-?\\d+|[\\w.]+)";
  const cell = '("(?:[^"\\\\]|\\\\.)*"|[^()|]+?)';
  const pairs = [...value.matchAll(new RegExp(`\\(\\(${key}\\|->${key}\\)\\|->${cell}\\)`, "g"))];
  if (pairs.length) return pairs.map((found) => [[found[1], found[2]], found[3]]);
  return [...value.matchAll(new RegExp(`\\(${key}\\|->${cell}\\)`, "g"))].map((found) => [["1", found[1]], found[2]]);
}

/** A drawing without anything that runs. */
function drawing(text: string): SVGElement {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  for (const bad of parsed.querySelectorAll("script, foreignObject, iframe")) bad.remove();
  for (const element of [parsed, ...parsed.querySelectorAll("*")]) {
    for (const attribute of [...element.attributes]) {
      const isLink = /href$/i.test(attribute.name) && !attribute.value.startsWith("#") && !attribute.value.startsWith("data:image/");
      if (/^on/i.test(attribute.name) || isLink) element.removeAttribute(attribute.name);
    }
  }
  return document.importNode(parsed, true) as unknown as SVGElement;
}

export const visualise: Page = (place) => {
  const picture = h("div", { class: "picture grow", id: "picture" });
  const choice = h("input", { id: "visb", placeholder: "found by itself, or a file of this folder", style: "width: 20em", list: "visb-files" }) as HTMLInputElement;
  const moves = h("div", { class: "moves", id: "moves" });
  const state = h("table", { id: "state" });
  const files = h("datalist", { id: "visb-files" });
  let update = async () => {};
  let alive = true;
  /** Whether a picture may exist that could not be looked for: nothing has a value yet. */
  let isEarly = false;

  const act = (command: string) =>
    attempt(async () => {
      const answer = await api.walk({ do: "obey", commands: [command] });
      const failed = answer.replies.find((reply: api.Json) => reply.failed);
      status(failed ? failed.text : "", Boolean(failed));
      await refresh();
    });

  async function refresh(): Promise<void> {
    const scene = api.model.scene;
    if (!scene || !alive) return;
    if (isEarly && scene.place === "state") {
      isEarly = false;
      return open();
    }
    moves.replaceChildren(
      ...scene.moves.slice(0, 30).map((move: api.Json) => h("button", { "data-event": move.event, onclick: () => act(String(move.number)) }, move.label)),
      ...(scene.moves.length ? [] : [h("div", { class: "bad" }, "nothing: the model stops here")]),
    );
    state.replaceChildren(...scene.values.map((one: api.Json) => h("tr", { class: one.was ? "changed" : one.constant ? "dim" : "" }, h("th", {}, one.name), h("td", { class: "value" }, ...shown(one.value, one.was)))));
    await update();
  }

  /** The move of an event whose parameters satisfy what the picture asks; keys and the place of the click have names there. */
  async function matching(click: Click, clicked: MouseEvent): Promise<string | undefined> {
    const truth = (value: boolean) => (value ? "TRUE" : "FALSE");
    const about: Record<string, string> = { shiftKey: truth(clicked.shiftKey), altKey: truth(clicked.altKey), ctrlKey: truth(clicked.ctrlKey), metaKey: truth(clicked.metaKey), pageX: String(Math.round(clicked.pageX)), pageY: String(Math.round(clicked.pageY)) };
    const predicates = click.predicates.map((one) => one.replace(/%(\w+)/g, (whole, name) => about[name] ?? whole)).filter((one) => one.trim());
    const moves = api.model.scene.moves.filter((move: api.Json) => move.event === click.event);
    if (!predicates.length) return moves[0] && String(moves[0].number);
    const asked = moves.map((move: api.Json) => {
      const [names, wanted] = [Object.keys(move.arguments), predicates.map((one) => `(${one})`).join(" & ")];
      const values = names.map((name) => `${name} = ${move.arguments[name]}`).join(" & ");
      return names.length ? `#(${names.join(",")}).(${values} & ${wanted})` : wanted;
    });
    const truths = await api.evaluate(asked);
    const found = truths.findIndex((one) => one === "TRUE");
    if (found < 0 && truths.length && truths.every((one) => one === null)) throw new Error(`the predicates of ${click.event} have no truth here: ${predicates.join(", ")}`);
    return found < 0 ? undefined : String(moves[found].number);
  }

  async function visb(file: string): Promise<void> {
    const { svg, objects, items, clicks } = await load(file);
    await show(svg || (await paper()), items, clicks, objects);
  }

  /** A picture that the model draws by definitions alone, in the file of VISB_SVG_FILE or on empty paper. */
  async function defined(): Promise<boolean> {
    const { objects, updates } = await drawn();
    const [file] = await api.evaluate(["VISB_SVG_FILE"]);
    const isNamed = file !== null && file !== '""';
    if (!objects.length && !updates.length && !isNamed && !(await contents()).length) return false;
    await show(isNamed ? await api.read(beside(api.model.file, plain(file))) : await paper(), [], [], []);
    return true;
  }

  async function show(svg: string, items: Item[], filed: Click[], filedObjects: Fields[]): Promise<void> {
    const root = drawing(svg);
    root.classList.toggle("scaled", root.hasAttribute("viewBox"));
    picture.replaceChildren(root);
    for (const text of await contents()) root.append(...drawing(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${text}</svg>`).childNodes);
    add(root, filedObjects);
    const first = await drawn();
    add(root, first.objects);
    const pointed = (id: string) =>
      first.hovers
        .filter((one) => one.get("trigger_id") === id)
        .flatMap((one) => [...one].filter(([name]) => !["id", "trigger_id"].includes(name)).map(([attr, enter]) => ({ id: one.get("id"), attr, enter, leave: part(root, one.get("id"))?.getAttribute(attr) ?? "" })));
    const clicks: Click[] = [
      ...filed,
      ...first.events.map((one) => ({ id: one.get("id") ?? "", event: one.get("event") ?? "", predicates: [one.get("predicate") ?? ""], hovers: [] })),
      ...[...new Set(first.hovers.map((one) => one.get("trigger_id") ?? ""))].map((id) => ({ id, event: "", predicates: [], hovers: pointed(id) })),
    ];
    const missing = items.filter((item) => !item.optional && !root.querySelector(`#${CSS.escape(item.id)}`));
    if (missing.length) status(`the drawing has no ${missing[0].id}`, true);
    for (const click of clicks) {
      const element = root.querySelector(`#${CSS.escape(click.id)}`) as SVGElement | null;
      if (!element) continue;
      if (click.event) {
        element.style.cursor = "pointer";
        element.addEventListener("click", (clicked) =>
          void attempt(async () => {
            const move = await matching(click, clicked as MouseEvent);
            if (move) await act(move);
            else status(`${click.event} cannot happen here`, true);
          }),
        );
      }
      for (const hover of click.hovers) {
        const target = hover.id ? root.querySelector(`#${CSS.escape(hover.id)}`) : element;
        element.addEventListener("mouseenter", () => target?.setAttribute(hover.attr, hover.enter));
        element.addEventListener("mouseleave", () => target?.setAttribute(hover.attr, hover.leave));
      }
    }
    update = async () => {
      const values = await api.evaluate(items.map((item) => item.value));
      const lacking: string[] = [];
      items.forEach((item, at) => {
        const [element, value] = [root.querySelector(`#${CSS.escape(item.id)}`), values[at]];
        if (value === null) lacking.push(`${item.id}.${item.attr}: ${item.value}`);
        if (!element || value === null) return;
        if (item.attr === "text") element.textContent = plain(value);
        else if (!/^on/i.test(item.attr) && !/href$/i.test(item.attr)) element.setAttribute(item.attr, plain(value));
      });
      if (!alive) return;
      if (lacking.length && api.model.scene.place === "state") status(`no value for ${lacking[0]}${lacking.length > 1 ? ` and ${lacking.length - 1} more` : ""}`, true);
      const { objects, updates } = await drawn();
      add(root, objects);
      for (const fields of updates) {
        const element = part(root, fields.get("id"));
        if (element) dress(element, fields);
      }
    };
    await refresh();
  }

  /** The value of ANIMATION_FUNCTION: pairs of a row and a column with the number of an image, or a text. */
  async function grid(): Promise<boolean> {
    const [value] = await api.evaluate(["ANIMATION_FUNCTION"]);
    if (value === null) return false;
    const images = new Map<string, string>();
    const words = new Map<string, string>();
    update = async () => {
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
      picture.replaceChildren(table);
    };
    await refresh();
    return true;
  }

  const share = () => {
    const svg = picture.querySelector("svg");
    if (svg) download("picture.svg", new XMLSerializer().serializeToString(svg), "image/svg+xml");
    else status("there is no drawing to share here", true);
  };

  const open = () =>
    attempt(async () => {
      if (!api.model.walk) await api.begin();
      const name = choice.value.trim();
      if (name) return visb(name);
      const [named] = await api.evaluate(["VISB_JSON_FILE"]);
      const stem = api.model.file.replace(/\.[^./]+$/, "");
      const there: string[] = (await api.files()).pictures;
      files.replaceChildren(...there.map((file) => h("option", { value: file })));
      const wanted = named && named !== '""' ? beside(api.model.file, plain(named)) : null;
      const isMissing = wanted !== null && !there.includes(wanted) && !(await api.read(wanted).then(() => true, () => false));
      if (isMissing) status(`the VisB file ${wanted}, which the model names, is not below the folder`, true);
      const found = (isMissing ? null : wanted) ?? [`${stem}.json`, `${stem}_visb.json`].find((file) => there.includes(file));
      if (found) {
        choice.value = found;
        return visb(found);
      }
      if ((await defined()) || (await grid())) return;
      isEarly = api.model.scene?.place !== "state";
      if (isEarly) picture.replaceChildren(empty("Nothing has a value yet. Choose how to begin, on the right; then the picture is looked for."));
      else
        picture.replaceChildren(
          empty(
            "This model has no picture. There are three ways to give it one:",
            "a VisB file (JSON, with a drawing in SVG) beside the model; name it above, or in the definition VISB_JSON_FILE;",
            "definitions VISB_SVG_OBJECTS in the model, records that say what is drawn;",
            "a definition ANIMATION_FUNCTION, which places texts or images in a grid.",
          ),
        );
      await refresh();
    }, picture);

  place.append(
    h(
      "div",
      { class: "fill" },
      h("div", { class: "row" }, h("label", { class: "row" }, "VisB file", choice), files, h("button", { id: "load", class: "primary", onclick: open }, "Load"), h("button", { onclick: () => act("undo") }, "Undo ", h("kbd", {}, "u")), h("button", { onclick: () => act("random 1") }, "Random step ", h("kbd", {}, "x")), h("button", { id: "share-picture", onclick: share }, "Save as SVG")),
      h("div", { class: "stage picture-stage grow" }, picture, h("section", { class: "panel" }, h("h2", {}, "What can happen"), moves, h("h2", {}, "State"), state)),
    ),
  );
  const keys = (event: KeyboardEvent) => {
    if ((event.target as HTMLElement).matches("input, textarea, select") || event.altKey || event.ctrlKey || event.metaKey) return;
    const command = { u: "undo", r: "redo", x: "random 1" }[event.key] ?? (/^[1-9]$/.test(event.key) ? event.key : undefined);
    if (command) void act(command);
  };
  addEventListener("keydown", keys);
  void open();
  return () => {
    alive = false;
    removeEventListener("keydown", keys);
  };
};
