// The animator: the state with what changed, what can happen and what cannot and why, the path, formulas.

import * as api from "./api";
import { attempt, download, empty, h, isTaken, status } from "./dom";
import type { Page } from "./main";
import { shown } from "./values";

/** So many events are asked for why they cannot happen. */
const MOST_REASONS = 60;

export const animator: Page = (place, go) => {
  const body = h("div", { class: "stage grow", id: "scene" });
  const console_ = h("pre", { id: "answers", "aria-live": "polite" });
  const formula = h("input", { id: "formula", class: "grow", placeholder: "evaluate a formula here: an expression, a predicate, or a command (help lists them)", "aria-label": "formula" }) as HTMLInputElement;

  const act = (...commands: string[]) =>
    attempt(async () => {
      const answer = await api.walk({ do: "obey", commands });
      const failed = answer.replies.find((reply: api.Json) => reply.failed);
      status(failed ? failed.text : "", Boolean(failed));
      draw();
    });

  /** Why events cannot happen here, as far as it is known. */
  let reasons = new Map<string, string>();
  let asked: api.Json = null;

  /** Asks why the events that cannot happen cannot; the state is shown before that is known. */
  const why = () =>
    attempt(async () => {
      const scene = api.model.scene;
      if (!scene || asked === scene || !scene.disabled.length) return;
      asked = scene;
      const events = scene.disabled.slice(0, MOST_REASONS);
      const answer = await api.explored(api.model.walk, { do: "obey", commands: events.map((event: string) => `why ${event}`) });
      // Somebody may have gone on meanwhile.
      if (api.model.scene !== scene) return;
      const told = answer.replies.map((reply: api.Json, at: number) => [events[at], reply.text.split("\n").slice(1).map((line: string) => line.trim()).join("\n")]);
      reasons = new Map(told);
      draw();
    });

  const typed = () =>
    attempt(async () => {
      const text = formula.value.trim();
      if (!text) return;
      const isCommand = /^(undo|redo|goto|find|random|watch|unwatch|invariant|path|branch|branches|why|expect|do|events|state|help)\b/.test(text);
      const answer = await api.walk({ do: "obey", commands: [isCommand ? text : `eval ${text}`] });
      console_.prepend(`${text}\n  ${answer.replies[0].text.replaceAll("\n", "\n  ")}\n`);
      formula.select();
      draw();
    });

  const watch = () => {
    const text = formula.value.trim();
    if (text) void act(`watch ${text}`);
    else status("write an expression first", true);
  };

  const share = (name: string) =>
    attempt(async () => download(name, await api.walk({ do: "trace", name })));

  function draw(): void {
    const scene = api.model.scene;
    if (!scene) return;
    for (const id of ["undo", "redo"]) (document.getElementById(id) as HTMLButtonElement | null)?.toggleAttribute("disabled", id === "undo" ? scene.step === 0 : scene.step === scene.path.length);
    const values = scene.values.map((value: api.Json) =>
      h(
        "tr",
        { class: value.was ? "changed" : value.constant ? "dim" : "" },
        h("th", { title: `${value.constant ? "constant" : "variable"}${value.type ? ` : ${value.type}` : ""}` }, value.name),
        h("td", { class: "value" }, ...shown(value.value, value.was)),
      ),
    );
    const moves = scene.moves.map((move: api.Json) =>
      h(
        "button",
        { class: move.breaks ? "breaks" : "", "data-event": move.event, title: move.breaks ? "the invariant is false after it" : undefined, onclick: () => act(String(move.number)) },
        move.number <= 9 ? h("kbd", {}, String(move.number)) : null,
        move.breaks ? `${move.label}  ! breaks the invariant` : move.label,
      ),
    );
    if (asked !== scene) reasons = new Map();
    const disabled = scene.disabled.map((event: string) => h("tr", {}, h("th", { class: "mono dim" }, event), h("td", { class: "value" }, reasons.get(event) ?? "…")));
    const predicates = scene.predicates.map((one: api.Json) =>
      h(
        "tr",
        {},
        h("th", { class: one.truth === true ? "good" : "bad" }, one.truth === true ? "✓ true" : one.truth === false ? "✗ false" : "? no truth"),
        h("td", { class: "value" }, one.text, ...(one.why ?? []).map((line: string) => h("div", { class: "bad" }, line))),
      ),
    );
    const path = scene.path.map((label: string, at: number) =>
      h(
        "div",
        {},
        h("button", { class: at + 1 === scene.step ? "here" : at + 1 > scene.step ? "undone" : "", onclick: () => act(`goto ${at + 1}`) }, `${at + 1}  ${label}`),
        ...scene.branches.map((branch: api.Json, number: number) =>
          branch.after === at + 1 && branch.steps.length ? h("div", {}, h("button", { class: "branch", "data-branch": number + 1, title: `go back to this branch: ${branch.steps.join(", ")}`, onclick: () => act(`branch ${number + 1}`) }, `↳ ${branch.steps.slice(0, 3).join(", ")}${branch.steps.length > 3 ? ` … (${branch.steps.length} steps)` : ""}`)) : null,
        ),
      ),
    );
    body.replaceChildren(
      h(
        "section",
        { class: "panel" },
        h("h2", {}, scene.place === "state" ? "State" : scene.place === "setup" ? "Constants are set" : "Nothing has a value yet"),
        scene.place === "state" ? null : h("p", { class: "dim" }, "Choose how to begin, in the next column."),
        ...scene.wrong.map((line: string) => h("div", { class: "bad" }, line)),
        h("table", { id: "state" }, ...values),
        scene.watched.length ? h("h2", {}, "Watched") : null,
        h("table", { id: "watched" }, ...scene.watched.map((one: api.Json, at: number) => h("tr", {}, h("td", { class: "value" }, one.formula), h("td", { class: "value" }, one.value), h("td", {}, h("button", { class: "small", title: "watch no longer", "aria-label": `watch ${one.formula} no longer`, onclick: () => act(`unwatch ${at + 1}`) }, "×"))))),
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "What can happen: click to let it happen"),
        h("div", { class: "moves", id: "moves" }, moves.length ? null : h("div", { class: "bad" }, scene.unknown.length ? "nothing that is known" : "nothing: the model stops here"), ...moves, scene.more_moves ? h("span", { class: "dim" }, `… ${scene.more_moves} more`) : null, ...scene.faults.map((fault: string) => h("div", { class: "bad" }, `fault: ${fault}`)), ...scene.unknown.map((one: string) => h("div", { class: "warn" }, `not known: ${one}`))),
        disabled.length ? h("h2", {}, "What cannot happen, and why") : null,
        h("table", { id: "disabled" }, ...disabled),
      ),
      h(
        "section",
        { class: "panel path" },
        h("h2", {}, scene.path.length ? `Path: step ${scene.step} of ${scene.path.length}` : "Path"),
        scene.path.length ? null : h("div", { class: "dim" }, "no step yet"),
        ...path,
        predicates.length ? h("h2", {}, "Invariant and assertions") : null,
        predicates.length ? h("table", { id: "predicates" }, ...predicates) : null,
      ),
    );
    body.querySelector(".path .here")?.scrollIntoView({ block: "nearest" });
    void why();
  }

  place.append(
    h(
      "div",
      { class: "fill" },
      h(
        "div",
        { class: "row" },
        h("button", { id: "undo", onclick: () => act("undo") }, "Undo ", h("kbd", {}, "u")),
        h("button", { id: "redo", onclick: () => act("redo") }, "Redo ", h("kbd", {}, "r")),
        h("button", { id: "random", onclick: () => act("random 10") }, "10 random steps ", h("kbd", {}, "x")),
        h("button", { onclick: () => act("goto 0") }, "To the beginning ", h("kbd", {}, "b")),
        h("button", { id: "draw", title: "the picture of this state, if the model has one", onclick: () => go("visualise") }, "Picture"),
        h("span", { class: "dim far" }, "Save the path as"),
        h("button", { id: "share-json", onclick: () => share("path.json") }, "JSON"),
        h("button", { onclick: () => share("path.prob2trace") }, "ProB trace"),
        h("button", { onclick: () => share("path.itf.json") }, "ITF"),
        h("button", { id: "share-page", onclick: () => share("path.md") }, "Markdown"),
      ),
      body,
      h("form", { class: "row", onsubmit: (event: Event) => (event.preventDefault(), typed()) }, formula, h("button", {}, "Evaluate"), h("button", { type: "button", id: "watch", title: "keep its value in sight", onclick: watch }, "Watch")),
      console_,
    ),
  );
  const keys = (event: KeyboardEvent) => {
    if (isTaken(event)) return;
    const command = { u: "undo", r: "redo", x: "random 10", b: "goto 0" }[event.key] ?? (/^[1-9]$/.test(event.key) ? event.key : undefined);
    if (command) void act(command);
  };
  addEventListener("keydown", keys);
  void attempt(async () => {
    if (!api.model.walk) {
      body.replaceChildren(empty("Opening the model …"));
      await api.begin();
    }
    draw();
  }, body);
  return () => removeEventListener("keydown", keys);
};
