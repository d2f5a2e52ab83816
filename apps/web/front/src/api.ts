// What the server can be asked. The token comes with the address, behind `#`, and never leaves this page but in a header.

export type Json = any;

const given = new URLSearchParams(location.hash.slice(1));
const token = given.get("token") ?? sessionStorage.getItem("token") ?? "";
sessionStorage.setItem("token", token);

/** The file that the address names. */
export const firstFile = given.get("file");

export class Refused extends Error {}

async function send(method: string, path: string, body?: BodyInit): Promise<Response> {
  const headers: Record<string, string> = { Authorization: `Bearer ${token}` };
  if (typeof body === "string") headers["Content-Type"] = method === "PUT" ? "text/plain" : "application/json";
  const response = await fetch(`/api/${path}`, { method, headers, body });
  if (!response.ok) {
    const told: Json = await response.json().catch(() => ({}));
    throw new Refused(told.error ?? response.statusText);
  }
  return response;
}

const json = async (method: string, path: string, body?: Json): Promise<Json> =>
  (await send(method, path, body === undefined ? undefined : JSON.stringify(body))).json();

/** The model that is looked at, as the editor has it. */
export const model = {
  file: "",
  text: "",
  saved: "",
  /** The animation, when one was begun for this text. */
  walk: 0,
  scene: null as Json,
};

/** The text of the editor counts, saved or not. */
const texts = () => (model.text === model.saved ? {} : { [model.file]: model.text });

export const files = (): Promise<Json> => json("GET", "files");
export const read = async (path: string): Promise<string> => (await send("GET", `file?path=${encodeURIComponent(path)}`)).text();
export const readBytes = async (path: string): Promise<Blob> => (await send("GET", `file?path=${encodeURIComponent(path)}`)).blob();
export const save = async (path: string, text: string): Promise<void> => {
  await send("PUT", `file?path=${encodeURIComponent(path)}`, text);
};
export const ask = (request: Json): Promise<Json> => json("POST", "ask", { request, texts: texts() });
export const startJob = (title: string, request: Json): Promise<Json> => json("POST", "jobs", { title, request, texts: texts() });
export const jobs = (): Promise<Json> => json("GET", "jobs");
export const job = (number: number): Promise<Json> => json("GET", `jobs/${number}`);
export const stopJob = (number: number): Promise<Json> => json("DELETE", `jobs/${number}`);

/** Begins an animation of the model. */
export async function begin(): Promise<Json> {
  const answer = await json("POST", "walks", { request: { do: "open", file: model.file }, texts: texts() });
  if (!answer.scene) throw new Refused(answer.text || "the model has errors");
  end(model.walk);
  model.walk = answer.walk;
  model.scene = answer.scene;
  return answer;
}

/** Asks the animation; begins one if there is none. */
export async function walk(request: Json): Promise<Json> {
  if (!model.walk) await begin();
  try {
    const answer = await json("POST", `walks/${model.walk}`, { request });
    if (answer && answer.scene) model.scene = answer.scene;
    return answer;
  } catch (error) {
    if (error instanceof Refused && error.message.includes("over")) model.walk = 0;
    throw error;
  }
}

/** Begins to explore the state space; its number, to be asked with `explored`. */
export async function explore(options: Json): Promise<number> {
  const answer = await json("POST", "walks", { request: { do: "explore", file: model.file, ...options }, texts: texts() });
  if (!answer.explored) throw new Refused("the model has errors: see the editor");
  return answer.walk;
}
export const explored = (walk: number, request: Json): Promise<Json> => json("POST", `walks/${walk}`, { request });

/** Nobody looks at this animation or state space any more. Also sent when the page is closed. */
export function end(walk: number): void {
  if (walk) void fetch(`/api/walks/${walk}`, { method: "DELETE", headers: { Authorization: `Bearer ${token}` }, keepalive: true }).catch(() => {});
}

/** The text that counts: another one has another state space. */
export const version = (): string => `${model.file}\n${model.text}`;

/** The animation is one of another text now. */
export function forget(): void {
  end(model.walk);
  model.walk = 0;
  model.scene = null;
}
addEventListener("pagehide", () => end(model.walk));

/** Values of formulas where the animation is; `null` for what has none. */
export async function evaluate(formulas: string[]): Promise<(string | null)[]> {
  if (formulas.length === 0) return [];
  const answer = await walk({ do: "evaluate", formulas });
  return answer.values;
}
