// Which event reads and writes what, which makes which possible, which machine refers to which.

import * as api from "./api";
import { attempt, h } from "./dom";
import type { Page } from "./main";

/** So many states are looked at for what makes what possible. */
const STATES = 2000;

const VIEWS: [string, string, string][] = [
  ["matrix", "Dependencies", "Which event (row) reads (r) and writes (w) which variable (column)."],
  ["hierarchy", "Machines", "Which machine refers to which."],
  ["enabling", "Enabling", "An arrow from one event to another: the first made the second possible, so many times in the states that were looked at. Dashed: it made it impossible."],
];

/** Events in rows, variables in columns: r reads, w writes. */
function matrix(graph: api.Json): HTMLElement {
  const named = (role: string) => graph.nodes.filter((node: api.Json) => node.role === role);
  const variables: string[] = named("variable").map((node: api.Json) => node.label);
  const rows = named("event").map((node: api.Json) =>
    h("tr", {}, h("th", { title: node.label, class: "mono" }, node.label), ...variables.map((name) => h("td", { class: "mono" }, node.values?.[name] ?? ""))),
  );
  if (!rows.length) return h("div", { class: "dim" }, "This model has no events.");
  return h("table", { class: "matrix" }, h("tr", {}, h("th", {}), ...variables.map((name) => h("th", {}, name))), ...rows);
}

/** Shows a drawing as large as the window; Escape or a click closes it. */
function enlarge(source: string, title: string): void {
  const dialog = h("dialog", { class: "large", "aria-label": title, onclose: () => dialog.remove(), onclick: () => dialog.close() }, h("img", { src: source, alt: title, class: "drawing" })) as HTMLDialogElement;
  document.body.append(dialog);
  dialog.showModal();
}

export const relations: Page = (place) => {
  const pictures = h("div", { class: "relations" });
  place.append(pictures);
  const drawings: string[] = [];
  let alive = true;
  void attempt(async () => {
    for (const [what, title, about] of VIEWS) {
      const picture = h("div", { class: "picture", id: what }, h("div", { class: "dim" }, "looking …"));
      pictures.append(h("section", { class: `panel ${what}` }, h("h2", {}, title), h("p", { class: "dim" }, about), picture));
      const answer = await api.ask({ do: "graph", file: api.model.file, what, to: "json", max_states: STATES });
      if (!alive) return;
      if (answer.lint) throw new api.Unreadable(answer.text);
      const graph = JSON.parse(answer.text);
      if (what === "matrix") {
        picture.replaceChildren(matrix(graph));
        continue;
      }
      if (graph.nodes.length < 2) {
        picture.replaceChildren(h("div", { class: "dim" }, what === "hierarchy" ? "This model refers to no other." : "Nothing happens in this model."));
        continue;
      }
      const drawn = await api.ask({ do: "graph", file: api.model.file, what, to: "svg", max_states: STATES });
      if (!alive) return;
      // The drawing is the server's own text; as an image it can run nothing.
      const source = URL.createObjectURL(new Blob([drawn.text], { type: "image/svg+xml" }));
      drawings.push(source);
      picture.replaceChildren(h("button", { class: "enlarge", title: "larger", onclick: () => enlarge(source, title) }, h("img", { src: source, alt: about, class: "drawing" })));
      if (answer.cut) picture.append(h("div", { class: "warn" }, `Not everything was looked at: only the first ${STATES.toLocaleString()} states.`));
    }
  }, pictures);
  return () => {
    alive = false;
    for (const source of drawings) URL.revokeObjectURL(source);
  };
};
