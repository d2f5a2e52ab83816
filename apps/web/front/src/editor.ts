// The editor: what is wrong is said while one types, by the same reader that checks.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { type Diagnostic, forceLinting, lintGutter, lintKeymap, linter } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Text } from "@codemirror/state";
import { EditorView, drawSelection, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import * as api from "./api";
import { attempt, h, status } from "./dom";
import type { Page } from "./main";

/** The offset of a line and column, which the server counts from 1 and in characters. */
function offset(text: Text, line: number, column: number): number {
  const found = text.line(Math.min(Math.max(line, 1), text.lines));
  const before = Array.from(found.text).slice(0, column - 1).join("");
  return Math.min(found.from + before.length, found.to);
}

async function wrong(view: EditorView): Promise<Diagnostic[]> {
  api.model.text = view.state.doc.toString();
  const answer = await api.ask({ do: "lint", file: api.model.file });
  const own = answer.lint.diagnostics.filter((one: api.Json) => one.file === api.model.file || one.file === null);
  const text = view.state.doc;
  const errors = own.filter((one: api.Json) => one.severity === "error").length;
  const rest = answer.lint.diagnostics.length - own.length;
  const others = rest ? `, ${rest} in other files` : "";
  if (view.dom.isConnected) status(errors ? `${errors} error${errors > 1 ? "s" : ""}${others}` : `no errors${others}`, errors > 0);
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
      h("span", { class: one.severity === "error" ? "bad" : "" }, one.message.split("\n")[0]),
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
  const problems = h("div", { id: "problems" });
  const told = async (view: EditorView) => {
    const found = await wrong(view);
    problems.replaceChildren(...list(view, found));
    return found;
  };
  const saveIt = () =>
    attempt(async () => {
      await api.save(api.model.file, api.model.text);
      api.model.saved = api.model.text;
      status("saved");
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
        h("button", { id: "save", class: "primary", onclick: saveIt, title: "Ctrl+S" }, "Save"),
        h("button", { id: "format", onclick: format }, "Format"),
        h("span", { class: "dim" }, "What is wrong is said while you type; a text that is not saved counts on every page."),
      ),
      text,
      problems,
    ),
  );
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
  return () => view.destroy();
};
