// The animator: the state with what changed, what can happen and what cannot and why, the path, formulas.

import * as api from "./api";
import { attempt, download, h, status } from "./dom";
import type { Page } from "./main";

export const animator: Page = (place, go) => {
  const body = h("div", { class: "columns" });
  const console_ = h("pre", { id: "answers" });
  const formula = h("input", { id: "formula", class: "grow", placeholder: "a formula, or any command of burnside animate", "aria-label": "formula" }) as HTMLInputElement;

  const act = (...commands: string[]) =>
    attempt(async () => {
      const answer = await api.walk({ do: "obey", commands });
      const failed = answer.replies.find((reply: api.Json) => reply.failed);
      status(failed ? failed.text : "", Boolean(failed));
      draw();
    });

  const why = (event: string, row: HTMLElement) =>
    attempt(async () => {
      const answer = await api.walk({ do: "obey", commands: [`why ${event}`] });
      row.replaceChildren(h("pre", {}, answer.replies[0].text));
    });

  const typed = () =>
    attempt(async () => {
      const text = formula.value.trim();
      if (!text) return;
      const isCommand = /^(undo|redo|goto|find|random|watch|unwatch|invariant|path|why|expect|do|events|state)\b/.test(text);
      const answer = await api.walk({ do: "obey", commands: [isCommand ? text : `eval ${text}`] });
      console_.prepend(`${text}\n  ${answer.replies[0].text.replaceAll("\n", "\n  ")}\n`);
      formula.select();
      draw();
    });

  const share = (name: string) =>
    attempt(async () => download(name, await api.walk({ do: "trace", name })));

  function draw(): void {
    const scene = api.model.scene;
    if (!scene) return;
    const values = scene.values.map((value: api.Json) =>
      h(
        "tr",
        { class: value.was ? "changed" : value.constant ? "dim" : "" },
        h("td", { title: value.type }, value.name),
        h("td", { class: "value" }, value.value, value.was ? h("div", { class: "dim" }, `was ${value.was}`) : null),
      ),
    );
    const moves = scene.moves.map((move: api.Json) =>
      h("button", { class: move.breaks ? "breaks" : "", "data-event": move.event, onclick: () => act(String(move.number)) }, move.breaks ? `! ${move.label}` : move.label),
    );
    const disabled = scene.disabled.map((event: string) => {
      const row = h("div", { class: "dim" });
      row.append(h("button", { onclick: () => why(event, row), title: "why not?" }, `${event}: why not?`));
      return row;
    });
    const predicates = scene.predicates.map((one: api.Json) =>
      h(
        "tr",
        {},
        h("td", { class: one.truth === true ? "good" : "bad" }, one.truth === true ? "true" : one.truth === false ? "FALSE" : "undefined"),
        h("td", { class: "value" }, one.text, ...(one.why ?? []).map((line: string) => h("div", { class: "bad" }, line))),
      ),
    );
    const path = scene.path.map((label: string, at: number) =>
      h("div", {}, h("button", { class: at + 1 === scene.step ? "here" : at + 1 > scene.step ? "undone" : "", onclick: () => act(`goto ${at + 1}`) }, `${at + 1}  ${label}`)),
    );
    body.replaceChildren(
      h(
        "section",
        { class: "panel" },
        h("h2", {}, scene.place === "state" ? "State" : scene.place === "setup" ? "Constants are set" : "Nothing has a value yet"),
        ...scene.wrong.map((line: string) => h("div", { class: "bad" }, line)),
        h("table", { id: "state" }, ...values),
        scene.watched.length ? h("h2", {}, "Watched") : null,
        h("table", {}, ...scene.watched.map((one: api.Json) => h("tr", {}, h("td", { class: "value" }, one.formula), h("td", { class: "value" }, one.value)))),
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "What can happen"),
        h("div", { class: "moves", id: "moves" }, ...moves, scene.more_moves ? h("span", { class: "dim" }, `… ${scene.more_moves} more`) : null, ...scene.faults.map((fault: string) => h("div", { class: "bad" }, `fault: ${fault}`))),
        disabled.length ? h("h2", {}, "What cannot") : null,
        ...disabled,
      ),
      h("section", { class: "panel" }, h("h2", {}, "Invariant and assertions"), predicates.length ? h("table", {}, ...predicates) : h("div", { class: "dim" }, "none here")),
      h("section", { class: "panel path" }, h("h2", {}, `Path, ${scene.step} of ${scene.path.length} steps`), ...path),
    );
  }

  place.append(
    h(
      "div",
      { class: "fill" },
      h(
        "div",
        { class: "row" },
        h("button", { id: "undo", onclick: () => act("undo"), title: "u" }, "Undo"),
        h("button", { id: "redo", onclick: () => act("redo"), title: "r" }, "Redo"),
        h("button", { id: "random", onclick: () => act("random 10"), title: "x" }, "10 random steps"),
        h("button", { onclick: () => act("goto 0") }, "To the beginning"),
        h("button", { id: "draw", onclick: () => go("visualise") }, "Picture"),
        h("button", { id: "share-json", onclick: () => share("path.json") }, "Share: JSON"),
        h("button", { onclick: () => share("path.prob2trace") }, "ProB trace"),
        h("button", { onclick: () => share("path.md") }, "page"),
      ),
      body,
      h("form", { class: "row", onsubmit: (event: Event) => (event.preventDefault(), typed()) }, formula, h("button", {}, "Evaluate")),
      console_,
    ),
  );
  const keys = (event: KeyboardEvent) => {
    if ((event.target as HTMLElement).matches("input, textarea, select") || event.altKey || event.ctrlKey || event.metaKey) return;
    const command = { u: "undo", r: "redo", x: "random 10" }[event.key] ?? (/^[1-9]$/.test(event.key) ? event.key : undefined);
    if (command) void act(command);
  };
  addEventListener("keydown", keys);
  void attempt(async () => {
    if (!api.model.walk) await api.begin();
    draw();
  });
  return () => removeEventListener("keydown", keys);
};
