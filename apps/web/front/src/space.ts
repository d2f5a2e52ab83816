// The state space: it grows while it is explored, is placed by a worker and drawn in tiles, so that tens of thousands of nodes can be moved.

import * as api from "./api";
import { attempt, download, h, status } from "./dom";
import { Graph } from "./graph";
import type { Placed, Wanted } from "./layout";
import type { Page } from "./main";
import { Painter } from "./painter";

/** The last graph: who comes back sees it again. */
let kept: Graph | null = null;

addEventListener("pagehide", () => api.end(kept?.walk ?? 0));

export const space: Page = (place, go) => {
  const most = h("input", { id: "most", type: "number", value: kept?.question.most ?? 20000, min: 1, style: "width: 6.5em", "aria-label": "states at most" }) as HTMLInputElement;
  const projection = h("input", { id: "projection", size: 12, placeholder: "an expression", value: kept?.question.projection ?? "", "aria-label": "projection" }) as HTMLInputElement;
  const reduced = h("input", { id: "reduced", type: "checkbox", checked: kept?.question.reduced ?? false }) as HTMLInputElement;
  const kind = h("select", { id: "layout", "aria-label": "layout" }, h("option", { value: "layers" }, "layers"), h("option", { value: "forces" }, "forces")) as HTMLSelectElement;
  const stop = h("button", { id: "stop-exploring", onclick: () => kept && (kept.isStopped = true) }, "Stop") as HTMLButtonElement;
  const canvas = h("canvas", { id: "graph", tabindex: 0, "aria-label": "state space; arrows move, plus and minus zoom, 0 shows all" }) as HTMLCanvasElement;
  const about = h("pre", { id: "about" });
  const goThere = h("button", { id: "go-there", class: "primary", hidden: true, title: "walk a shortest path to this state", onclick: () => attempt(walkThere) }, "Open this state in the animator") as HTMLButtonElement;
  const frame = h("div", { class: "grow" }, canvas);
  const legend = h("div", { class: "row dim", id: "legend" });
  const worker = new Worker("worker.js");
  let graph = new Graph({ projection: "", reduced: false, most: 0 }, "");
  const painter = new Painter(canvas, graph.drawn());
  let alive = true;
  let round = 0;
  let isPlacing = false;
  let isStale = false;
  /** Whether the view follows the graph: until somebody moves it. */
  let follows = true;

  const show = () => {
    painter.show(graph.drawn());
    if (follows) painter.fit();
  };

  /** Asks for new places; while that goes on, the next question waits. */
  const arrange = (fresh = false) => {
    if (isPlacing && !fresh) {
      isStale = true;
      return;
    }
    isPlacing = true;
    isStale = false;
    const wanted: Wanted = { round: ++round, count: graph.count, ends: graph.ends(), kind: kind.value as Wanted["kind"], begin: fresh ? undefined : graph.at };
    worker.postMessage(wanted);
  };
  worker.onmessage = (event: MessageEvent<Placed>) => {
    if (event.data.round !== round) return;
    graph.at = event.data.at;
    isPlacing = !event.data.done && !isStale;
    show();
    if (isStale) arrange();
  };

  const tell = (isRunning: boolean) => {
    const nodes = graph.question.projection ? `${graph.count.toLocaleString()} classes of ` : "";
    const end = isRunning ? `exploring, ${graph.waiting.toLocaleString()} wait` : (graph.done ? (graph.cut ? "there are more" : "all of them") : "stopped");
    status(`${nodes}${graph.states.toLocaleString()} ${graph.question.reduced ? "symmetry classes" : "states"}, ${graph.edgeCount.toLocaleString()} edges: ${end}`);
    stop.disabled = !isRunning;
    const entry = (paint: string, text: string, count: number) => (count ? h("span", {}, h("span", { class: "key", style: `background: var(--${paint})` }), ` ${text}${count > 1 ? ` (${count.toLocaleString()})` : ""}`) : null);
    legend.replaceChildren(
      ...[
        entry("dim", "before the beginning", graph.having("root") + graph.having("setup")),
        entry("good", "initial", graph.having("initial")),
        entry("accent", "state", graph.having("state")),
        entry("bad", "invariant broken or fault", graph.having("broken")),
        entry("warn", "deadlock", graph.having("deadlock")),
        entry("trail", "path of the animator", painter.path.length ? 1 : 0),
        h("span", {}, "Drag to move, turn the wheel to zoom, click on a node to see its state."),
      ].filter((one): one is HTMLElement => one !== null),
    );
  };

  const follow = async () => {
    // A path that cannot be shown, as one of whole processes by classes, hides nothing else.
    painter.path = await graph.trail().catch(() => []);
    painter.here = painter.path.at(-1) ?? -1;
    painter.request();
  };

  const run = () =>
    attempt(async () => {
      const mine = graph;
      await follow();
      while (alive && graph === mine && !mine.done && !mine.isStopped) {
        if (await mine.grow()) arrange();
        tell(true);
        if (!painter.path.length) await follow();
      }
      if (!alive || graph !== mine) return;
      await follow();
      tell(false);
    }, frame);

  const explore = () => {
    api.end(kept?.walk ?? 0);
    graph = kept = new Graph({ projection: projection.value.trim(), reduced: reduced.checked, most: Number(most.value) || 20000 }, api.version());
    painter.path = [];
    painter.here = painter.chosen = -1;
    about.textContent = "";
    goThere.hidden = true;
    if (!canvas.isConnected) frame.replaceChildren(canvas);
    follows = true;
    painter.show(graph.drawn());
    status("exploring …");
    void run();
  };

  const moved = () => {
    follows = false;
    painter.request();
  };
  const walkThere = async () => {
    const state = graph.stateOf(painter.chosen);
    if (state === null) return;
    const { path } = await api.explored(graph.walk, { do: "way", node: state });
    await api.begin();
    await api.walk({ do: "follow", path, loop_start: null });
    go("animator");
  };
  const tellNode = (node: number) => {
    painter.chosen = node;
    about.textContent = node < 0 ? "" : graph.about(node);
    goThere.hidden = graph.question.reduced || graph.stateOf(node) === null;
    painter.request();
  };

  let dragged: { x: number; y: number; moved: boolean } | null = null;
  canvas.addEventListener("pointerdown", (event) => {
    dragged = { x: event.clientX, y: event.clientY, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    const [dx, dy] = [event.clientX - dragged.x, event.clientY - dragged.y];
    if (!dragged.moved && Math.abs(dx) + Math.abs(dy) <= 2) return;
    dragged = { x: event.clientX, y: event.clientY, moved: true };
    painter.view.x -= dx / painter.view.scale;
    painter.view.y -= dy / painter.view.scale;
    moved();
  });
  canvas.addEventListener("pointerup", (event) => {
    const box = canvas.getBoundingClientRect();
    if (dragged && !dragged.moved) tellNode(painter.hit(event.clientX - box.left, event.clientY - box.top));
    dragged = null;
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    follows = false;
    painter.zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = 60 / painter.view.scale;
    const { view } = painter;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => (view.x -= step),
      ArrowRight: () => (view.x += step),
      ArrowUp: () => (view.y -= step),
      ArrowDown: () => (view.y += step),
      "+": () => painter.zoom(1.25),
      "-": () => painter.zoom(0.8),
      "0": () => painter.fit(),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
    moved();
  });
  const resized = new ResizeObserver(() => (follows ? painter.fit() : painter.request()));
  resized.observe(canvas);
  kind.addEventListener("change", () => ((follows = true), arrange(true)));

  const picture = () => download("states.svg", graph.svg(painter.path), "image/svg+xml");
  const entered = (event: KeyboardEvent) => event.key === "Enter" && explore();
  for (const field of [most, projection]) field.addEventListener("keydown", entered);
  place.append(
    h(
      "div",
      { class: "fill" },
      h(
        "div",
        { class: "row" },
        h("button", { id: "explore", class: "primary", onclick: explore }, "Explore"),
        stop,
        h("label", { class: "row" }, "at most", most, "states"),
        h("label", { class: "row", title: "states with the same value become one node" }, "one node per value of", projection),
        h("label", { class: "row", title: "states that differ only in the names of interchangeable elements become one node" }, reduced, "per symmetry class"),
        h("label", { class: "row" }, "placed by", kind),
        h("button", { title: "show all of it", onclick: () => ((follows = true), painter.fit()) }, "All ", h("kbd", {}, "0")),
        h("button", { id: "share-svg", title: "save the picture", onclick: picture }, "SVG"),
      ),
      frame,
      legend,
      h("div", { class: "row" }, about, goThere),
    ),
  );
  if (kept && kept.version === api.version()) {
    graph = kept;
    graph.isStopped = false;
    if (graph.at.length) show();
    arrange(true);
    void run();
  } else {
    explore();
  }
  return () => {
    alive = false;
    worker.terminate();
    resized.disconnect();
  };
};
