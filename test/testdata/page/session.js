// What scripts that use the page of a program in Chromium have in common: the program, the browser, and what they tell.
const { chromium } = require("playwright-core");
const { spawn } = require("node:child_process");

const [program, task, ...args] = process.argv.slice(2);
const seen = { foreign: [], errors: [] };
const limit = setTimeout(() => end("not within 900 s"), 900000);
const longest = 120000; // ms, for what hangs; a computer whose processors are taken away needs minutes
const processes = new Set();
let browser;

function end(fault) {
  clearTimeout(limit);
  if (fault) seen.fault = String(fault.stack ?? fault);
  processes.forEach((p) => p.kill("SIGKILL"));
  process.stdout.write(JSON.stringify(seen) + "\n", () => process.exit(0));
}

/** Starts the program and returns the link that it prints. */
function start(address, ...args) {
  return serve("run", "--ros", "off", "--view", address, ...args);
}

/** Starts the program with any arguments that make it print a link. */
function serve(...args) {
  return new Promise((done, failed) => {
    const p = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    processes.add(p);
    let out = "";
    const take = (data) => {
      out += data;
      const link = /^view +(http:\S+)$/m.exec(out);
      if (link) done({ link: link[1], kill: () => (processes.delete(p), p.kill("SIGKILL")) });
    };
    p.stdout.on("data", take);
    p.stderr.on("data", take);
    p.on("exit", () => failed(new Error(`the program ended:\n${out}`)));
  });
}

async function open(link, options = {}, standing = "ENABLED") {
  const context = await browser.newContext({ viewport: { width: 800, height: 560 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(longest);
  page.on("request", (r) => /^(data|blob):/.test(r.url()) || r.url().startsWith(link.split("#")[0]) || seen.foreign.push(r.url()));
  page.on("pageerror", (e) => seen.errors.push(String(e.stack)));
  page.on("console", (m) => m.type() === "error" && !/WebSocket connection/.test(m.text()) && seen.errors.length < 20 && seen.errors.push(m.text()));
  if (options.before) await page.addInitScript(options.before);
  await page.goto(link);
  await state(page, standing);
  await page.waitForFunction(() => document.querySelector("#readout").dataset.x);
  await page.waitForFunction(() => Number(document.querySelector("body > canvas").dataset.frames) > 3);
  return page;
}

/** Options of a page that draws nothing: a processor that draws would have no time for anything else. */
const undrawn = (init = "") => ({ before: `
  for (const name of ["drawElements", "drawArrays", "drawElementsInstanced", "drawArraysInstanced"]) WebGL2RenderingContext.prototype[name] = () => undefined;
  ${init}
` });

const state = (page, name) => page.waitForFunction((s) => document.querySelector("#state").textContent === s, name);
const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** What the canvas shows: how many colours, and the picture itself. */
async function canvas(page) {
  const png = await page.screenshot({ clip: { x: 0, y: 90, width: 400, height: 330 }, timeout: longest });
  const colors = await page.evaluate(async (list) => {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(list)]));
    const c = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    c.drawImage(bitmap, 0, 0);
    const d = c.getImageData(0, 0, bitmap.width, bitmap.height).data;
    const all = new Set();
    for (let i = 0; i < d.length; i += 4) all.add((d[i] << 16) | (d[i + 1] << 8) | d[i + 2]);
    return all.size;
  }, [...png]);
  return { colors, picture: png.toString("base64") };
}

/** Drags the thumb of a slider to a share of its way. */
async function drag(page, name, to) {
  const slider = page.getByRole("slider", { name, exact: true });
  const box = await slider.boundingBox();
  const at = (u) => [box.x + 8 + u * (box.width - 16), box.y + box.height / 2];
  const from = Number(await slider.inputValue()) / 1000;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at((from + to) / 2));
  await page.mouse.move(...at(to));
  await page.mouse.up();
}

/** Where the page says that the robot is, once it does: after a connection it first has to be told. */
async function position(page) {
  const told = await page.waitForFunction(() => {
    const at = ["x", "y", "z"].map((a) => parseFloat(document.querySelector("#readout").dataset[a]));
    return at.every(Number.isFinite) && at;
  });
  return told.jsonValue();
}

/** Waits until what has been told is drawn. */
async function frames(page) {
  const drawn = await page.evaluate(() => Number(document.querySelector("body > canvas").dataset.frames));
  await page.waitForFunction((n) => Number(document.querySelector("body > canvas").dataset.frames) > n + 3, drawn);
}

/** Waits until the robot is further from a position than so many m. */
function moved(page, from, by) {
  return page.waitForFunction(([from, by]) => Math.hypot(...["x", "y", "z"].map((a, i) => Number(document.querySelector("#readout").dataset[a]) - from[i])) > by, [from, by]);
}

/** Opens a page as a person does who has not asked for anything, in a window of a size. */
async function tab(width, height) {
  const page = await (await browser.newContext({ viewport: { width, height } })).newPage();
  page.setDefaultTimeout(longest);
  page.on("pageerror", (e) => seen.errors.push(String(e.stack)));
  return page;
}

/** Does the task that was asked for, and tells what was seen as one JSON object. */
async function run(tasks) {
  try {
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-background-timer-throttling", "--disable-renderer-backgrounding"],
    });
    await tasks[task]();
    await browser.close();
    end();
  } catch (e) {
    end(e);
  }
}

module.exports = { args, seen, start, serve, open, undrawn, tab, state, position, distance, pause, canvas, drag, frames, moved, run };
