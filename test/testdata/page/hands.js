// Uses the page with keys alone and with a stick, and a robot of many tendons, and tells what it saw.
//
// Arguments: the program, and what to do: "drive" drives a swimmer and lets go of it; "keys" uses the page of a rod without a
// pointer; "many" and two robot files looks at many tendons and at what comes first without any. The output is one JSON object.
const { readFileSync } = require("node:fs");
const { args, seen, start, open, state, position, distance, pause, run } = require("./session");

const shown = (page, name) => page.getByRole("textbox", { name: new RegExp(`^${name},`) }).inputValue();

/** Waits until the robot goes, or stands still, and tells how far it went in the last while, m. */
async function way(page, done = (gone) => gone > 3e-5) {
  for (let i = 0; ; i++) {
    const from = await position(page);
    const drawn = await page.evaluate(() => Number(document.querySelector("body > canvas").dataset.frames));
    await pause(700);
    // a page that is too busy to draw would seem to stand still
    await page.waitForFunction((n) => Number(document.querySelector("body > canvas").dataset.frames) > n, drawn + 5);
    const gone = distance(from, await position(page));
    if (done(gone) || i === 20) return gone;
  }
}

const still = (page) => way(page, (gone) => gone < 1e-6);

async function drive() {
  const p = await start("127.0.0.1:0", "--no-demo");
  const page = await open(p.link);
  const look = async (measure = way) => ({ way: await measure(page), frequency: Number(await shown(page, "frequency")), amplitude: Number(await shown(page, "amplitude")) });
  await page.locator("body > canvas").focus();
  await page.keyboard.press("h"); // from here on the camera stays
  await page.keyboard.down("ArrowRight");
  seen.held = await look();
  await page.locator(".number").first().focus(); // the key comes up where one types
  await page.keyboard.up("ArrowRight");
  seen.released = await look(still);

  const box = await page.locator(".pad .field").boundingBox();
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(...middle);
  await page.mouse.down();
  await page.mouse.move(middle[0] + 22, middle[1]);
  seen.half = await look();
  await page.mouse.move(middle[0] + 80, middle[1]);
  seen.full = await look();
  await page.mouse.up();
  seen.let_go = await look(still);

  // who sets a frequency has it, also where the stick is not touched
  const frequency = page.getByRole("textbox", { name: /^frequency,/ });
  await frequency.fill("20");
  await frequency.press("Enter");
  seen.set = await look();
  await page.locator("body > canvas").focus();
  await page.keyboard.down("ArrowLeft");
  seen.faster = await look();
  await page.keyboard.up("ArrowLeft");
  await frequency.focus();
  await page.keyboard.press("Escape");
  await state(page, "FAULT");
}

/** Goes through everything that Tab reaches, until it is at the canvas again. */
async function round(page) {
  const list = [];
  await page.locator("body > canvas").focus();
  for (let i = 0; i < 150; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      if (e === document.body) return "";
      const style = getComputedStyle(e);
      const box = e.getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      return {
        name: e.tagName === "CANVAS" ? "canvas" : e.getAttribute("aria-label") || e.innerText?.trim() || e.closest("label")?.innerText.trim() || e.id || e.tagName,
        marked: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1,
        seen: Number(style.opacity) > 0.5 && box.width > 0 && x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight && (e.contains(document.elementFromPoint(x, y)) || e.closest("label")?.contains(document.elementFromPoint(x, y))),
      };
    });
    if (at === "") continue;
    if (at.name === "canvas") return list;
    list.push(at);
  }
  throw new Error(`Tab does not come back to the canvas: ${list.map((l) => l.name).join(", ")}`);
}

/** What can be used by a pointer and is there, by its tag. */
const usable = (page) => page.evaluate(() => [...document.querySelectorAll("button, input, select, a, summary")].filter((e) => e.checkVisibility() && !e.disabled).length);

async function keys() {
  const p = await start("127.0.0.1:0", "--no-demo");
  const page = await open(p.link);
  const list = await round(page);
  const tabs = (await page.getByRole("tab").count()) - 1; // which arrows reach from the one that Tab does
  Object.assign(seen, { reached: list.length + tabs, usable: await usable(page), unmarked: list.filter((l) => !l.marked).map((l) => l.name), hidden: list.filter((l) => !l.seen).map((l) => l.name) });
  // a key that is held does not go to and fro
  await page.locator("body > canvas").focus();
  for (let i = 0; i < 6; i++) {
    await page.keyboard.down("Space");
    await pause(60);
  }
  await page.keyboard.up("Space");
  await pause(300);
  seen.state = await page.locator("#state").innerText();

  // numbers that are typed
  seen.typed = {};
  const number = page.locator(".drive .number").first();
  await page.evaluate(() => addEventListener("tell", (e) => (window.told = e.detail.text)));
  for (const text of ["2,5", "1,000", "soft", "1e3", "0.125"]) {
    await page.evaluate(() => (window.told = ""));
    await number.fill(text);
    await number.press("Enter");
    seen.typed[text] = { value: await number.inputValue(), told: await page.evaluate(() => window.told) };
  }

  // a parameter that somebody else sets while it has the focus
  await page.getByRole("tab", { name: "Parameters" }).click();
  const name = "command_timeout_s";
  const field = page.locator(`#p-${name}`);
  await field.focus();
  const was = Number(await field.inputValue());
  await page.evaluate(([name, value]) => {
    const socket = new WebSocket(`ws://${location.host}/`, ["foxglove.sdk.v1"]);
    socket.onopen = () => socket.send(JSON.stringify({ op: "setParameters", id: "x", parameters: [{ name, value, type: "float64" }] }));
    socket.onmessage = (e) => typeof e.data === "string" && JSON.parse(e.data).op === "parameterValues" && socket.close();
  }, [name, was / 2]);
  await pause(700);
  await page.locator("body > canvas").focus();
  seen.parameter = { name, was, now: Number(await field.inputValue()) };
}

async function many() {
  const p = await start("127.0.0.1:0", "--no-demo", "--config", args[0]);
  const page = await open(p.link, { acceptDownloads: true });
  seen.sliders = await page.locator(".drive > .card input[type=range]").count();
  await pause(1500);
  const plot = page.locator(".plot").nth(1); // below the position
  seen.legend = (await plot.locator(".legend").innerText()).replace(/\s+/g, " ");
  const saved = async (button) => {
    const file = page.waitForEvent("download");
    await button.click({ force: true });
    return readFileSync(await (await file).path(), "utf8");
  };
  seen.columns = (await saved(plot.getByTitle("Save these numbers as CSV"))).split("\n")[0].split(",").length;
  const svg = await saved(plot.getByTitle("Save this plot as SVG"));
  seen.svg = await page.evaluate((text) => {
    const e = document.createElement("div");
    e.innerHTML = text;
    document.body.append(e);
    const frame = e.firstElementChild.getBoundingClientRect();
    const boxes = [...e.querySelectorAll("text")].map((t) => t.getBoundingClientRect());
    const looks = new Set([...e.querySelectorAll("path.line")].map((l) => l.getAttribute("stroke") + l.getAttribute("stroke-dasharray")));
    const out = boxes.filter((b) => b.left < frame.left || b.right > frame.right || b.top < frame.top || b.bottom > frame.bottom).length;
    e.remove();
    return { lines: looks.size, out };
  }, svg);

  await page.context().close();
  p.kill();
  const q = await start("127.0.0.1:0", "--no-demo", "--config", args[1]);
  const other = await open(q.link);
  seen.first = await other.evaluate(() => [...document.querySelectorAll(".drive > .card input[type=range]")].map((s) => s.getAttribute("aria-label")));
}

run({ drive, keys, many });
