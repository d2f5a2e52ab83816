// The editor: what is wrong is said while one types, by the same reader that checks.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { type Diagnostic, forceLinting, lintGutter, lintKeymap, linter } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Text } from "@codemirror/state";
import { EditorView, drawSelection, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import * as api from "./api";
import { attempt, empty, h, status } from "./dom";
import type { Page } from "./main";
import { colour, words } from "./words";

/** The offset of a line and column, which the server counts from 1 and in characters. */
function offset(text: Text, line: number, column: number): number {
  const found = text.line(Math.min(Math.max(line, 1), text.lines));
  const before = Array.from(found.text).slice(0, column - 1).join("");
  return Math.min(found.from + before.length, found.to);
}

async function wrong(view: EditorView): Promise<Diagnostic[]> {
  api.model.text = view.state.doc.toString();
  const asked = view.state.doc;
  const answer = await api.ask({ do: "words", file: api.model.file });
  if (view.dom.isConnected && view.state.doc === asked) view.dispatch({ effects: colour.of(answer) });
  const own = answer.lint.diagnostics.filter((one: api.Json) => one.file === api.model.file || one.file === null);
  const text = view.state.doc;
  const errors = own.filter((one: api.Json) => one.severity === "error").length;
  const rest = answer.lint.diagnostics.length - own.length;
  const others = rest ? `, ${rest} in other files` : "";
  const count = (number: number, word: string) => (number ? `${number} ${word}${number > 1 ? "s" : ""}` : `no ${word}s`);
  const warnings = own.length - errors ? `, ${count(own.length - errors, "warning")}` : "";
  if (view.dom.isConnected) status(`${count(errors, "error")}${warnings}${others}`, errors > 0);
  return own.map((one: api.Json): Diagnostic => {
    const from = one.line ? offset(text, one.line, one.column) : 0;
    const to = one.end_line ? offset(text, one.end_line, one.end_column) : 0;
    const meant: string | undefined = one.fix;
    return {
      from,
      to: Math.max(to, from),
      severity: one.severity,
      source: one.code,
      message: [one.message, one.help && `help: ${one.help}`, ...one.notes].filter(Boolean).join("\n"),
      actions: meant
        ? [{ name: `write ${meant}`, apply: (view, from, to) => view.dispatch({ changes: { from, to, insert: meant } }) }]
        : [],
    };
  });
}

/** What is wrong below the text, in words: a line number goes there, a suggestion is written by a click. */
function list(view: EditorView, found: Diagnostic[]): HTMLElement[] {
  const text = view.state.doc;
  return found.map((one) =>
    h(
      "div",
      { class: "row" },
      h(
        "button",
        {
          class: "small",
          onclick: () => {
            view.dispatch({ selection: { anchor: Math.min(one.from, view.state.doc.length) }, scrollIntoView: true });
            view.focus();
          },
        },
        `line ${text.lineAt(one.from).number}`,
      ),
      h("span", { class: one.severity === "error" ? "bad" : "", title: one.message }, one.message.split("\n")[0]),
      ...(one.actions ?? []).map((action) =>
        h(
          "button",
          {
            class: "small",
            onclick: () => {
              // A text that changed since is read again soon.
              if (view.state.doc === text) action.apply(view, one.from, one.to);
            },
          },
          action.name,
        ),
      ),
    ),
  );
}

export const editor: Page = (place) => {
  const text = h("div", { class: "grow", id: "text" });
  const problems = h("div", { id: "problems", role: "region", "aria-label": "what is wrong" });
  const save = h("button", { id: "save", onclick: () => saveIt(), title: "Ctrl+S" }, "Save");
  const told = async (view: EditorView) => {
    const found = await wrong(view);
    problems.replaceChildren(...list(view, found));
    return found;
  };
  const saveIt = () =>
    attempt(async () => {
      if (await api.saveModel((why) => confirm(why))) status("saved");
    });
  const create = () =>
    attempt(async () => {
      const name = prompt("The name of the new model, with its extension: Lift.mch, Door.eventb, queue.pml, club.zed, mutex.m")?.trim();
      if (!name) return;
      const { files } = await api.files();
      if (files.includes(name)) throw new Error(`there is a ${name} already`);
      await api.save(name, "").catch((error) => {
        throw new Error(`${name} cannot be made: only models inside this folder can, with an extension such as .mch (${error.message})`);
      });
      dispatchEvent(new CustomEvent("created", { detail: name }));
    });
  const format = () =>
    attempt(async () => {
      const answer = await api.ask({ do: "format", file: api.model.file });
      if (answer.lint) throw new Error("a text with errors is not formatted");
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: answer.text } });
    });
  place.append(
    h(
      "div",
      { class: "fill" },
      h(
        "div",
        { class: "row" },
        save,
        h("button", { id: "format", onclick: format }, "Format"),
        h("button", { id: "create", onclick: create }, "New …"),
        h("span", { class: "dim" }, "What is wrong is said while you type. Point at a name for its type; ", h("kbd", {}, "Ctrl+Space"), "shows what can be written."),
      ),
      text,
      problems,
    ),
  );
  if (!api.model.file) {
    text.append(empty("This folder has no model yet.", h("button", { class: "primary", onclick: create }, "Make one")));
    return;
  }
  const marked = () => save.classList.toggle("primary", api.isUnsaved(api.model.file));
  addEventListener("texts", marked);
  marked();
  const view = new EditorView({
    parent: text,
    state: EditorState.create({
      doc: api.model.text,
      extensions: [
        lineNumbers(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightSelectionMatches(),
        lintGutter(),
        linter(told, { delay: 250 }),
        words(),
        EditorView.contentAttributes.of({ "aria-label": "the text of the model", spellcheck: "false" }),
        keymap.of([
          { key: "Mod-s", run: () => (void saveIt(), true) },
          ...defaultKeymap,
          ...historyKeymap,
          ...searchKeymap,
          ...lintKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          api.model.text = update.state.doc.toString();
          api.forget();
        }),
      ],
    }),
  });
  forceLinting(view);
  view.focus();
  return () => {
    removeEventListener("texts", marked);
    view.destroy();
  };
};
