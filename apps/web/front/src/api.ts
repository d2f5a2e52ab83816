// What the server can be asked. The token comes with the address, behind `#`, and never leaves this page but in a header.

export type Json = any;

const given = new URLSearchParams(location.hash.slice(1));
const token = given.get("token") ?? sessionStorage.getItem("token") ?? "";
sessionStorage.setItem("token", token);

/** The file that the address names. */
export const firstFile = given.get("file");

export class Refused extends Error {}

/** The model has errors, in the words of the reader. */
export class Unreadable extends Refused {
  constructor(readonly errors: string) {
    super("the model has errors");
  }
}

async function send(method: string, path: string, body?: BodyInit): Promise<Response> {
  const headers: Record<string, string> = { Authorization: `Bearer ${token}` };
  if (typeof body === "string") headers["Content-Type"] = method === "PUT" ? "text/plain" : "application/json";
  const response = await fetch(`/api/${path}`, { method, headers, body }).catch(() => {
    throw new Refused("the server does not answer: is burnside serve still running?");
  });
  if (response.status === 401) throw new Refused("this page has no valid token: open the address that burnside serve printed");
  if (!response.ok) {
    const told: Json = await response.json().catch(() => ({}));
    throw new Refused(told.error ?? response.statusText);
  }
  return response;
}

const json = async (method: string, path: string, body?: Json): Promise<Json> =>
  (await send(method, path, body === undefined ? undefined : JSON.stringify(body))).json();

/** A text that is edited, with the line ends of a page; the file may have others. */
interface Buffer { text: string; saved: string; isCrlf: boolean }

const buffers = new Map<string, Buffer>();

/** The model that is looked at, as the editor has it. */
export const model = {
  file: "",
  /** The animation, when one was begun for this text. */
  walk: 0,
  scene: null as Json,
  get text(): string {
    return buffers.get(this.file)?.text ?? "";
  },
  set text(text: string) {
    const buffer = buffers.get(this.file);
    if (!buffer || buffer.text === text) return;
    buffer.text = text;
    dispatchEvent(new Event("texts"));
  },
};

export const isUnsaved = (file: string): boolean => {
  const buffer = buffers.get(file);
  return buffer !== undefined && buffer.text !== buffer.saved;
};

/** The texts of the editor count, saved or not. Those with other line ends are told too: places are counted in what the page shows. */
const texts = () => Object.fromEntries([...buffers].filter(([file, { isCrlf }]) => isCrlf || isUnsaved(file)).map(([file, { text }]) => [file, text]));

/** Looks at a model; what was edited and not saved stays as it is. */
export async function choose(file: string): Promise<void> {
  if (file && !isUnsaved(file)) {
    const text = await read(file);
    const plain = text.replaceAll("\r\n", "\n");
    buffers.set(file, { text: plain, saved: plain, isCrlf: plain !== text });
  }
  model.file = file;
  forget();
}

/** Saves the model. Somebody else may have changed the file: then `isSure` is asked. */
export async function saveModel(isSure: (why: string) => boolean): Promise<boolean> {
  const { file } = model;
  const buffer = buffers.get(file);
  if (!buffer) throw new Refused("there is no model to save");
  const { text } = buffer;
  const there = (await read(file)).replaceAll("\r\n", "\n");
  if (there !== buffer.saved && there !== text && !isSure(`${file} was changed by another program since it was opened here. Write over it?`)) return false;
  await save(file, buffer.isCrlf ? text.replaceAll("\n", "\r\n") : text);
  buffer.saved = text;
  dispatchEvent(new Event("texts"));
  return true;
}

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
  if (!answer.scene) throw new Unreadable(answer.text);
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
  if (!answer.explored) throw new Unreadable(answer.text);
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
