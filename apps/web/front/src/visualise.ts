// Pictures that move with the model: VisB files (SVG and JSON), definitions of VisB, and ANIMATION_FUNCTION as ProB has it.

import * as api from "./api";
import { attempt, download, empty, h, isTaken, status } from "./dom";
import { grid } from "./grid";
import type { Page } from "./main";
import { type Fields, add, contents, dress, drawn, paper, part } from "./objects";
import { shown } from "./values";
import { type Click, type Item, beside, drawing, load, plain } from "./visb";

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
      ...(scene.moves.length ? [] : [h("div", { class: "bad" }, scene.unknown.length ? "nothing that is known" : "nothing: the model stops here")]),
      ...scene.faults.map((fault: string) => h("div", { class: "bad" }, `fault: ${fault}`)),
      ...scene.unknown.map((one: string) => h("div", { class: "warn" }, `not known: ${one}`)),
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
    // Small pictures become larger, but not as large as the window.
    root.classList.toggle("scaled", root.hasAttribute("viewBox"));
    const width = parseFloat(root.getAttribute("width") ?? "");
    if (width) root.style.maxWidth = `min(100%, ${2 * width}px)`;
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

  const share = () => {
    const svg = picture.querySelector("svg");
    if (svg) download("picture.svg", new XMLSerializer().serializeToString(svg), "image/svg+xml");
    else status("there is no drawing to share here", true);
  };

  const open = () =>
    attempt(async () => {
      if (!picture.hasChildNodes()) picture.replaceChildren(empty("Looking for a picture …"));
      if (!api.model.walk) await api.begin();
      const name = choice.value.trim();
      if (name) return visb(name);
      const [named] = await api.evaluate(["VISB_JSON_FILE"]);
      const stem = api.model.file.replace(/\.[^./]+$/, "");
      const there: string[] = (await api.files()).pictures;
      files.replaceChildren(...there.map((file) => h("option", { value: file })));
      const wanted = named && named !== '""' ? beside(api.model.file, plain(named)) : null;
      const isMissing = wanted !== null && !there.includes(wanted) && !(await api.read(wanted).then(() => true, () => false));
      const missing = `The VisB file ${wanted}, which the model names, is not below the folder.`;
      const found = (isMissing ? null : wanted) ?? [`${stem}.json`, `${stem}_visb.json`].find((file) => there.includes(file));
      if (found) {
        choice.value = found;
        return visb(found);
      }
      if (await defined()) return;
      const table = await grid();
      if (table) {
        update = async () => picture.replaceChildren(await table());
        return refresh();
      }
      isEarly = api.model.scene?.place !== "state";
      if (isEarly) picture.replaceChildren(empty(...(isMissing ? [missing] : []), "Nothing has a value yet. Choose how to begin, on the right; then the picture is looked for."));
      else
        picture.replaceChildren(
          empty(
            ...(isMissing ? [missing] : []),
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
    if (isTaken(event)) return;
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
