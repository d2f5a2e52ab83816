// Which event reads and writes what, which makes which possible, which machine refers to which.

import * as api from "./api";
import { attempt, h } from "./dom";
import type { Page } from "./main";

const VIEWS: [string, string, string][] = [
  ["matrix", "Dependencies", "which event reads (r) and writes (w) which variable"],
  ["enabling", "Enabling", "which event can follow which; dashed: only sometimes, or takes something away"],
  ["hierarchy", "Machines", "which machine refers to which"],
];

/** Events in rows, variables in columns: r reads, w writes. */
function matrix(graph: api.Json): HTMLElement {
  const named = (role: string) => graph.nodes.filter((node: api.Json) => node.role === role);
  const variables: string[] = named("variable").map((node: api.Json) => node.label);
  const rows = named("event").map((node: api.Json) =>
    h("tr", {}, h("th", {}, node.label), ...variables.map((name) => h("td", { class: "mono" }, node.values?.[name] ?? ""))),
  );
  return h("table", {}, h("tr", {}, h("th", {}), ...variables.map((name) => h("th", {}, name))), ...rows);
}

export const relations: Page = (place) => {
  const pictures = h("div", { class: "columns" });
  place.append(pictures);
  void attempt(async () => {
    for (const [what, title, about] of VIEWS) {
      const picture = h("div", { class: "picture", id: what });
      pictures.append(h("section", { class: "panel" }, h("h2", {}, title), h("div", { class: "dim" }, about), picture));
      const to = what === "matrix" ? "json" : "svg";
      const answer = await api.ask({ do: "graph", file: api.model.file, what, to, max_states: 2000 });
      if (answer.lint) throw new Error("the model has errors: see the editor");
      if (to === "json") {
        picture.append(matrix(JSON.parse(answer.text)));
        continue;
      }
      // The drawing is the server's own text; as an image it can run nothing.
      const drawing = new Blob([answer.text], { type: "image/svg+xml" });
      picture.append(h("img", { src: URL.createObjectURL(drawing), alt: about, class: "drawing" }));
      if (answer.cut) picture.append(h("div", { class: "dim" }, answer.cut));
    }
  });
};
