// Uses the plots of the page of a rod with a pointer and keys, and tells what it saw.
//
// Arguments: the program, and "use" or "sensors" with the file of a robot that has them. The output is one JSON object.
const { readFileSync } = require("node:fs");
const { args, seen, start, open, pause, run } = require("./session");

async function use() {
  const p = await start("127.0.0.1:0", "--no-demo");
  const page = await open(p.link, { viewport: { width: 1000, height: 760 }, acceptDownloads: true });
  const plot = page.locator(".plot").first();
  const chart = plot.locator(".chart");
  const saved = async (name) => {
    const file = page.waitForEvent("download");
    await plot.getByTitle(name).click({ force: true });
    return readFileSync(await (await file).path(), "utf8");
  };
  /** What of the plot is shown: first and last time, and all rows. */
  const shown = async () => {
    const rows = (await saved("Save these numbers as CSV")).trim().split("\n").slice(1).map((row) => row.split(",").map(Number));
    return { from: rows[0][0], to: rows.at(-1)[0], rows };
  };
  const short = async () => {
    const { from, to } = await shown();
    return { from, to };
  };
  const value = () => page.evaluate(() => {
    const e = document.querySelector(".chart");
    return { at: Number(e.getAttribute("aria-valuenow")), last: Number(e.getAttribute("aria-valuemax")), text: e.getAttribute("aria-valuetext"), x: document.querySelector(".plot .legend b").textContent, label: document.querySelector(".tools .at").textContent };
  });
  await page.locator(".chart canvas").first().waitFor();
  await pause(4000);

  // a line that is not shown is in no figure
  const lines = async () => [...(await saved("Save this plot as SVG")).matchAll(/<path class="line"[^>]*><title>(\w+)/g)].map((m) => m[1]);
  const x = plot.getByRole("button", { name: /^x/ });
  seen.lines = [await lines()];
  await x.click();
  seen.lines.push(await lines());
  seen.pressed = await x.getAttribute("aria-pressed");
  await x.click();

  // a zoom by key stays where it is, and the cursor has the numbers of there
  await chart.focus();
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await pause(300);
  seen.zoomed = await short();
  await pause(1500);
  const { rows, ...still } = await shown();
  seen.still = still;
  await chart.focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press("Shift+ArrowLeft");
  await pause(300);
  const at = await value();
  const t = still.to + at.at - at.last; // the last row is at the end of the window, but for a message
  const near = rows.reduce((best, row) => (Math.abs(row[0] - t) < Math.abs(best[0] - t) ? row : best));
  seen.cursor = { ...at, csv: near[1] * 1000 };
  seen.driven = await page.locator(".card.live").count(); // by arrows

  // a pointer moves the cursor, and the plot where it drags
  const box = await chart.locator(".u-over").boundingBox();
  await page.mouse.move(box.x + box.width / 4, box.y + 20);
  await pause(300);
  seen.hover = await value();
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await pause(300);
  seen.dragged = await short();
  await page.locator(".tools").getByRole("button", { name: "Reset" }).click();
  await pause(700);
  seen.reset = await short();

  await page.getByRole("combobox", { name: "time that plots show" }).selectOption("5");
  await pause(2500);
  seen.five = await short();
  await page.getByRole("combobox", { name: "time that plots show" }).selectOption("60");
  await pause(500);
  seen.sixty = await short();

  await page.setViewportSize({ width: 360, height: 740 });
  await pause(500);
  seen.phone = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, tab: document.querySelector(".tab").scrollWidth - document.querySelector(".tab").clientWidth }));
}

/** What plots of sensors show: names and numbers, and which lines of figures are lighter. */
async function sensors() {
  const p = await start("127.0.0.1:0", "--no-demo", "--config", args[0]);
  const page = await open(p.link, { viewport: { width: 1000, height: 900 }, acceptDownloads: true });
  const plot = page.locator(".plot").first();
  const saved = async (name) => {
    const file = page.waitForEvent("download");
    await plot.getByTitle(name).click({ force: true });
    return readFileSync(await (await file).path(), "utf8");
  };
  seen.plots = {};
  for (const title of ["sensor tracker", "sensor shaft", "sensor camera"]) {
    const choice = plot.locator("select");
    await choice.selectOption({ label: (await choice.locator("option").allTextContents()).find((o) => o.startsWith(title)) });
    await pause(3000);
    const [names, ...rows] = (await saved("Save these numbers as CSV")).trim().split("\n").map((row) => row.split(","));
    const lines = [...(await saved("Save this plot as SVG")).matchAll(/<path class="line"([^>]*)><title>([^<]+)/g)];
    const axis = await plot.locator(".chart").getAttribute("aria-valuetext");
    seen.plots[title] = { names: names.slice(1), rows: rows.map((r) => r.slice(1).map((x) => (x === "NaN" ? null : Number(x)))), light: lines.filter((l) => l[1].includes("stroke-opacity")).map((l) => l[2]), axis };
  }
}

run({ use, sensors });
