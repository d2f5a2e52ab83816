// The frame: which model, which page, keys.

import * as api from "./api";
import { animator } from "./animator";
import { check } from "./check";
import { attempt, empty, h, isTaken, status, turn } from "./dom";
import { editor } from "./editor";
import { help } from "./help";
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
  if (!api.model.file && found[0] !== "editor") {
    leave = undefined;
    place.append(empty("This folder has no model yet.", h("button", { class: "primary", onclick: () => go("editor") }, "To the editor")));
    return;
  }
  leave = found[2](place, go);
}

async function choose(file: string): Promise<void> {
  await api.choose(file);
  sessionStorage.setItem("file", file);
  mark();
}

/** Says which texts are not saved. */
function mark(): void {
  const { file } = api.model;
  const dot = (file: string) => (api.isUnsaved(file) ? " •" : "");
  document.title = file ? `${file}${dot(file)} · Burnside` : "Burnside";
  for (const option of document.querySelectorAll<HTMLOptionElement>("#file option")) {
    const text = option.value + dot(option.value);
    if (option.value && option.textContent !== text) option.textContent = text;
  }
}

/** Lists the models of the folder, and looks at one. */
async function list(wanted?: string): Promise<void> {
  const { files, first, cut } = await api.files();
  const select = document.getElementById("file") as HTMLSelectElement;
  select.replaceChildren(...files.map((file: string) => h("option", { value: file }, file)), ...(cut ? [h("option", { disabled: true, value: "" }, "… more than are listed: open a smaller folder")] : []));
  // A model that the address names may be one of those that are not listed.
  if (api.firstFile && !files.includes(api.firstFile)) {
    files.push(api.firstFile);
    select.prepend(h("option", { value: api.firstFile }, api.firstFile));
  }
  const known = [wanted, api.firstFile, sessionStorage.getItem("file"), first].find((file) => files.includes(file));
  select.value = known ?? files[0] ?? "";
  await choose(select.value);
  go(files.length ? (sessionStorage.getItem("page") ?? "editor") : "editor");
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
    nav.append(h("button", { id: `go-${name}`, title: `${title} (Alt+${at + 1})`, onclick: () => go(name) }, title)),
  );
  addEventListener("keydown", (event) => {
    const at = event.altKey && !event.ctrlKey && /^Digit\d$/.test(event.code) ? Number(event.code.slice(5)) : NaN;
    if (at >= 1 && at <= PAGES.length) {
      event.preventDefault();
      go(PAGES[at - 1][0]);
    }
    if (event.key === "?" && !isTaken(event)) help();
  });
  document.getElementById("help-button")!.addEventListener("click", help);
  addEventListener("texts", mark);
  addEventListener("created", (event) => void attempt(() => list((event as CustomEvent<string>).detail)));
  addEventListener("beforeunload", (event) => {
    const options = [...document.querySelectorAll<HTMLOptionElement>("#file option")];
    if (options.some((option) => api.isUnsaved(option.value))) event.preventDefault();
  });
  const select = document.getElementById("file") as HTMLSelectElement;
  select.addEventListener("change", () =>
    attempt(async () => {
      await choose(select.value).catch((error) => {
        // The file is gone: the model that is shown stays.
        select.value = api.model.file;
        throw error;
      });
      go(sessionStorage.getItem("page") ?? "editor");
    }),
  );
  await list();
}

void attempt(begin);
