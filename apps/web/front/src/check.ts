// Checks as jobs: what, how far, what was found; a page may be closed meanwhile.

import * as api from "./api";
import { attempt, download, empty, h, status } from "./dom";
import type { Page } from "./main";

let shown = 0;

const steps = (number: number) => (number === 1 ? "1 step" : `${number} steps`);

/** What a verdict says, and what it does not. */
const MEANING: Record<string, string> = {
  holds: "Nothing wrong was found, and all of what is listed below as checked was looked at, with the sizes of sets below.",
  partly: "Nothing wrong was found in what was looked at. Not everything was:",
  violated: "Something wrong was found. Its path was walked again, step by step, before it was shown.",
  open: "Nothing wrong was found so far, but not everything could be looked at.",
  error: "The model could not be checked.",
};

export const check: Page = (place, go) => {
  const field = (id: string, label: string, attributes: Record<string, any> = {}) => {
    const input = h("input", { id, ...attributes }) as HTMLInputElement;
    return { input, row: h("label", { class: "row" }, attributes.type === "checkbox" ? [input, label] : [label, input]) };
  };
  const invariant = field("invariant", "the invariant is never broken", { type: "checkbox", checked: true });
  const deadlock = field("deadlock", "something can always happen (no deadlock)", { type: "checkbox", checked: true });
  const assertions = field("assertions", "assertions are true", { type: "checkbox", checked: true });
  const definitions = field("definitions", "LTL and CTL formulas that the model defines", { type: "checkbox" });
  const goal = field("goal", "find a state with", { placeholder: "a predicate, such as x = 3" });
  const ltl = field("ltl", "LTL formula", { placeholder: "G {x > 0}: always" });
  const ctl = field("ctl", "CTL formula", { placeholder: "AG EF {x = 0}: can always come back" });
  const seconds = field("seconds", "seconds at most", { type: "number", value: 60, min: 1 });
  const states = field("states", "states at most", { type: "number", placeholder: "all", min: 1 });
  const cards = field("cards", "sizes of sets", { placeholder: "PID=3 BOOK=2" });
  const list = h("div", { id: "jobs" });
  const result = h("div", { id: "result" });

  const start = () =>
    attempt(async () => {
      const card: Record<string, number> = {};
      for (const pair of cards.input.value.split(/[\s,]+/).filter(Boolean)) {
        const [, set, size] = /^([^=]+)=(\d+)$/.exec(pair) ?? [];
        if (!set) throw new Error(`sizes of sets are written NAME=NUMBER, with blanks between them; "${pair}" is not`);
        card[set] = Number(size);
      }
      const answer = await api.startJob(api.model.file, {
        do: "check",
        file: api.model.file,
        page: true,
        model: { card },
        check: {
          no_invariant: !invariant.input.checked,
          no_deadlock: !deadlock.input.checked,
          no_assertions: !assertions.input.checked,
          definitions: definitions.input.checked,
          goal: goal.input.value.trim() || null,
          ltl: ltl.input.value.trim() ? [ltl.input.value.trim()] : [],
          ctl: ctl.input.value.trim() ? [ctl.input.value.trim()] : [],
          max_time: Number(seconds.input.value) || 60,
          max_states: Number(states.input.value) || null,
        },
      });
      shown = answer.job;
      await refresh();
    });

  /** What the model was never seen doing: a run like the others. */
  const cover = () =>
    attempt(async () => {
      const answer = await api.startJob(api.model.file, { do: "coverage", file: api.model.file, max_states: Number(states.input.value) || 10000 });
      shown = answer.job;
      await refresh();
    });

  const open = (finding: api.Json, title: string) =>
    attempt(async () => {
      if (title && title !== api.model.file) throw new Error(`choose ${title} first: this path is one of that model`);
      await api.begin();
      await api.walk({ do: "follow", path: finding.path, loop_start: finding.loop_start ?? null });
      go("animator");
    });

  function draw(job: api.Json): void {
    if (job.state === "running") {
      const at = job.progress ?? {};
      result.replaceChildren(
        h("div", { class: "verdict dim" }, "running …"),
        h("progress", { "aria-label": "it is not known how much is left" }),
        h("div", { id: "progress" }, `${(at.states ?? 0).toLocaleString()} states, ${(at.queue ?? 0).toLocaleString()} to be explored, depth ${at.depth ?? 0}, ${job.seconds.toFixed(0)} s`),
        h("div", { class: "dim" }, "This page may be closed meanwhile."),
        h("button", { id: "stop", onclick: () => attempt(async () => void (await api.stopJob(job.job))) }, "Stop and keep what is known"),
      );
      return;
    }
    if (job.state === "failed") {
      result.replaceChildren(h("div", { class: "verdict bad" }, "no result"), h("pre", {}, job.why));
      return;
    }
    const report = job.answer.report;
    if (!report) {
      const { text, gaps } = job.answer;
      result.replaceChildren(h("div", { class: "verdict", id: "verdict" }, gaps ? "coverage" : "errors"), gaps ? h("div", { class: "dim" }, gaps.length ? "What the model was never seen doing:" : "Everything was seen.") : "", ...(gaps ?? []).map((gap: string) => h("div", { class: "bad" }, gap)), h("section", { class: "panel" }, h("pre", {}, text)));
      return;
    }
    const left: string[] = report.not_checked ?? [];
    const good = report.verdict === "holds" && !left.length;
    const findings = report.findings.map((finding: api.Json, at: number) =>
      h(
        "section",
        { class: "panel" },
        h("div", { class: "bad" }, finding.message),
        finding.place ? h("div", { class: "dim" }, finding.place) : null,
        ...finding.why.map((line: string) => h("div", { class: "mono" }, line)),
        finding.path.length
          ? h("button", { id: `open-${at + 1}`, class: "primary", onclick: () => open(finding, job.title) }, `Open its path in the animator (${steps(finding.path.length)})`)
          : null,
      ),
    );
    const goalPath = report.goal?.path?.length
      ? h("button", { class: "primary", onclick: () => open(report.goal, job.title) }, `Open the path to the goal (${steps(report.goal.path.length)})`)
      : null;
    result.replaceChildren(
      h("div", { class: `verdict ${good ? "good" : ["open", "holds"].includes(report.verdict) ? "" : "bad"}`, id: "verdict" }, report.verdict),
      h("div", { class: "dim" }, MEANING[report.verdict === "holds" && left.length ? "partly" : report.verdict] ?? ""),
      ...report.warnings.map((what: string) => h("div", { class: "warn" }, what)),
      ...left.map((what) => h("div", { class: "warn" }, `not checked: ${what}`)),
      ...report.open_because.map((why: string) => h("div", { class: "dim" }, why)),
      ...findings,
      goalPath ?? "",
      h("section", { class: "panel" }, h("pre", {}, job.answer.text)),
      h(
        "div",
        { class: "row" },
        h("span", { class: "dim" }, "Save the report as"),
        h("button", { id: "share-report", onclick: () => download("report.html", job.answer.page, "text/html") }, "Page"),
        h("button", { id: "share", onclick: () => download("report.json", JSON.stringify(report, null, 2), "application/json") }, "JSON"),
      ),
    );
  }

  /** A run in one word. */
  const outcome = (job: api.Json): string => (job.state === "done" ? (job.verdict ? (job.partial ? `${job.verdict}, in part` : job.verdict) : "coverage") : job.state);

  let alive = true;
  async function refresh(): Promise<void> {
    const all = await api.jobs();
    if (!shown && all.length) shown = all[0].job;
    list.replaceChildren(
      ...all.map((job: api.Json) =>
        h(
          "div",
          {},
          h(
            "button",
            { type: "button", onclick: () => ((shown = job.job), void attempt(refresh)), "aria-current": job.job === shown ? "true" : undefined },
            h("span", { class: "grow" }, job.title),
            h("span", { class: { holds: "good", violated: "bad", error: "bad", failed: "bad" }[outcome(job)] ?? "dim" }, outcome(job)),
            h("span", { class: "dim" }, `${job.seconds.toFixed(1)} s`),
          ),
        ),
      ),
    );
    if (!shown) {
      list.replaceChildren(h("div", { class: "dim" }, "none yet"));
      result.replaceChildren(empty("Nothing was checked yet. Say on the left what to look for, and press Check (Enter).", "What is found comes with the path that leads to it."));
      return;
    }
    const job = await api.job(shown);
    draw(job);
    if (job.state === "running" && alive) setTimeout(() => void (alive && attempt(refresh)), 300);
    else status("");
  }

  place.append(
    h(
      "div",
      { class: "check" },
      h(
        "form",
        { class: "panel form", onsubmit: (event: Event) => (event.preventDefault(), start()) },
        h("h2", {}, "What to check"),
        invariant.row, deadlock.row, assertions.row, definitions.row, goal.row, ltl.row, ctl.row,
        h("h2", {}, "Limits and sizes"),
        seconds.row, states.row, cards.row,
        h("div", { class: "row" }, h("button", { id: "start", class: "primary" }, "Check"), h("button", { id: "cover", type: "button", title: "what the model was never seen doing", onclick: cover }, "Coverage")),
        h("h2", {}, "Runs"),
        list,
      ),
      h("section", { class: "panel" }, h("h2", {}, "Result"), result),
    ),
  );
  void attempt(refresh);
  return () => {
    alive = false;
  };
};
