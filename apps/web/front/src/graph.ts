// A state space as far as it was told: nodes and edges that grow, and what of it is drawn: all states, or one node for each value of a
// projection.

import * as api from "./api";
import type { Drawn } from "./painter";

/** What is asked of a state space. */
export interface Question { projection: string; reduced: boolean; most: number }

const KINDS: Record<string, number> = { state: 0, initial: 1, broken: 2, deadlock: 3, root: 4, setup: 4 };

export class Graph {
  walk = 0;
  done = false;
  cut = "";
  waiting = 0;
  /** Whether somebody stopped it. */
  isStopped = false;
  at: Float32Array = new Float32Array();
  private texts: string[] = [];
  private roles: string[] = [];
  private edges: [number, number, string][] = [];
  /** For each state the node that is drawn for it. */
  private node: number[] = [];
  private names: string[] = [];
  private members: number[] = [];
  private classes = new Map<string, number>();
  private drawnEdges: [number, number, string][] = [];
  private sources = new Map<string, number>();

  constructor(readonly question: Question, readonly version: string) {}

  get states(): number {
    return this.roles.filter((role) => role !== "root" && role !== "setup").length;
  }
  get count(): number {
    return this.names.length;
  }
  get edgeCount(): number {
    return this.drawnEdges.length;
  }
  /** How many states have a role. */
  having(role: string): number {
    return this.roles.reduce((sum, one) => sum + (one === role ? 1 : 0), 0);
  }

  /** Explores for a moment; whether there is something new. */
  async grow(): Promise<boolean> {
    if (!this.walk) this.walk = await api.explore({ projection: this.question.projection || null, reduced: this.question.reduced, max_states: this.question.most });
    const news = await api.explored(this.walk, { do: "grow" });
    if (news.restarted) this.forget();
    for (const node of news.nodes) this.add(node);
    for (const [node, role] of news.roles) this.roles[node] = role;
    for (const edge of news.edges) this.connect(edge);
    this.done = news.done;
    this.cut = news.cut ?? "";
    this.waiting = news.waiting;
    return news.nodes.length + news.edges.length + news.roles.length > 0;
  }

  private forget(): void {
    this.texts.length = this.roles.length = this.edges.length = this.node.length = this.names.length = this.members.length = this.drawnEdges.length = 0;
    this.classes.clear();
    this.sources.clear();
  }

  private add(node: api.Json): void {
    this.texts.push(node.text);
    this.roles.push(node.role);
    const known = node.class === undefined ? undefined : this.classes.get(node.class);
    if (known === undefined) {
      if (node.class !== undefined) this.classes.set(node.class, this.names.length);
      this.names.push(node.class ?? node.text);
      this.members.push(0);
    }
    const drawn = known ?? this.names.length - 1;
    this.node.push(drawn);
    this.members[drawn]++;
  }

  private connect(edge: [number, number, string]): void {
    this.edges.push(edge);
    const [from, to] = [this.node[edge[0]], this.node[edge[1]]];
    const label = this.question.projection ? edge[2].replace(/\(.*/s, "") : edge[2];
    const key = this.question.projection ? `${from},${to},${label}` : "";
    if (key && this.sources.has(key)) return;
    if (key) this.sources.set(key, 1);
    this.drawnEdges.push([from, to, label]);
  }

  /** Pairs of nodes that are drawn. */
  ends(): Int32Array {
    const ends = new Int32Array(2 * this.drawnEdges.length);
    this.drawnEdges.forEach(([from, to], at) => ((ends[2 * at] = from), (ends[2 * at + 1] = to)));
    return ends;
  }

  /** What is drawn, as far as it has a place. */
  drawn(): Drawn {
    const count = this.at.length / 2;
    const kinds = new Uint8Array(count);
    this.roles.forEach((role, state) => {
      const node = this.node[state];
      if (node < count) kinds[node] = worse(kinds[node], KINDS[role] ?? 0, this.members[node]);
    });
    const seen = this.drawnEdges.map((edge, at) => [edge, at] as const).filter(([[from, to]]) => from < count && to < count);
    const ends = new Int32Array(2 * seen.length);
    seen.forEach(([[from, to]], at) => ((ends[2 * at] = from), (ends[2 * at + 1] = to)));
    return {
      at: this.at,
      ends,
      kinds,
      text: (node) => this.title(node).replaceAll("\n", ", "),
      label: (edge) => seen[edge][0][2],
    };
  }

  private title(node: number): string {
    return this.members[node] > 1 ? `${this.names[node]} (${this.members[node].toLocaleString()} states)` : this.names[node] || "root";
  }

  /** The state that a node is drawn for, when there is only one and something has a value there. */
  stateOf(node: number): number | null {
    if (node < 0 || this.members[node] !== 1) return null;
    const state = this.node.indexOf(node);
    return state > 0 ? state : null;
  }

  /** A node in words. */
  about(node: number): string {
    const leads = [...new Set(this.drawnEdges.filter(([from]) => from === node).map(([, , label]) => label))];
    const more = leads.length > 12 ? ` and ${leads.length - 12} more` : "";
    return `${this.title(node)}${leads.length ? `\nleads on by ${leads.slice(0, 12).join(", ")}${more}` : "\nleads nowhere"}`;
  }

  /** The nodes that the path of the animation goes through. */
  async trail(): Promise<number[]> {
    if (!api.model.walk || !api.model.scene?.step || !this.walk) return [];
    const text = await api.walk({ do: "trace", name: "path.json" });
    const { nodes } = await api.explored(this.walk, { do: "trail", text });
    return nodes.filter((state: number | null) => state !== null && state < this.node.length).map((state: number) => this.node[state]);
  }

  /** The picture as a file. */
  svg(path: number[]): string {
    const { at, kinds } = this.drawn();
    const paints = ["#0a58ca", "#18794e", "#c62a2f", "#b35c00", "#5c6873"];
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let node = 0; node < at.length; node += 2) {
      [x0, x1] = [Math.min(x0, at[node]), Math.max(x1, at[node])];
      [y0, y1] = [Math.min(y0, at[node + 1]), Math.max(y1, at[node + 1])];
    }
    const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const place = (node: number) => `${at[2 * node].toFixed(1)} ${at[2 * node + 1].toFixed(1)}`;
    const edges = this.drawnEdges.filter(([from, to]) => from !== to && 2 * Math.max(from, to) < at.length);
    const lines = edges.map(([from, to]) => `M${place(from)}L${place(to)}`).join("");
    const trail = path.length > 1 ? `<path d="M${path.map(place).join("L")}" stroke="#e0a800" stroke-width="4"/>` : "";
    const nodes = Array.from(kinds, (kind, node) => `<rect x="${(at[2 * node] - 4).toFixed(1)}" y="${(at[2 * node + 1] - 4).toFixed(1)}" width="8" height="8" fill="${paints[kind]}"><title>${escape(this.title(node))}</title></rect>`);
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x0 - 20} ${y0 - 20} ${x1 - x0 + 40} ${y1 - y0 + 40}"><g fill="none"><path d="${lines}" stroke="#9aa7b3"/>${trail}</g>${nodes.join("")}</svg>`;
  }
}

/** The kind of a node that stands for several states: what is wrong shows. */
function worse(known: number, kind: number, members: number): number {
  if (members === 1) return kind;
  const rank = [0, 1, 3, 2, 0];
  return rank[kind] > rank[known] ? kind : known;
}
