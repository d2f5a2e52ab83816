// What the editor knows of words: their colours, what a name is, what can be written. All of it is asked of the server, which reads the text
// as a check would.

import { type Completion, type CompletionContext, type CompletionResult, autocompletion } from "@codemirror/autocomplete";
import { type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, hoverTooltip } from "@codemirror/view";
import * as api from "./api";
import { h } from "./dom";

/** The words of a text: beginning, end and kind, one after the other. */
export const colour = StateEffect.define<{ words: number[]; kinds: string[] }>();

const colours = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let now = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(colour)) continue;
      const { words, kinds } = effect.value;
      const styles = kinds.map((kind) => Decoration.mark({ class: `w-${kind}` }));
      const builder = new RangeSetBuilder<Decoration>();
      for (let at = 0; at < words.length; at += 3) {
        const end = Math.min(words[at + 1], transaction.newDoc.length);
        if (words[at] < end) builder.add(words[at], end, styles[words[at + 2]]);
      }
      now = builder.finish();
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** What a name is, where the pointer rests. */
const hover = hoverTooltip(async (view, at) => {
  // A text that is no model has no names: nothing is shown, and the list of problems says why.
  const told = await api.ask({ do: "about", file: api.model.file, at }).catch(() => null);
  if (!told || told.to > view.state.doc.length) return null;
  const dom = h("div", { class: "about" }, h("div", { class: "mono" }, told.about), told.written ? h("pre", {}, told.written) : null);
  return { pos: told.from, end: told.to, above: true, create: () => ({ dom }) };
});

const TYPES: Record<string, string> = { keyword: "keyword", set: "type", element: "enum", constant: "constant", event: "function", component: "namespace", definition: "text", property: "property" };

/** The proposals for a place; names and operators are two lists, since they begin at different places. */
async function proposed(context: CompletionContext, isOperator: boolean): Promise<CompletionResult | null> {
  const before = context.matchBefore(isOperator ? /\\?\w+|[^\w\s]+/ : /[\p{L}\p{N}_'?!]+/u);
  if (!before && !context.explicit) return null;
  const text = before?.text ?? "";
  if (isOperator && !context.explicit && /^\w/.test(text)) return null;
  const told: api.Json[] = await api.ask({ do: "complete", file: api.model.file, at: context.pos }).catch(() => []);
  const options = told
    .filter((one) => (one.kind === "operator") === isOperator)
    .map((one): Completion => {
      // A symbol is found by its spelling in ASCII too.
      const written = one.also && one.text !== one.also && !/^[\x20-\x7e]+$/.test(one.text) && !one.text.startsWith(text) ? one.also : one.text;
      return { label: written, displayLabel: one.text, apply: one.text, detail: one.detail, type: TYPES[one.kind] ?? "variable", boost: one.kind === "keyword" ? -1 : 0 };
    });
  return { from: before?.from ?? context.pos, options, validFor: isOperator ? undefined : /^[\p{L}\p{N}_'?!]*$/u };
}

export const words = (): Extension => [
  colours,
  hover,
  autocompletion({ override: [(context) => proposed(context, false), (context) => proposed(context, true)], maxRenderedOptions: 60 }),
];
