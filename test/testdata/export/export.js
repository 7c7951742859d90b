// Takes pictures, plots and GIFs from the page in Chromium, as a person would for a paper, and tells what is in the files.
//
// Arguments: the program, and a recording or nothing. The output is one JSON object.
const { chromium } = require(require.resolve("playwright-core", { paths: [`${__dirname}/../page`] }));
const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");

const [program, recording] = process.argv.slice(2);
const seen = { errors: [], names: [] };
const limit = setTimeout(() => end("not within 400 s"), 400000);
let served;
let page;

function end(fault) {
  clearTimeout(limit);
  if (fault) seen.fault = String(fault.stack ?? fault);
  served?.kill("SIGKILL");
  process.stdout.write(JSON.stringify(seen) + "\n", () => process.exit(0));
}

/** Starts the program and returns the link that it prints. */
function start(...args) {
  return new Promise((done, failed) => {
    served = spawn(program, args, { cwd: process.env.FOLDER, stdio: ["ignore", "pipe", "pipe"] });
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

async function open(link) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  page = await (await browser.newContext({ viewport: { width: 900, height: 560 }, reducedMotion: "reduce", acceptDownloads: true })).newPage();
  page.setDefaultTimeout(120000);
  page.on("pageerror", (e) => seen.errors.push(String(e.stack)));
  page.on("console", (m) => m.type() === "error" && seen.errors.length < 20 && seen.errors.push(m.text()));
  await page.addInitScript(() => (window.blobOf = (base64) => new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))])));
  await page.goto(link);
  await page.waitForFunction(() => document.querySelector("#readout").dataset.x);
  await page.locator("body > canvas").focus();
  await page.keyboard.press("h"); // from here on the camera stays
  await pause(1000);
  await page.getByRole("tab", { name: "Export" }).click();
  return browser;
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Clicks a button and returns the file that comes of it. */
async function file(button) {
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 240000 }), page.locator(button).click()]);
  seen.names.push(download.suggestedFilename());
  return readFileSync(await download.path());
}

/** Colours of a picture: its size, that of its corner and how many there are. */
const look = (bytes) => page.evaluate(async (url) => {
  const bitmap = await createImageBitmap(window.blobOf(url));
  const c = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  c.drawImage(bitmap, 0, 0);
  const d = c.getImageData(0, 0, bitmap.width, bitmap.height).data;
  const all = new Set();
  for (let i = 0; i < d.length; i += 4) all.add((d[i] << 24) | (d[i + 1] << 16) | (d[i + 2] << 8) | d[i + 3]);
  return { width: bitmap.width, height: bitmap.height, corner: [...d.slice(0, 4)], colors: all.size };
}, bytes.toString("base64"));

/** The frames of a GIF by the browser's own decoder: how many, for how long (s), and how far the first and the last are from pictures. */
const frames = (gif, ...pictures) => page.evaluate(async ([gif, ...pictures]) => {
  const decoder = new ImageDecoder({ data: await window.blobOf(gif).arrayBuffer(), type: "image/gif" });
  await decoder.tracks.ready;
  await decoder.completed;
  const count = decoder.tracks.selectedTrack.frameCount;
  const pixels = (image, w, h) => {
    const c = new OffscreenCanvas(w, h).getContext("2d");
    c.drawImage(image, 0, 0, w, h);
    return c.getImageData(0, 0, w, h).data;
  };
  const out = { count, seconds: 0, differences: [] };
  const kept = [];
  for (let i = 0; i < count; i++) {
    const { image } = await decoder.decode({ frameIndex: i });
    out.seconds += image.duration / 1e6;
    [out.width, out.height] = [image.displayWidth, image.displayHeight];
    if (i === 0 || i === count - 1) kept.push(pixels(image, out.width, out.height));
    image.close();
  }
  const of = await Promise.all(pictures.map(async (p) => pixels(await createImageBitmap(window.blobOf(p)), out.width, out.height)));
  out.moved = kept[0].reduce((n, x, i) => n + Math.abs(x - kept[1][i]), 0) / kept[0].length;
  for (const a of kept) out.differences.push(of.map((b) => a.reduce((n, x, i) => n + Math.abs(x - b[i]), 0) / a.length));
  return out;
}, [gif, ...pictures].map((b) => b.toString("base64")));

/** Gets a file, and tells how long that took and how long the page was busy at a time meanwhile, ms. */
async function busy(get) {
  await page.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    const tick = () => {
      window.longest = Math.max(window.longest, performance.now() - last);
      last = performance.now();
      setTimeout(tick, 0);
    };
    tick();
  });
  const begun = Date.now();
  const bytes = await get();
  return { bytes, took: Date.now() - begun, longest: await page.evaluate(() => window.longest) };
}

async function picture(background, resolution) {
  await page.getByRole("combobox", { name: "background" }).selectOption(background);
  await page.getByRole("combobox", { name: "resolution" }).selectOption(String(resolution));
  return file("#save-picture");
}

/** What is in a figure: the numbers of its lines, its words, whether it is well-formed, and how many points its first line has. */
const figure = (svg) => page.evaluate((text) => {
  const d = new DOMParser().parseFromString(text, "image/svg+xml");
  const lines = [...d.querySelectorAll("path.line")];
  return {
    wrong: !!d.querySelector("parsererror"), lines: lines.length, words: [...d.querySelectorAll("text")].map((t) => t.textContent), images: d.querySelectorAll("image").length,
    points: (lines[0]?.getAttribute("d").match(/[ML]/g) ?? []).length,
  };
}, svg.toString());

async function live() {
  const browser = await open(await start("run", "--ros", "off", "--view", "127.0.0.1:0", "--demo"));
  const free = await page.evaluate(() => innerWidth - document.querySelector(".panel").getBoundingClientRect().width);
  seen.free = [free, 500];
  const large = await busy(() => picture("transparent", 4));
  seen.transparent = { ...(await look(large.bytes)), took: large.took, longest: large.longest };
  seen.white = await look(await picture("white", 1));
  seen.shown = await look(await picture("shown", 1));
  seen.figure = await figure(await file("#save-plots"));
  await page.getByRole("combobox", { name: "seconds" }).selectOption("2");
  await page.getByRole("combobox", { name: "frames per second" }).selectOption("10");
  await page.getByRole("combobox", { name: "width", exact: true }).selectOption("320");
  const drawn = () => page.evaluate(() => Number(document.querySelector("body > canvas").dataset.frames));
  const before = await drawn();
  const gif = await busy(() => file("#make-gif"));
  seen.drawn = (await drawn()) - before;
  seen.gif = { ...(await frames(gif.bytes)), took: gif.took, longest: gif.longest };
  await page.getByRole("tab", { name: "Robot" }).click();
  await page.locator(".plot").first().hover();
  seen.one = await figure(await file(".plot >> nth=0 >> button:text('SVG')"));
  await page.locator("#record").click();
  await page.waitForFunction(() => /0:0[1-9].*[kM]B/.test(document.querySelector("#record").innerText));
  seen.recording = await page.locator("#record").innerText();
  await page.locator("#record").click();
  seen.recorded = (await file(".files a")).subarray(1, 5).toString();
  await browser.close();
}

async function recorded() {
  const browser = await open(await start("view", "--view", "127.0.0.1:0", recording));
  seen.tabs = await page.locator("[role=tab]:visible").allInnerTexts();
  seen.cards = await page.locator(".drive .card").count();
  await page.getByRole("tab", { name: "Help" }).click();
  seen.help = await page.locator("#tab-Help").innerText();
  await page.getByRole("tab", { name: "Export" }).click();
  await page.locator("body > canvas").focus();
  if ((await page.locator("#play").getAttribute("title")) === "Pause") await page.keyboard.press("Space");
  await page.waitForFunction(() => document.querySelector("#play").title === "Play");
  const at = async (t) => {
    await page.locator("#moment").fill(String(t));
    await page.waitForFunction((t) => Math.abs(Number(document.querySelector(".moment").dataset.t) - t) < 0.002, t);
    await pause(700);
  };
  await at(1);
  await page.locator("body > canvas").focus();
  await page.keyboard.press("i");
  const begin = await picture("shown", 1);
  await at(2);
  await page.locator("body > canvas").focus();
  await page.keyboard.press("o");
  const end = await picture("shown", 1);
  seen.range = [await page.locator("#gif-from").inputValue(), await page.locator("#gif-to").inputValue()];
  const type = async (t) => {
    await page.locator("#gif-to").fill(t);
    await page.locator("#gif-to").blur();
    return page.locator("#gif-to").inputValue();
  };
  seen.tidied = await type("9"); // the recording has 4 s
  await type("2");
  await at(3);
  await page.getByRole("combobox", { name: "frames per second" }).selectOption("10");
  await page.getByRole("combobox", { name: "width", exact: true }).selectOption("320");
  seen.gif = await frames(await file("#make-gif"), begin, end);
  await pause(700);
  seen.back = await page.evaluate(() => Number(document.querySelector(".moment").dataset.t));
  await browser.close();
}

(recording ? recorded() : live()).then(() => end(), end);
