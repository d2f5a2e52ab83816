// Where the nodes of a graph lie: in layers by distance, or by forces. Runs in a worker, so that the page stays fluent.

/** What the page asks: edges as pairs of numbers. */
export interface Wanted { round: number; count: number; ends: Int32Array; kind: "layers" | "forces"; begin?: Float32Array }
/** What it gets, more than once for forces: x and y for each node. */
export interface Placed { round: number; at: Float32Array; done: boolean }

/** So many nodes have room for what is written beside them. */
const FEW = 60;
const SWEEPS = 4;

/** Places nodes by their distance from the first, each layer ordered by the middle of its neighbours. Wide layers take several rows. */
export function layered(count: number, ends: Int32Array): Float32Array {
  const depth = new Int32Array(count).fill(-1);
  const out = neighbours(count, ends, 0);
  const into = neighbours(count, ends, 1);
  const layers: number[][] = [];
  for (let root = 0; root < count; root++) {
    if (depth[root] >= 0) continue;
    depth[root] = 0;
    const queue = [root];
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at];
      (layers[depth[node]] ??= []).push(node);
      for (let edge = out.first[node]; edge < out.first[node + 1]; edge++) {
        const next = out.ends[edge];
        if (depth[next] < 0) {
          depth[next] = depth[node] + 1;
          queue.push(next);
        }
      }
    }
  }
  const wide = Math.max(40, Math.ceil(Math.sqrt(count) * 1.6));
  const [dx, dy] = count <= FEW ? [150, 70] : [26, 60];
  const x = new Float32Array(count);
  const spread = (layer: number[]) => layer.forEach((node, place) => (x[node] = place - (layer.length - 1) / 2));
  layers.forEach(spread);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    const order = isDown ? layers.keys() : [...layers.keys()].reverse();
    for (const at of order) {
      const middle = (node: number) => {
        const { first, ends } = isDown ? into : out;
        let [sum, found] = [0, 0];
        for (let edge = first[node]; edge < first[node + 1]; edge++) {
          if (depth[ends[edge]] === at + (isDown ? -1 : 1)) [sum, found] = [sum + x[ends[edge]], found + 1];
        }
        return found ? sum / found : x[node];
      };
      const keys = new Map(layers[at].map((node) => [node, middle(node)]));
      layers[at].sort((a, b) => keys.get(a)! - keys.get(b)! || a - b);
      spread(layers[at]);
    }
  }
  const placed = new Float32Array(2 * count);
  let y = 0;
  for (const layer of layers) {
    const rows = Math.ceil(layer.length / wide);
    layer.forEach((node, place) => {
      // Neighbours stay together: the rows are filled from left to right at once.
      const [column, row] = [Math.floor(place / rows), place % rows];
      placed[2 * node] = (column - (Math.ceil(layer.length / rows) - 1) / 2) * dx + (row % 2) * (dx / 2);
      placed[2 * node + 1] = y + row * 18;
    });
    y += dy + (rows - 1) * 18;
  }
  return placed;
}

function neighbours(count: number, pairs: Int32Array, side: 0 | 1): { first: Int32Array; ends: Int32Array } {
  const first = new Int32Array(count + 1);
  for (let at = side; at < pairs.length; at += 2) first[pairs[at] + 1]++;
  for (let node = 0; node < count; node++) first[node + 1] += first[node];
  const next = first.slice();
  const ends = new Int32Array(pairs.length / 2);
  for (let at = 0; at < pairs.length; at += 2) ends[next[pairs[at + side]]++] = pairs[at + 1 - side];
  return { first, ends };
}

/** The distance that neighbours want. */
const LENGTH = 40;
/** Parts of the picture that look smaller than this from a node push as one. */
const THETA = 0.9;

/** Quarters of quarters of the picture with the weight in them: Barnes and Hut, 1986. All nodes lie at the same depth. */
class Quadtree {
  private child: number[] = [0, 0, 0, 0];
  private mass = [0];
  private cx = [0];
  private cy = [0];

  constructor(at: Float32Array, x0: number, y0: number, private width: number) {
    const depth = Math.min(12, Math.ceil(Math.log2(at.length + 2) / 2) + 1);
    for (let node = 0; node < at.length; node += 2) this.add(at[node], at[node + 1], x0, y0, depth);
  }

  private add(x: number, y: number, x0: number, y0: number, depth: number): void {
    let [cell, width] = [0, this.width];
    for (let left = depth; ; left--) {
      this.cx[cell] = (this.cx[cell] * this.mass[cell] + x) / (this.mass[cell] + 1);
      this.cy[cell] = (this.cy[cell] * this.mass[cell] + y) / (this.mass[cell] + 1);
      this.mass[cell]++;
      if (left === 0) return;
      width /= 2;
      const [right, low] = [x >= x0 + width ? 1 : 0, y >= y0 + width ? 1 : 0];
      x0 += right * width;
      y0 += low * width;
      const place = cell * 4 + right + 2 * low;
      if (!this.child[place]) {
        this.child[place] = this.mass.length;
        this.child.push(0, 0, 0, 0);
        this.mass.push(0);
        this.cx.push(0);
        this.cy.push(0);
      }
      cell = this.child[place];
    }
  }

  /** What pushes a node away. */
  push(x: number, y: number, out: [number, number]): void {
    const stack: [number, number][] = [[0, this.width]];
    out[0] = out[1] = 0;
    while (stack.length) {
      const [cell, width] = stack.pop()!;
      const [dx, dy] = [x - this.cx[cell], y - this.cy[cell]];
      const d2 = dx * dx + dy * dy + 0.01;
      let isLeaf = true;
      if (width * width > THETA * THETA * d2) {
        for (let part = 0; part < 4; part++) {
          const next = this.child[cell * 4 + part];
          if (next) {
            stack.push([next, width / 2]);
            isLeaf = false;
          }
        }
      }
      if (isLeaf) {
        const force = (LENGTH * LENGTH * this.mass[cell]) / d2;
        out[0] += dx * force;
        out[1] += dy * force;
      }
    }
  }
}

/** One step of forces: neighbours pull, all push, nobody moves further than `most`. */
export function push(at: Float32Array, ends: Int32Array, most: number): void {
  const count = at.length / 2;
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let node = 0; node < at.length; node += 2) {
    [x0, x1] = [Math.min(x0, at[node]), Math.max(x1, at[node])];
    [y0, y1] = [Math.min(y0, at[node + 1]), Math.max(y1, at[node + 1])];
  }
  const tree = new Quadtree(at, x0, y0, Math.max(x1 - x0, y1 - y0, 1) * 1.001);
  const move = new Float32Array(2 * count);
  const out: [number, number] = [0, 0];
  for (let node = 0; node < 2 * count; node += 2) {
    tree.push(at[node], at[node + 1], out);
    move[node] = out[0];
    move[node + 1] = out[1];
  }
  for (let edge = 0; edge < ends.length; edge += 2) {
    const [a, b] = [2 * ends[edge], 2 * ends[edge + 1]];
    const [dx, dy] = [at[a] - at[b], at[a + 1] - at[b + 1]];
    const pull = Math.sqrt(dx * dx + dy * dy) / LENGTH;
    move[a] -= dx * pull;
    move[a + 1] -= dy * pull;
    move[b] += dx * pull;
    move[b + 1] += dy * pull;
  }
  for (let node = 0; node < 2 * count; node += 2) {
    const length = Math.hypot(move[node], move[node + 1]) || 1;
    const step = Math.min(length, most) / length;
    at[node] += move[node] * step;
    at[node + 1] += move[node + 1] * step;
  }
}
