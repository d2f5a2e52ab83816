// Draws a graph so that it can be moved: in tiles, as maps are, each made once for a zoom within the time that a frame leaves.

import { colour } from "./dom";

/** What is drawn. */
export interface Drawn {
  /** x and y for each node. */
  at: Float32Array;
  /** Pairs of nodes. */
  ends: Int32Array;
  /** For each node an index into `COLOURS`. */
  kinds: Uint8Array;
  text(node: number): string;
  label(edge: number): string;
}

export const COLOURS = ["accent", "good", "bad", "warn", "dim"];

interface Tile { canvas: HTMLCanvasElement; work: Generator | null; used: number }

/** The edge of a tile, in pixels of the page. */
const TILE = 512;
/** Zooms between two levels of tiles are made by scaling. */
const LEVELS = 3;
const MOST_TILES = 80;
/** The time for tiles in a frame, in milliseconds: 16 leave 60 frames a second. */
const BUDGET = 8;
/** So many lines are drawn before it is looked at the time. */
const SLICE = 400;
const MOST_LABELS = 220;

export class Painter {
  view = { x: 0, y: 0, scale: 1 };
  /** Nodes that stand out, in the order of a path. */
  path: number[] = [];
  /** A node with a ring. */
  here = -1;
  chosen = -1;
  private tiles = new Map<string, Tile>();
  private last: { canvas: HTMLCanvasElement; x: number; y: number; scale: number } | null = null;
  private waiting = false;
  private frame = 0;

  constructor(readonly canvas: HTMLCanvasElement, private graph: Drawn) {}

  /** Another graph, or the same elsewhere. */
  show(graph: Drawn): void {
    this.graph = graph;
    this.tiles.clear();
    this.request();
  }

  request = (): void => {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  };

  /** All of it in sight. */
  fit(): void {
    const { at } = this.graph;
    if (!at.length) return;
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let node = 0; node < at.length; node += 2) {
      [x0, x1] = [Math.min(x0, at[node]), Math.max(x1, at[node])];
      [y0, y1] = [Math.min(y0, at[node + 1]), Math.max(y1, at[node + 1])];
    }
    const [width, height] = [this.canvas.clientWidth - 100, this.canvas.clientHeight - 80];
    this.view = { x: (x0 + x1) / 2, y: (y0 + y1) / 2, scale: Math.min(1.4, width / (x1 - x0 + 1), height / (y1 - y0 + 1)) };
    this.request();
  }

  zoom(factor: number, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2): void {
    const scale = Math.min(8, Math.max(0.001, this.view.scale * factor));
    const [dx, dy] = [x - this.canvas.clientWidth / 2, y - this.canvas.clientHeight / 2];
    // What is under the pointer stays there.
    this.view.x += dx / this.view.scale - dx / scale;
    this.view.y += dy / this.view.scale - dy / scale;
    this.view.scale = scale;
    this.request();
  }

  /** The node at a place of the canvas. */
  hit(x: number, y: number): number {
    const { at } = this.graph;
    const wx = (x - this.canvas.clientWidth / 2) / this.view.scale + this.view.x;
    const wy = (y - this.canvas.clientHeight / 2) / this.view.scale + this.view.y;
    let [best, distance] = [-1, (14 / this.view.scale) ** 2];
    for (let node = 0; node < at.length; node += 2) {
      const d = (at[node] - wx) ** 2 + (at[node + 1] - wy) ** 2;
      if (d < distance) [best, distance] = [node / 2, d];
    }
    return best;
  }

  private paint(): void {
    const { canvas, view } = this;
    const ratio = devicePixelRatio;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    // The page was left, or its window is folded.
    if (!width || !height) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.frame++;
    const pen = canvas.getContext("2d")!;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = colour("back");
    pen.fillRect(0, 0, width, height);
    const level = Math.ceil(Math.log2(view.scale) * LEVELS);
    const scale = 2 ** (level / LEVELS);
    const shown = view.scale / scale;
    const left = view.x * scale - width / 2 / shown;
    const top = view.y * scale - height / 2 / shown;
    const wanted: [number, number][] = [];
    for (let ty = Math.floor(top / TILE); ty * TILE < top + height / shown; ty++) {
      for (let tx = Math.floor(left / TILE); tx * TILE < left + width / shown; tx++) wanted.push([tx, ty]);
    }
    const begun = performance.now();
    const tiles = wanted.map(([tx, ty]) => this.tile(level, scale, tx, ty));
    let isWhole = true;
    for (const tile of tiles) {
      while (tile.work && performance.now() - begun < BUDGET) if (tile.work.next().done) tile.work = null;
      isWhole &&= !tile.work;
    }
    if (!isWhole && this.last) {
      // What is not made yet shows what was there before.
      const was = this.last;
      const factor = view.scale / was.scale;
      const [w, h] = [was.canvas.width / ratio, was.canvas.height / ratio];
      pen.globalAlpha = 0.6;
      pen.drawImage(was.canvas, (was.x - view.x) * view.scale + width / 2 - (w / 2) * factor, (was.y - view.y) * view.scale + height / 2 - (h / 2) * factor, w * factor, h * factor);
      pen.globalAlpha = 1;
    }
    wanted.forEach(([tx, ty], at) => {
      const tile = tiles[at];
      if (!tile.work || !this.last) pen.drawImage(tile.canvas, (tx * TILE - left) * shown, (ty * TILE - top) * shown, TILE * shown, TILE * shown);
    });
    if (isWhole) this.keep(ratio);
    this.overlay(pen, width, height);
    if (!isWhole) this.request();
  }

  /** Keeps a picture that is whole, for when another one is being made. */
  private keep(ratio: number): void {
    const { x, y, scale } = this.view;
    if (this.last && this.last.x === x && this.last.y === y && this.last.scale === scale) return;
    const copy = this.last?.canvas ?? document.createElement("canvas");
    copy.width = Math.ceil(this.canvas.width / ratio / 2) * ratio * 2;
    copy.height = Math.ceil(this.canvas.height / ratio / 2) * ratio * 2;
    copy.getContext("2d")!.drawImage(this.canvas, 0, 0);
    this.last = { canvas: copy, x, y, scale };
  }

  private tile(level: number, scale: number, tx: number, ty: number): Tile {
    const key = `${level},${tx},${ty}`;
    let tile = this.tiles.get(key);
    if (!tile) {
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = TILE * devicePixelRatio;
      tile = { canvas, work: this.draw(canvas, scale, tx, ty), used: 0 };
      this.tiles.set(key, tile);
      if (this.tiles.size > MOST_TILES) {
        for (const [old, { used }] of this.tiles) {
          if (used < this.frame - 1 && old !== key) this.tiles.delete(old);
          if (this.tiles.size <= MOST_TILES / 2) break;
        }
      }
    }
    tile.used = this.frame;
    return tile;
  }

  /** Draws a tile, with pauses. */
  private *draw(canvas: HTMLCanvasElement, scale: number, tx: number, ty: number): Generator {
    const { at, ends, kinds } = this.graph;
    const pen = canvas.getContext("2d")!;
    pen.scale(devicePixelRatio, devicePixelRatio);
    pen.fillStyle = colour("back");
    pen.fillRect(0, 0, TILE, TILE);
    const [ox, oy] = [tx * TILE, ty * TILE];
    pen.strokeStyle = colour("edge");
    pen.lineWidth = scale < 0.15 ? 0.4 : scale < 0.5 ? 0.7 : 1;
    let drawn = 0;
    pen.beginPath();
    for (let edge = 0; edge < ends.length; edge += 2) {
      const [a, b] = [2 * ends[edge], 2 * ends[edge + 1]];
      const [ax, ay, bx, by] = [at[a] * scale - ox, at[a + 1] * scale - oy, at[b] * scale - ox, at[b + 1] * scale - oy];
      if (a === b) {
        if (scale < 0.4 || ax < -20 || ay < -20 || ax > TILE + 20 || ay > TILE + 20) continue;
        pen.moveTo(ax + 14, ay - 7);
        pen.arc(ax + 8, ay - 7, 6, 0, 2 * Math.PI);
      } else {
        if (!crosses(ax, ay, bx, by)) continue;
        pen.moveTo(ax, ay);
        pen.lineTo(bx, by);
        if (scale > 0.5) arrow(pen, ax, ay, bx, by);
      }
      if (++drawn % SLICE === 0) {
        pen.stroke();
        yield;
        pen.beginPath();
      }
    }
    pen.stroke();
    yield;
    const size = Math.max(1.5, Math.min(10, 10 * scale));
    const paints = COLOURS.map(colour);
    for (let kind = 0; kind < paints.length; kind++) {
      pen.fillStyle = paints[kind];
      for (let node = 0; node < kinds.length; node++) {
        if (kinds[node] !== kind) continue;
        const [x, y] = [at[2 * node] * scale - ox, at[2 * node + 1] * scale - oy];
        if (x < -10 || y < -10 || x > TILE + 10 || y > TILE + 10) continue;
        pen.fillRect(x - size / 2, y - size / 2, size, size);
      }
      yield;
    }
  }

  /** What changes often, and what is written: on top, in every frame. */
  private overlay(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const { at } = this.graph;
    const { view } = this;
    const x = (node: number) => (at[2 * node] - view.x) * view.scale + width / 2;
    const y = (node: number) => (at[2 * node + 1] - view.y) * view.scale + height / 2;
    const size = Math.max(3, Math.min(10, 10 * view.scale));
    if (this.path.length) {
      pen.strokeStyle = pen.fillStyle = colour("trail");
      pen.lineWidth = 3;
      pen.beginPath();
      this.path.forEach((node, step) => (step ? pen.lineTo(x(node), y(node)) : pen.moveTo(x(node), y(node))));
      pen.stroke();
      for (const node of this.path) pen.fillRect(x(node) - size / 2 - 2, y(node) - size / 2 - 2, size + 4, size + 4);
      const paints = COLOURS.map(colour);
      for (const node of this.path) {
        pen.fillStyle = paints[this.graph.kinds[node]];
        pen.fillRect(x(node) - size / 2, y(node) - size / 2, size, size);
      }
    }
    for (const [node, paint] of [[this.here, "text"], [this.chosen, "accent"]] as const) {
      if (node < 0 || 2 * node >= at.length) continue;
      pen.strokeStyle = colour(paint);
      pen.lineWidth = 2;
      pen.beginPath();
      pen.arc(x(node), y(node), size + 4, 0, 2 * Math.PI);
      pen.stroke();
    }
    this.write(pen, x, y, width, height);
  }

  /** Writes what nodes and edges are, as far as there is room. */
  private write(pen: CanvasRenderingContext2D, x: (node: number) => number, y: (node: number) => number, width: number, height: number): void {
    const { at, ends } = this.graph;
    const isIn = (px: number, py: number) => px > -20 && py > -20 && px < width + 20 && py < height + 20;
    const seen: number[] = [];
    for (let node = 0; 2 * node < at.length && seen.length <= MOST_LABELS; node++) if (isIn(x(node), y(node))) seen.push(node);
    if (seen.length > MOST_LABELS) return;
    pen.font = "12px ui-monospace, monospace";
    pen.textBaseline = "middle";
    const taken: [number, number, number, number][] = [];
    const put = (text: string, px: number, py: number, paint: string) => {
      const short = text.length > 44 ? `${text.slice(0, 43)}…` : text;
      const box: [number, number, number, number] = [px, py - 8, px + pen.measureText(short).width, py + 8];
      if (taken.some((one) => one[0] < box[2] && box[0] < one[2] && one[1] < box[3] && box[1] < one[3])) return;
      taken.push(box);
      pen.strokeStyle = colour("back");
      pen.lineWidth = 4;
      pen.strokeText(short, px, py);
      pen.fillStyle = paint;
      pen.fillText(short, px, py);
    };
    const [ink, pale] = [colour("text"), colour("dim")];
    for (const node of seen) put(this.graph.text(node), x(node) + 10, y(node), ink);
    if (this.view.scale < 0.6) return;
    const near = new Set(seen);
    for (let edge = 0; edge < ends.length && taken.length < 2 * MOST_LABELS; edge += 2) {
      const [a, b] = [ends[edge], ends[edge + 1]];
      if (near.has(a) && near.has(b)) put(this.graph.label(edge / 2), a === b ? x(a) + 18 : (x(a) + x(b)) / 2 + 4, a === b ? y(a) - 12 : (y(a) + y(b)) / 2, pale);
    }
  }
}

/** Whether a line comes near the tile. */
function crosses(ax: number, ay: number, bx: number, by: number): boolean {
  const m = 4;
  if ((ax < -m && bx < -m) || (ay < -m && by < -m) || (ax > TILE + m && bx > TILE + m) || (ay > TILE + m && by > TILE + m)) return false;
  // The corners lie on one side of the line: it passes by.
  const [dx, dy] = [bx - ax, by - ay];
  const side = (cx: number, cy: number) => dx * (cy - ay) - dy * (cx - ax) > 0;
  const first = side(-m, -m);
  return side(TILE + m, -m) !== first || side(-m, TILE + m) !== first || side(TILE + m, TILE + m) !== first;
}

/** The head of an arrow, a little before its end. */
function arrow(pen: CanvasRenderingContext2D, ax: number, ay: number, bx: number, by: number): void {
  const length = Math.hypot(bx - ax, by - ay);
  if (length < 24) return;
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  const [tx, ty] = [bx - ux * 8, by - uy * 8];
  pen.moveTo(tx - ux * 6 - uy * 3, ty - uy * 6 + ux * 3);
  pen.lineTo(tx, ty);
  pen.lineTo(tx - ux * 6 + uy * 3, ty - uy * 6 - ux * 3);
}
