// The main walks in a real browser: open, edit a mistake, see it, mend it, check, open the finding, step, draw, export; and refusals.
// usage: node walks.mjs PROGRAM FOLDER [SHOTS]

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [program, folder, shots] = process.argv.slice(2);
const server = spawn(program, ["serve", folder], { stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((resolve) => server.stdout.once("data", (data) => resolve(String(data).trim())));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: "light", acceptDownloads: true, bypassCSP: true });
// The policy of the pages forbids what the test itself does in them; the test of the server looks at the policy.
const problems = [];
page.on("pageerror", (error) => problems.push(String(error)));

const shot = async (name) => {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
};
const choose = async (file) => {
  await page.selectOption("#file", file);
  await page.waitForFunction((file) => document.title.startsWith(file), file);
};
const go = (name) => page.click(`#go-${name}`);
const step = (name) => console.log(`ok ${name}`);

try {
  await page.goto(address);
  await page.waitForSelector(".cm-content");
  await choose("Lift.mch");
  await page.waitForFunction(() => document.querySelector("#status")?.textContent === "no errors");
  step("open");

  // A mistake, seen and mended by its fix.
  await page.evaluate(() => document.querySelector(".cm-content").focus());
  await page.locator(".cm-line", { hasText: "at := at + 1" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("Control+Home");
  await page.locator(".cm-content").evaluate((content) => {
    const view = content.cmView?.view ?? content.cmTile?.view;
    const at = view.state.doc.toString().indexOf("at + 1");
    view.dispatch({ changes: { from: at, to: at + 2, insert: "att" } });
  });
  await page.waitForSelector(".cm-lintRange-error");
  assert.match(await page.textContent("#status"), /1 error/);
  assert.match(await page.textContent("#problems"), /line 6.*unknown name.*write at/);
  await shot("editor");
  step("see a mistake");
  await page.locator(".cm-lintRange-error").first().hover();
  await page.click(".cm-diagnosticAction");
  await page.waitForFunction(() => document.querySelector("#status")?.textContent === "no errors");
  step("mend it");

  // Colours, names and what can be written come from the reader of the language.
  await page.waitForSelector(".w-keyword");
  await page.hover(".w-event");
  await page.waitForSelector(".cm-tooltip .about");
  assert.match(await page.textContent(".cm-tooltip .about"), /up \(event\)/);
  await page.mouse.move(5, 5);
  const put = (from, insert) =>
    page.locator(".cm-content").evaluate((content, [from, insert]) => {
      const view = content.cmView?.view ?? content.cmTile?.view;
      const at = view.state.doc.toString().indexOf(from);
      view.dispatch({ changes: { from: at, to: at + from.length, insert }, selection: { anchor: at + insert.length } });
      view.focus();
    }, [from, insert]);
  await put("at < 9", "at < 9 & a");
  await page.keyboard.press("Control+Space");
  await page.waitForSelector(".cm-tooltip-autocomplete li");
  assert.match(await page.textContent(".cm-tooltip-autocomplete"), /at/);
  await page.keyboard.press("Escape");
  step("colours, hover, completion");
  // What is not saved stays when another model is looked at, is marked, and a model with errors leads back to the editor.
  await choose("Cube.mch");
  assert.match(await page.textContent("#file"), /Lift.mch •/);
  await choose("Lift.mch");
  await go("animator");
  await page.waitForSelector(".notice button");
  await page.click(".notice button");
  await put("at < 9 & a", "at < 9");
  await page.waitForFunction(() => document.querySelector("#status")?.textContent === "no errors" && !document.title.includes("•"));
  step("what is not saved stays");
  await page.click("#help-button");
  await page.waitForSelector("dialog[open]");
  await shot("help");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  step("help");

  await go("check");
  await page.waitForSelector("#result .empty");
  await page.click("#start");
  await page.waitForSelector("#verdict");
  assert.equal(await page.textContent("#verdict"), "violated");
  await shot("check");
  step("check");
  const [report] = await Promise.all([page.waitForEvent("download"), page.click("#share")]);
  assert.equal(JSON.parse(readFileSync(await report.path(), "utf8")).verdict, "violated");
  const [sheet] = await Promise.all([page.waitForEvent("download"), page.click("#share-report")]);
  assert.match(readFileSync(await sheet.path(), "utf8"), /<html[^]*violated/);
  step("share the report, as data and as a page");
  await page.click("#cover");
  await page.waitForFunction(() => document.querySelector("#verdict")?.textContent === "coverage");
  await page.click("#jobs button:last-child >> nth=-1");
  await page.waitForFunction(() => document.querySelector("#verdict")?.textContent === "violated");
  step("coverage, and back to the first run");

  await page.click("#open-1");
  await page.waitForSelector("#state tr.changed");
  assert.match(await page.textContent("#state"), /at\s*5/);
  await shot("animator");
  step("open the finding in the animator");
  await page.click("#undo");
  await page.waitForFunction(() => /4/.test(document.querySelector("#state").textContent));
  await page.click('#moves button[data-event="down"]');
  await page.waitForFunction(() => /was 4/.test(document.querySelector("#state").textContent));
  // The way that was left is a branch: there and back.
  await page.click(".branch");
  await page.waitForFunction(() => /was 4/.test(document.querySelector("#state").textContent) && /5/.test(document.querySelector("#state").textContent));
  await page.click(".branch");
  await page.waitForFunction(() => /3/.test(document.querySelector("#state").textContent));
  step("undo, another way, and back by branches");
  await page.fill("#formula", "at * 100");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#answers").textContent.includes("300"));
  await page.click("#watch");
  await page.waitForFunction(() => /at \* 100\s*300/.test(document.querySelector("#watched").textContent));
  for (let floor = 3; floor > 0; floor--) {
    await page.click('#moves button[data-event="down"]');
    await page.waitForFunction((floor) => new RegExp(`at \\* 100\\s*${floor - 1 ? `${floor - 1}00` : "0"}×`).test(document.querySelector("#watched").textContent), floor);
  }
  await page.waitForFunction(() => /down\s*.*at > 0/.test(document.querySelector("#disabled").textContent));
  step("what cannot happen says why");
  const [path] = await Promise.all([page.waitForEvent("download"), page.click("#share-json")]);
  assert.ok(JSON.parse(readFileSync(await path.path(), "utf8")).path.length > 3);
  step("step, evaluate, share the path");

  await go("space");
  await page.waitForFunction(() => /10 states.*all of them/.test(document.querySelector("#status").textContent));
  await page.waitForFunction(() => /path of the animator/.test(document.querySelector("#legend").textContent));
  await page.waitForTimeout(300);
  await shot("space");
  // A node leads to the animator.
  const box = await page.locator("#graph").boundingBox();
  for (let y = box.y + box.height - 20; y > box.y && !(await page.isVisible("#go-there")); y -= 5) await page.mouse.click(box.x + box.width / 2, y);
  await page.click("#go-there");
  await page.waitForFunction(() => /at\s*9/.test(document.querySelector("#state")?.textContent ?? ""));
  step("a node opens in the animator");
  await go("space");
  await page.fill("#projection", "at mod 2");
  await page.click("#explore");
  await page.waitForFunction(() => /^3 classes of 10 states/.test(document.querySelector("#status").textContent));
  step("draw the state space, and a projection");

  // Tens of thousands of nodes are drawn while they are found, and can be moved. Figures are printed; how fast a machine is proves nothing.
  await choose("Cube.mch");
  await page.evaluate(() => (document.querySelector("#projection").value = ""));
  await page.click("#explore");
  await page.waitForFunction(() => /exploring, [\d,]+ wait|20,000 states/.test(document.querySelector("#status").textContent));
  step("it is drawn while it grows");
  await page.waitForFunction(() => /20,000 states.*there are more/.test(document.querySelector("#status").textContent), null, { timeout: 120_000 });
  await page.waitForTimeout(1000);
  await shot("space-large");
  const pan = () =>
    page.evaluate(async () => {
      const canvas = document.querySelector("#graph");
      const box = canvas.getBoundingClientRect();
      const point = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, { clientX: box.left + x, clientY: box.top + y, pointerId: 1, bubbles: true }));
      let [x, y, dx, dy] = [600, 250, 9, 5];
      // There is no pointer to capture.
      canvas.setPointerCapture = () => {};
      point("pointerdown", x, y);
      const times = [];
      for (let last = performance.now(), begun = last; last - begun < 2000; ) {
        [x, y] = [x + dx, y + dy];
        if (x > 1100 || x < 100) dx = -dx;
        if (y > 500 || y < 50) dy = -dy;
        point("pointermove", x, y);
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        times.push(now - last);
        last = now;
      }
      point("pointerup", x, y);
      times.sort((a, b) => a - b);
      const sum = times.reduce((a, b) => a + b);
      return `${((1000 * times.length) / sum).toFixed(0)} frames/s, 95 % of frames within ${times[Math.floor(times.length * 0.95)].toFixed(0)} ms`;
    });
  console.log(`20,000 nodes, all in sight: ${await pan()}`);
  await page.focus("#graph");
  for (let times = 0; times < 5; times++) await page.keyboard.press("+");
  console.log(`20,000 nodes, zoomed in: ${await pan()}`);
  await page.selectOption("#layout", "forces");
  await page.waitForTimeout(1500);
  step("pan, zoom, forces");

  await choose("House.mch");
  await go("relations");
  await page.waitForSelector("#hierarchy img");
  await page.waitForSelector("#enabling img");
  await shot("relations");
  step("relations");

  await choose("Crossing.mch");
  await go("visualise");
  await page.waitForFunction(() => document.querySelector("#said")?.textContent === "cars drive");
  await page.click("#button");
  await page.waitForFunction(() => document.querySelector("#button").getAttribute("fill") === "#f80");
  for (const id of ["green", "yellow", "walk"]) await page.click(`#${id}`, { force: true }).then(() => page.waitForTimeout(150));
  await page.waitForFunction(() => document.querySelector("#said").textContent === "people walk");
  await shot("visualise");
  step("a VisB picture moves");
  await choose("Lamps.mch");
  await page.waitForSelector("#lamp3");
  await page.click("#lamp3");
  await page.waitForFunction(() => document.querySelector("#lamp2")?.getAttribute("fill") === "#fd0");
  step("a VisB picture with loops moves");
  await choose("Tanks.mch");
  await page.waitForSelector("#left");
  await page.click("#left");
  await page.waitForFunction(() => document.querySelector("#left")?.getAttribute("height") === "40");
  await page.waitForFunction(() => document.querySelector("#sum")?.textContent === "in use");
  step("a picture by definitions moves");
  await choose("Shelf.mch");
  await page.waitForSelector("#room3");
  assert.match(await page.textContent("#title"), /one box/);
  await page.click("#room3", { modifiers: ["Shift"] });
  await page.waitForFunction(() => document.querySelector("#boxes3").getAttribute("height") === "60");
  await page.click("#room3", { position: { x: 10, y: 10 } });
  await page.waitForFunction(() => document.querySelector("#boxes3").getAttribute("fill") === "#c33");
  await page.click("#out3");
  await page.waitForFunction(() => document.querySelector("#boxes3").getAttribute("height") === "60");
  const [picture] = await Promise.all([page.waitForEvent("download"), page.click("#share-picture")]);
  assert.match(readFileSync(await picture.path(), "utf8"), /<svg[^]*boxes3/);
  step("a picture that a VisB file draws moves by predicates, and is shared");

  await choose("Stones.mch");
  await page.waitForFunction(() => document.querySelector(".grid-picture")?.textContent === "stone.....");
  await page.keyboard.press("x");
  await page.waitForFunction(() => document.querySelector(".grid-picture")?.textContent === ".stone....");
  step("a picture in a grid moves");

  await page.click("#theme");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await choose("Lift.mch");
  for (const [key, id, name] of [["1", ".cm-content", "editor"], ["2", "#moves button", "animator"], ["3", "#legend .key", "space"], ["4", "#verdict", "check"], ["5", "#enabling img", "relations"], ["6", "#picture .empty", "visualise"]]) {
    await page.keyboard.press(`Alt+${key}`);
    await page.waitForSelector(id);
    await page.waitForTimeout(200);
    await shot(`dark-${name}`);
  }
  step("dark, and by keys");

  // Another page in the same browser learns nothing.
  const other = await browser.newPage();
  await other.goto("data:text/html,<title>other</title>");
  const base = address.split("/#")[0];
  const told = await other.evaluate(async (base) => {
    try {
      const answer = await fetch(`${base}/api/files`, { headers: { Authorization: "Bearer x" } });
      return answer.status;
    } catch {
      return "refused";
    }
  }, base);
  assert.equal(told, "refused");
  const stranger = await browser.newContext({ bypassCSP: true }).then((context) => context.newPage());
  await stranger.goto(`${base}/#token=0`);
  await stranger.waitForFunction(() => /no valid token/.test(document.querySelector("#status").textContent));
  step("strangers are refused");
  assert.deepEqual(problems, []);
} finally {
  await browser.close();
  server.kill();
}
