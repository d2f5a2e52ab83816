// Elements in few words.

type Child = Node | string | null | undefined | false;

/** Makes an element: attributes that are functions are listeners. */
export function h(tag: string, attributes: Record<string, any> = {}, ...children: (Child | Child[])[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) if (child || child === "") element.append(child as Node | string);
  return element;
}

/** Says something about what goes on. */
export function status(text: string, isBad = false): void {
  const place = document.getElementById("status")!;
  place.textContent = text;
  place.className = isBad ? "bad" : "";
}

/** Counts the pages that were opened: what a page that was left still does is not told on the next one. */
let opened = 0;
export const turn = (): number => ++opened;

const WORKING = "working …";

/** Runs something and says why it failed; a model with errors is told in `place`, where there is one, with a way to the editor. */
export async function attempt(work: () => Promise<void>, place?: HTMLElement): Promise<void> {
  const begun = opened;
  // What takes long says that it goes on.
  const patience = setTimeout(() => begun === opened && status(WORKING), 700);
  try {
    await work();
  } catch (error) {
    if (begun !== opened) return;
    status(error instanceof Error ? error.message : String(error), true);
    const errors = (error as { errors?: string }).errors;
    if (place && errors !== undefined) place.replaceChildren(unreadable(errors));
  } finally {
    clearTimeout(patience);
    if (begun === opened && document.getElementById("status")!.textContent === WORKING) status("");
  }
}

/** What stands where a model with errors would be. */
export const unreadable = (errors: string): HTMLElement =>
  h("section", { class: "panel notice" }, h("p", {}, "This model has errors, so there is nothing to show yet. "), h("button", { class: "primary", onclick: () => document.getElementById("go-editor")?.click() }, "Mend them in the editor"), h("pre", {}, errors));

/** What stands where there is nothing yet: what this page is for, and what to do. */
export const empty = (...lines: (string | Node)[]): HTMLElement => h("div", { class: "empty" }, ...lines.map((line) => h("p", {}, line)));

/** Whether a key is none of the page's: it is typed somewhere, belongs to the browser, or a window is open before the page. */
export const isTaken = (event: KeyboardEvent): boolean =>
  (event.target as HTMLElement).matches?.("input, textarea, select, .cm-content") || event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]") !== null;

/** Gives a text to the user as a file. */
export function download(name: string, text: string, kind = "text/plain"): void {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: kind })), download: name }) as HTMLAnchorElement;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A colour of the theme. */
export const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
