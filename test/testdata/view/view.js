// Looks at recordings in the page in Chromium, as a person would, and tells what it saw; with one recording, at an
// equilibrium too.
//
// Arguments: the program, and the recordings; with PICTURE the page is drawn to that file. The output is
// one JSON object.
const { chromium } = require(require.resolve("playwright-core", { paths: [`${__dirname}/../page`] }));
const { spawn } = require("node:child_process");

const [program, ...files] = process.argv.slice(2);
const seen = { foreign: [], errors: [], apart: [] };
const limit = setTimeout(() => end("not within 120 s"), 120000);
let served;
let browser;

function end(fault) {
  clearTimeout(limit);
  if (fault) seen.fault = String(fault.stack ?? fault);
  served?.kill("SIGKILL");
  process.stdout.write(JSON.stringify(seen) + "\n", () => process.exit(0));
}

/** Starts the program and returns the link that it prints. */
function start(...args) {
  return new Promise((done, failed) => {
    served = spawn(program, [...args, "--view", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "pipe"] });
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

const moment = (page) => page.evaluate(() => Number(document.querySelector(".moment").dataset.t));
const position = (page) => page.evaluate(() => ["x", "y", "z"].map((a) => Number(document.querySelector("#readout").dataset[a])));
/** How far the page says that two recordings are apart, m; nothing where it does not say. */
const apart = (page) => page.evaluate(() => {
  const e = document.querySelector("#distance");
  return e && !e.hidden ? Number(e.dataset.value) : -1;
});
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const at = (page, t) => page.waitForFunction((t) => Math.abs(Number(document.querySelector(".moment").dataset.t) - t) < 0.011, t);

/** Waits until the page has drawn what has come, also on a machine that is busy. */
async function drawn(page) {
  await pause(500);
  const frames = () => page.evaluate(() => Number(document.querySelector("body > canvas").dataset.frames));
  const before = await frames();
  await page.waitForFunction((n) => Number(document.querySelector("body > canvas").dataset.frames) > n, before + 3);
}

async function look() {
  const link = await start("view", ...files);
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const page = await (await browser.newContext({ viewport: { width: 1000, height: 640 } })).newPage();
  page.setDefaultTimeout(40000);
  page.on("request", (r) => /^(data|blob):/.test(r.url()) || r.url().startsWith(link) || seen.foreign.push(r.url()));
  page.on("pageerror", (e) => seen.errors.push(String(e.stack)));
  page.on("console", (m) => m.type() === "error" && seen.errors.length < 20 && seen.errors.push(m.text()));
  await page.goto(link);
  await page.waitForFunction(() => document.querySelector("#state").textContent === "recording");
  await page.waitForFunction(() => document.querySelector("#readout").dataset.x);
  seen.name = await page.title();
  const first = await moment(page);
  await page.waitForFunction((t) => Number(document.querySelector(".moment").dataset.t) > t + 0.1 || document.querySelector("#play").title === "Play", first);
  seen.stop = await page.locator("#estop").count();
  seen.titles = await page.evaluate(() => [...document.querySelectorAll(".plot select")].map((s) => s.selectedOptions[0].text));

  await page.locator("body > canvas").focus();
  await page.keyboard.press("Home");
  if ((await page.locator("#play").getAttribute("title")) === "Pause") await page.keyboard.press("Space");
  await page.waitForFunction(() => document.querySelector("#play").title === "Play");
  await page.keyboard.press("Home");
  await at(page, 0);
  await drawn(page);
  seen.begin = await position(page);
  seen.apart.push(await apart(page));
  await page.keyboard.press("ArrowRight");
  await at(page, 1);
  await drawn(page);
  seen.paused = Math.abs((await moment(page)) - 1) < 0.011;
  seen.second = await position(page);
  seen.apart.push(await apart(page));
  await page.locator("#moment").fill("2");
  await at(page, 2);
  await drawn(page);
  seen.scrubbed = await position(page);
  seen.apart.push(await apart(page));
  await page.locator("#speed").selectOption("2");
  await page.keyboard.press("Escape");
  await page.locator("#play").click();
  const from = [await moment(page), Date.now()];
  await pause(600);
  seen.speed = ((await moment(page)) - from[0]) / ((Date.now() - from[1]) / 1000);
  if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE, timeout: 60000 });
  await page.waitForFunction(() => document.querySelector("#play").title === "Play");
  seen.end = await moment(page);
  await page.waitForFunction(() => document.querySelector("#readout").innerText.length > 0);
  await drawn(page);
  seen.last = await position(page);
  seen.apart.push(await apart(page));
  seen.hidden = await page.locator("#moment").isHidden();
  seen.plotted = await page.evaluate(() => {
    const plot = [...document.querySelectorAll(".plot")].find((p) => p.querySelector("select").selectedOptions[0].text === "distance of the recordings");
    return plot ? `${plot.querySelector(".legend b").innerText} ${plot.querySelector(".unit").innerText}` : "";
  });
  await page.close();
  if (files.length === 1) await equilibrium();
  await browser.close();
}

/** Looks at an equilibrium, which is one moment. */
async function equilibrium() {
  served.removeAllListeners("exit");
  served.kill("SIGKILL");
  const page = await (await browser.newContext({ viewport: { width: 1000, height: 640 } })).newPage();
  page.on("pageerror", (e) => seen.errors.push(String(e.stack)));
  await page.goto(await start("static"));
  await page.waitForFunction(() => document.querySelector("#readout")?.dataset.x);
  await page.waitForFunction(() => Number(document.querySelector("body > canvas").dataset.frames) > 3);
  // it says other things before, and for the moment in which what came before is asked for
  const said = await page.waitForFunction(() => document.querySelector(".empty")?.innerText === "one sample only" && document.querySelector(".empty").innerText);
  seen.still = { at: await position(page), hidden: await page.locator("#moment").isHidden(), empty: await said.jsonValue() };
}

look().then(() => end(), end);
