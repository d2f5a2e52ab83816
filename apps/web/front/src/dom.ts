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

/** Runs something and says why it failed. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  const begun = opened;
  try {
    await work();
  } catch (error) {
    if (begun === opened) status(error instanceof Error ? error.message : String(error), true);
  }
}

/** Gives a text to the user as a file. */
export function download(name: string, text: string, kind = "text/plain"): void {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: kind })), download: name }) as HTMLAnchorElement;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A colour of the theme. */
export const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
