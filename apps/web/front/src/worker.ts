// The worker that places nodes: layers at once, forces step by step until they are calm or something else is wanted.

import { layered, push, type Placed, type Wanted } from "./layout";

const scope = self as unknown as { postMessage(placed: Placed, moved: Transferable[]): void; onmessage: (event: MessageEvent<Wanted>) => void };
let latest = 0;

scope.onmessage = (event) => {
  const { round, count, ends, kind, begin } = event.data;
  latest = round;
  const at = layered(count, ends);
  const tell = (done: boolean) => {
    const copy = at.slice();
    scope.postMessage({ round, at: copy, done }, [copy.buffer]);
  };
  if (kind === "layers" || count < 2) return tell(true);
  // Layers come first: forces begin with them, with what was there before, and a little disorder.
  for (let node = 0; node < count; node++) {
    at[2 * node] += Math.sin(node * 12.9898) * 8;
    at[2 * node + 1] += Math.cos(node * 78.233) * 8;
  }
  if (begin) at.set(begin.subarray(0, Math.min(begin.length, at.length)));
  const rounds = count > 5_000 ? 120 : 300;
  let [step, told] = [0, 0];
  const go_on = () => {
    if (round !== latest) return;
    const begun = performance.now();
    while (step < rounds && performance.now() - begun < 60) push(at, ends, 60 * (1 - step++ / rounds) + 0.5);
    if (step >= rounds) return tell(true);
    if (performance.now() - told > 250) {
      told = performance.now();
      tell(false);
    }
    setTimeout(go_on);
  };
  go_on();
};
