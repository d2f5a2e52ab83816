// The state space: layered by distance, drawn on a canvas so that tens of thousands of nodes can be moved.

import * as api from "./api";
import { attempt, colour, download, h, status } from "./dom";
import type { Page } from "./main";

interface Node { x: number; y: number; role: string; text: string }
interface Edge { from: number; to: number; label: string }

/** Places nodes by their distance from the first, each layer ordered by the middle of what leads to it. */
export function layered(count: number, edges: Edge[]): { x: Float64Array; y: Float64Array } {
  const out: number[][] = Array.from({ length: count }, () => []);
  const into: number[][] = Array.from({ length: count }, () => []);
  for (const edge of edges) {
    out[edge.from].push(edge.to);
    into[edge.to].push(edge.from);
  }
  const depth = new Int32Array(count).fill(-1);
  const layers: number[][] = [];
  for (let root = 0; root < count; root++) {
    if (depth[root] >= 0) continue;
    depth[root] = 0;
    const queue = [root];
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at];
      (layers[depth[node]] ??= []).push(node);
      for (const next of out[node]) {
        if (depth[next] < 0) {
          depth[next] = depth[node] + 1;
          queue.push(next);
        }
      }
    }
  }
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  layers.forEach((layer, at) => {
    const middle = (node: number) => {
      const before = into[node].filter((one) => depth[one] < at);
      return before.length ? before.reduce((sum, one) => sum + x[one], 0) / before.length : 0;
    };
    const order = layer.map((node) => [middle(node), node] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    order.forEach(([, node], position) => {
      x[node] = (position - (order.length - 1) / 2) * 26;
      y[node] = at * 60;
    });
  });
  return { x, y };
}

export const space: Page = (place) => {
  const most = h("input", { id: "most", type: "number", value: 2000, min: 1, style: "width: 8em", "aria-label": "states at most" }) as HTMLInputElement;
  const projection = h("input", { id: "projection", placeholder: "projection: an expression", "aria-label": "projection" }) as HTMLInputElement;
  const reduced = h("input", { id: "reduced", type: "checkbox" }) as HTMLInputElement;
  const canvas = h("canvas", { id: "graph", tabindex: 0, "aria-label": "state space; arrows move, plus and minus zoom" }) as HTMLCanvasElement;
  const about = h("div", { id: "about", class: "mono" });
  let nodes: Node[] = [];
  let edges: Edge[] = [];
  let highlighted = new Set<number>();
  let view = { x: 0, y: 0, scale: 1 };
  let waiting = false;

  const request = () => {
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(paint);
    }
  };

  function paint(): void {
    waiting = false;
    const ratio = devicePixelRatio;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
      canvas.width = width * ratio;
      canvas.height = height * ratio;
    }
    const pen = canvas.getContext("2d")!;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = colour("back");
    pen.fillRect(0, 0, width, height);
    const sx = (node: Node) => (node.x - view.x) * view.scale + width / 2;
    const sy = (node: Node) => (node.y - view.y) * view.scale + height / 2;
    const inside = (x: number, y: number) => x > -40 && x < width + 40 && y > -40 && y < height + 40;
    pen.strokeStyle = colour("line");
    pen.lineWidth = 1;
    pen.beginPath();
    for (const edge of edges) {
      const [a, b] = [nodes[edge.from], nodes[edge.to]];
      const [ax, ay, bx, by] = [sx(a), sy(a), sx(b), sy(b)];
      if (!inside(ax, ay) && !inside(bx, by)) continue;
      pen.moveTo(ax, ay);
      pen.lineTo(bx, by);
    }
    pen.stroke();
    const colours: Record<string, string> = { broken: colour("bad"), deadlock: colour("bad"), initial: colour("good"), root: colour("dim"), setup: colour("dim") };
    const size = Math.max(2, Math.min(9, 8 * view.scale));
    const plain = colour("accent");
    const mark = colour("changed");
    nodes.forEach((node, at) => {
      const [x, y] = [sx(node), sy(node)];
      if (!inside(x, y)) return;
      if (highlighted.has(at)) {
        pen.fillStyle = mark;
        pen.fillRect(x - size * 1.6, y - size * 1.6, size * 3.2, size * 3.2);
      }
      pen.fillStyle = colours[node.role] ?? plain;
      pen.fillRect(x - size / 2, y - size / 2, size, size);
      if (view.scale > 1.6) {
        pen.fillStyle = colour("text");
        pen.fillText(node.text.slice(0, 60), x + size, y + 3);
      }
    });
  }

  function fit(): void {
    if (!nodes.length) return;
    const xs = nodes.map((node) => node.x);
    const ys = nodes.map((node) => node.y);
    const low = { x: xs.reduce((a, b) => Math.min(a, b)), y: ys.reduce((a, b) => Math.min(a, b)) };
    const high = { x: xs.reduce((a, b) => Math.max(a, b)), y: ys.reduce((a, b) => Math.max(a, b)) };
    view = {
      x: (low.x + high.x) / 2,
      y: (low.y + high.y) / 2,
      scale: Math.min(2, (canvas.clientWidth - 80) / (high.x - low.x + 1), (canvas.clientHeight - 80) / (high.y - low.y + 1)),
    };
    request();
  }

  /** The nodes that the animation went through, by their values. */
  function trail(graph: api.Json): Set<number> {
    const scene = api.model.scene;
    if (!scene || scene.place !== "state") return new Set();
    const wanted = scene.values.map((value: api.Json) => `${value.name} = ${value.value}`).join("\n");
    const found = new Set<number>();
    graph.nodes.forEach((node: api.Json, at: number) => {
      const text = Object.entries(node.values ?? {}).map(([name, value]) => `${name} = ${value}`).join("\n");
      if (text === wanted) found.add(at);
    });
    return found;
  }

  const explore = () =>
    attempt(async () => {
      status("exploring …");
      const answer = await api.ask({
        do: "graph",
        file: api.model.file,
        what: projection.value.trim() ? "projection" : "states",
        projection: projection.value.trim() || null,
        reduced: reduced.checked,
        max_states: Number(most.value) || 2000,
      });
      if (answer.lint) throw new Error("the model has errors: see the editor");
      const graph = JSON.parse(answer.text);
      edges = graph.edges.map((edge: api.Json) => ({ from: edge.from, to: edge.to, label: edge.label }));
      const placed = layered(graph.nodes.length, edges);
      nodes = graph.nodes.map((node: api.Json, at: number) => {
        const values = Object.entries(node.values ?? {}).map(([name, value]) => `${name} = ${value}`);
        return { x: placed.x[at], y: placed.y[at], role: node.role, text: values.join(", ") || node.label };
      });
      highlighted = trail(graph);
      status(`${nodes.length.toLocaleString()} nodes, ${edges.length.toLocaleString()} edges${answer.cut ? `: ${answer.cut}` : ""}`);
      about.textContent = "Drag to move, wheel to zoom, click a node to see it. Green: initial, red: broken or deadlock.";
      fit();
    });

  const draw = () =>
    attempt(async () => {
      const answer = await api.ask({ do: "graph", file: api.model.file, what: "states", to: "svg", reduced: reduced.checked, max_states: Math.min(300, Number(most.value) || 300) });
      if (answer.lint) throw new Error("the model has errors: see the editor");
      download("states.svg", answer.text, "image/svg+xml");
    });

  let dragged: { x: number; y: number; moved: boolean } | null = null;
  canvas.addEventListener("pointerdown", (event) => {
    dragged = { x: event.clientX, y: event.clientY, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    const [dx, dy] = [event.clientX - dragged.x, event.clientY - dragged.y];
    dragged = { x: event.clientX, y: event.clientY, moved: dragged.moved || Math.abs(dx) + Math.abs(dy) > 2 };
    view.x -= dx / view.scale;
    view.y -= dy / view.scale;
    request();
  });
  canvas.addEventListener("pointerup", (event) => {
    if (dragged && !dragged.moved) {
      const box = canvas.getBoundingClientRect();
      const x = (event.clientX - box.left - canvas.clientWidth / 2) / view.scale + view.x;
      const y = (event.clientY - box.top - canvas.clientHeight / 2) / view.scale + view.y;
      let best = -1;
      let distance = (14 / view.scale) ** 2;
      nodes.forEach((node, at) => {
        const d = (node.x - x) ** 2 + (node.y - y) ** 2;
        if (d < distance) [best, distance] = [at, d];
      });
      if (best >= 0) {
        const leads = edges.filter((edge) => edge.from === best).map((edge) => edge.label);
        about.textContent = `${nodes[best].text}${leads.length ? `\nleads on by ${[...new Set(leads)].slice(0, 12).join(", ")}` : ""}`;
        highlighted = new Set([best]);
        request();
      }
    }
    dragged = null;
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    view.scale = Math.min(8, Math.max(0.002, view.scale * Math.exp(-event.deltaY / 400)));
    request();
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const step = 60 / view.scale;
    if (event.key === "ArrowLeft") view.x -= step;
    else if (event.key === "ArrowRight") view.x += step;
    else if (event.key === "ArrowUp") view.y -= step;
    else if (event.key === "ArrowDown") view.y += step;
    else if (event.key === "+") view.scale *= 1.25;
    else if (event.key === "-") view.scale /= 1.25;
    else return;
    event.preventDefault();
    request();
  });
  const resized = new ResizeObserver(request);
  resized.observe(canvas);

  place.append(
    h(
      "div",
      { class: "fill" },
      h(
        "div",
        { class: "row" },
        h("button", { id: "explore", class: "primary", onclick: explore }, "Explore"),
        h("label", { class: "row" }, "states at most", most),
        projection,
        h("label", { class: "row" }, reduced, "one for each symmetry class"),
        h("button", { onclick: fit }, "Fit"),
        h("button", { id: "share-svg", onclick: draw }, "Share: SVG"),
      ),
      h("div", { class: "grow" }, canvas),
      about,
    ),
  );
  void explore();
  return () => resized.disconnect();
};
