// The frame: which model, which page, keys.

import * as api from "./api";
import { animator } from "./animator";
import { check } from "./check";
import { attempt, h, status, turn } from "./dom";
import { editor } from "./editor";
import { relations } from "./relations";
import { space } from "./space";
import { visualise } from "./visualise";

/** A page draws itself; what it returns is called when it is left. */
export type Page = (place: HTMLElement, go: (page: string) => void) => void | (() => void);

const PAGES: [string, string, Page][] = [
  ["editor", "Editor", editor],
  ["animator", "Animator", animator],
  ["space", "State space", space],
  ["check", "Check", check],
  ["relations", "Relations", relations],
  ["visualise", "Visualise", visualise],
];

let leave: void | (() => void);

function go(name: string): void {
  const place = document.getElementById("page")!;
  const found = PAGES.find(([known]) => known === name) ?? PAGES[0];
  leave?.();
  turn();
  place.replaceChildren();
  status("");
  for (const button of document.querySelectorAll("#pages button")) {
    if (button.id === `go-${found[0]}`) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
  sessionStorage.setItem("page", found[0]);
  leave = found[2](place, go);
}

async function choose(file: string): Promise<void> {
  api.model.file = file;
  api.model.saved = api.model.text = file ? await api.read(file) : "";
  api.forget();
  sessionStorage.setItem("file", file);
  document.title = file ? `${file} · Burnside` : "Burnside";
}

function theme(dark: boolean): void {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  localStorage.setItem("theme", dark ? "dark" : "light");
}

async function begin(): Promise<void> {
  const stored = localStorage.getItem("theme");
  theme(stored ? stored === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  document.getElementById("theme")!.addEventListener("click", () => {
    theme(document.documentElement.dataset.theme !== "dark");
    go(sessionStorage.getItem("page") ?? "editor");
  });
  const nav = document.getElementById("pages")!;
  PAGES.forEach(([name, title], at) =>
    nav.append(h("button", { id: `go-${name}`, title: `Alt+${at + 1}`, onclick: () => go(name) }, title)),
  );
  addEventListener("keydown", (event) => {
    const at = event.altKey ? Number(event.key) : NaN;
    if (at >= 1 && at <= PAGES.length) {
      event.preventDefault();
      go(PAGES[at - 1][0]);
    }
  });
  const { files, first } = await api.files();
  const select = document.getElementById("file") as HTMLSelectElement;
  for (const file of files) select.append(h("option", { value: file }, file));
  const wanted = api.firstFile ?? sessionStorage.getItem("file") ?? first;
  select.value = files.includes(wanted) ? wanted : (files[0] ?? "");
  select.addEventListener("change", () =>
    attempt(async () => {
      await choose(select.value);
      go(sessionStorage.getItem("page") ?? "editor");
    }),
  );
  await choose(select.value);
  go(sessionStorage.getItem("page") ?? "editor");
}

void attempt(begin);
