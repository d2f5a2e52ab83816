// Builds the pages into ../dist: two scripts, one style sheet, one page, and a manifest of digests of sources and built files.

import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";

const dist = "../dist";
mkdirSync(dist, { recursive: true });
const script = (source, file) =>
  build({ entryPoints: [source], bundle: true, minify: true, format: "iife", target: "es2022", legalComments: "inline", outfile: `${dist}/${file}` });
await script("src/main.ts", "app.js");
await script("src/worker.ts", "worker.js");
await build({ entryPoints: ["src/app.css"], bundle: true, minify: true, outfile: `${dist}/app.css` });
copyFileSync("src/index.html", `${dist}/index.html`);

// FNV-1a of 64 bits: enough to notice that somebody forgot to build.
const digest = (bytes) => {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, "0");
};
const sources = readdirSync("src").sort().map((name) => `src/${name}`);
const files = [
  ...[...sources, "build.mjs", "package.json", "package-lock.json"].map((name) => [`front/${name}`, name]),
  ...["app.css", "app.js", "index.html", "worker.js"].map((name) => [`dist/${name}`, `${dist}/${name}`]),
];
const lines = files.map(([name, path]) => `${digest(readFileSync(path))}  ${name}\n`);
writeFileSync(`${dist}/manifest.txt`, lines.join(""));
