// Looks at a swarm in Chromium, and tells what a picture of it costs the page.
//
// Arguments: the program, and the robot file. The output is one JSON object. Nothing is drawn, for on a computer without a
// graphics card the processor would draw: what the page asks of the card is counted instead. Times are of the processor, per
// picture, in ms, of the page's one thread, as Chromium counts them.
const { chromium } = require("playwright-core");
const { spawn } = require("node:child_process");

const [program, config] = process.argv.slice(2);
const span = 8000; // ms, over which is counted, and longer where that has few pictures
const least = 40; // pictures
const seen = { errors: [] };
const limit = setTimeout(() => end("not within 300 s"), 300000);
let served;

function end(fault) {
  clearTimeout(limit);
  if (fault) seen.fault = String(fault.stack ?? fault);
  served?.kill("SIGKILL");
  process.stdout.write(JSON.stringify(seen) + "\n", () => process.exit(0));
}

function start() {
  return new Promise((done, failed) => {
    served = spawn(program, ["run", "--ros", "off", "--realtime", "off", "--view", "127.0.0.1:0", "--config", config], { stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    const take = (data) => {
      out += data;
      const link = /^view +(http:\S+)$/m.exec(out);
      if (link) done(link[1]);
    };
    served.stdout.on("data", take);
    served.stderr.on("data", take);
    served.on("exit", () => failed(new Error(`the program ended:\n${out}`)));
  });
}

/** Counts what the page asks of the graphics card, in place of drawing it. */
function count() {
  window.asked = { draws: 0, bodies: 0, uploads: 0, bytes: 0 };
  const gl = WebGL2RenderingContext.prototype;
  const instead = (name, f) => (gl[name] = f(gl[name]));
  for (const name of ["drawElements", "drawArrays"]) instead(name, () => () => void window.asked.draws++);
  for (const [name, at] of [["drawElementsInstanced", 4], ["drawArraysInstanced", 3]]) {
    instead(name, () => (...args) => {
      window.asked.draws++;
      window.asked.bodies += args[at];
    });
  }
  for (const [name, at] of [["bufferData", 1], ["bufferSubData", 2]]) {
    instead(name, (real) => function (...args) {
      window.asked.uploads++;
      window.asked.bytes += args[at]?.byteLength ?? 0;
      return real.apply(this, args);
    });
  }
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

(async () => {
  const link = await start();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const page = await (await browser.newContext({ viewport: { width: 480, height: 320 } })).newPage();
  page.setDefaultTimeout(60000);
  page.on("pageerror", (e) => seen.errors.push(String(e.stack)));
  await page.addInitScript(count);
  await page.goto(link);
  await page.waitForFunction(() => Number(document.querySelector("body > canvas")?.dataset.frames) > 20);
  await page.getByRole("tab", { name: "Help" }).click(); // plots and facts cost something of their own
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const now = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    const of = Object.fromEntries(metrics.map((m) => [m.name, m.value]));
    return {
      at: performance.now(), task: of.TaskDuration, script: of.ScriptDuration,
      ...(await page.evaluate(() => ({ ...window.asked, frames: Number(document.querySelector("body > canvas").dataset.frames) }))),
    };
  };
  const before = await now();
  await pause(span);
  await page.waitForFunction((enough) => Number(document.querySelector("body > canvas").dataset.frames) >= enough, before.frames + least, { timeout: 120000 });
  const after = await now();
  const frames = after.frames - before.frames;
  const per = (key) => (after[key] - before[key]) / frames;
  Object.assign(seen, {
    frames, rate: (1000 * frames) / (after.at - before.at), task: 1000 * per("task"), script: 1000 * per("script"), draws: per("draws"), bodies: per("bodies"),
    uploads: per("uploads"), bytes: per("bytes"),
  });
  await browser.close();
})().then(() => end(), end);
