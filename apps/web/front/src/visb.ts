// VisB files: what they say of a picture, with loops, inclusions and definitions written out. Nothing of them is run.

import * as api from "./api";
import type { Fields } from "./objects";

export interface Item { id: string; attr: string; value: string; optional?: boolean }
export interface Click { id: string; event: string; predicates: string[]; hovers: { id?: string; attr: string; enter: string; leave: string }[] }

/** The most repetitions of an entry, as VisB has it. */
const MAX_REPEAT = 100_000;

/** Replaces `%0`, `%1`, … by the values of a repetition, the number of a loop first. */
function filled(text: string, values: string[]): string {
  return text.replace(/%(\d)/g, (whole, at) => values[Number(at)] ?? whole);
}

/** An entry as often as it is to be repeated. */
export function repeated(entry: api.Json): string[][] {
  let rounds: string[][] = [[]];
  if (entry.for) {
    const { from, to, step = 1 } = entry.for;
    rounds = [];
    for (let at = from; step > 0 ? at <= to : at >= to; at += step) {
      rounds.push([String(at)]);
      if (rounds.length >= MAX_REPEAT || step === 0) break;
    }
  }
  if (entry.repeat) {
    const more: string[][] = entry.repeat.map((one: api.Json) => (Array.isArray(one) ? one.map(String) : [String(one)]));
    rounds = rounds.flatMap((round) => more.map((one) => [...round, ...one]));
  }
  return rounds;
}

/** A file that is named relative to another one. */
export const beside = (file: string, name: string) => [...file.split("/").slice(0, -1), ...name.split("/")].filter((part) => part && part !== ".").join("/");

/** Words of an item that are no attributes of the drawing. */
const WORDS = new Set(["id", "attr", "value", "optional", "ignore", "repeat", "for", "comment", "override"]);

/** What a VisB file says. */
export interface Visb { svg: string; objects: Fields[]; items: Item[]; clicks: Click[] }

/** Names of a VisB file for formulas: each stands for its formula, wherever it is written. */
function expanded(text: string, names: [string, string][]): string {
  return names.reduceRight((text, [name, value]) => text.replaceAll(new RegExp(`(?<![\\w.])${name}(?!\\w)`, "g"), () => `(${value})`), text);
}

export async function load(file: string): Promise<Visb> {
  const visb = JSON.parse(await api.read(file));
  const base: Visb = visb.include ? await load(beside(file, visb.include)) : { svg: "", objects: [], items: [], clicks: [] };
  const svg = visb.svg ? await api.read(beside(file, visb.svg)) : base.svg;
  const names: [string, string][] = (visb.definitions ?? []).filter((one: api.Json) => /^\w+$/.test(one.name)).map((one: api.Json) => [one.name, String(one.value)]);
  const wanted = (list: api.Json[] | undefined) => (list ?? []).filter((one) => !one.ignore);
  const items: Item[] = wanted(visb.items).flatMap((item) => {
    const attributes: [string, string][] = Object.entries(item).filter(([name]) => !WORDS.has(name)).map(([name, value]) => [name, String(value)]);
    if (item.attr !== undefined) attributes.push([item.attr, String(item.value)]);
    return repeated(item).flatMap((round) =>
      attributes.map(([attr, value]) => ({ id: filled(item.id, round), attr: filled(attr, round), value: expanded(filled(value, round), names), optional: item.optional })),
    );
  });
  const clicks: Click[] = wanted(visb.events).flatMap((click) =>
    repeated(click).map((round) => ({
      id: filled(click.id, round),
      event: filled(click.event ?? "", round),
      predicates: (click.predicates ?? []).map((one: string) => expanded(filled(one, round), names)),
      hovers: (click.hovers ?? []).map((hover: api.Json) => ({ ...hover, id: hover.id && filled(hover.id, round) })),
    })),
  );
  const objects: Fields[] = wanted(visb.svg_objects).flatMap((object) =>
    repeated(object).map((round) => new Map(Object.entries(object).filter(([name]) => !["repeat", "for", "comment"].includes(name)).map(([name, value]) => [name, filled(String(value), round)]))),
  );
  return { svg, objects: [...base.objects, ...objects], items: [...base.items, ...items], clicks: [...base.clicks, ...clicks] };
}

/** A value of the model as an attribute: strings lose their quotation marks. */
export const plain = (value: string) => (/^".*"$/s.test(value) ? value.slice(1, -1).replaceAll('\\"', '"') : value);

/** A drawing without anything that runs. */
export function drawing(text: string): SVGElement {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  for (const bad of parsed.querySelectorAll("script, foreignObject, iframe")) bad.remove();
  for (const element of [parsed, ...parsed.querySelectorAll("*")]) {
    for (const attribute of [...element.attributes]) {
      const isLink = /href$/i.test(attribute.name) && !attribute.value.startsWith("#") && !attribute.value.startsWith("data:image/");
      if (/^on/i.test(attribute.name) || isLink) element.removeAttribute(attribute.name);
    }
  }
  return document.importNode(parsed, true) as unknown as SVGElement;
}
