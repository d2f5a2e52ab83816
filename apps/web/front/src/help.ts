// What each page is for and which keys it has, in a window of its own.

import { h } from "./dom";

const PAGES: [string, string, [string, string][]][] = [
  ["Editor", "Write the model. What is wrong is underlined while you type; the list below the text has what was probably meant.", [["Ctrl+S", "save"], ["Ctrl+Space", "what can be written here"], ["Ctrl+F", "find"], ["F8", "next mistake"], ["Esc, then Tab", "leave the text"]]],
  ["Animator", "Run the model by hand: the state, what can happen now, what cannot and why. Click an event to let it happen.", [["1 … 9", "let it happen"], ["u, r", "undo, redo"], ["x", "ten random steps"], ["b", "to the beginning"]]],
  ["State space", "All states that can be reached, as a drawing that grows while they are found. The path of the animator is marked.", [["arrows", "move"], ["+ −", "zoom"], ["0", "show all"]]],
  ["Check", "Look for states that break the invariant, deadlocks, false formulas. What is found comes with a path that opens in the animator.", []],
  ["Relations", "Which event reads and writes what, which event makes which possible, which machine refers to which.", []],
  ["Visualise", "A picture of the state, if the model has one: a VisB file, or definitions in the model.", []],
];

/** Shows the help; Escape closes it. */
export function help(): void {
  const known = document.getElementById("help") as HTMLDialogElement | null;
  if (known) return known.close();
  const keys = (list: [string, string][]) => h("div", { class: "row" }, ...list.map(([key, what]) => h("span", {}, h("kbd", {}, key), what)));
  const dialog = h(
    "dialog",
    { id: "help", "aria-label": "help", onclose: () => dialog.remove() },
    h("h1", {}, "Burnside in short"),
    ...PAGES.map(([title, about, list], at) => h("section", {}, h("h2", {}, h("kbd", {}, `Alt+${at + 1}`), title), h("p", {}, about), list.length ? keys(list) : null)),
    h("p", { class: "dim" }, "A text that is not saved counts on every page. Checks go on when this page is closed."),
    h("button", { class: "primary", onclick: () => dialog.close() }, "Close"),
  ) as HTMLDialogElement;
  document.body.append(dialog);
  dialog.showModal();
}
