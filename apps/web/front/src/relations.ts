// Which event reads and writes what, which makes which possible, which machine refers to which.

import * as api from "./api";
import { attempt, h, status } from "./dom";
import type { Page } from "./main";

const VIEWS: [string, string, string][] = [
  ["matrix", "Dependencies", "which event reads and writes which variable"],
  ["enabling", "Enabling", "which event can follow which; dashed: only sometimes, or takes something away"],
  ["hierarchy", "Machines", "which machine refers to which"],
];

export const relations: Page = (place) => {
  const pictures = h("div", { class: "columns" });
  place.append(pictures);
  void attempt(async () => {
    for (const [what, title, about] of VIEWS) {
      const picture = h("div", { class: "picture", id: what });
      pictures.append(h("section", { class: "panel" }, h("h2", {}, title), h("div", { class: "dim" }, about), picture));
      const answer = await api.ask({ do: "graph", file: api.model.file, what, to: "svg", max_states: 2000 });
      if (answer.lint) throw new Error("the model has errors: see the editor");
      // The drawing is the server's own text; as an image it can run nothing.
      const image = h("img", { src: URL.createObjectURL(new Blob([answer.text], { type: "image/svg+xml" })), alt: about, style: "max-width: 100%; background: #fff" });
      picture.append(image);
      if (answer.cut) picture.append(h("div", { class: "dim" }, answer.cut));
    }
    status("");
  });
};
