// Scans the page of a rod with axe at 200 % zoom, in light and dark, and on a phone, tab by tab, and tells what it finds.
//
// Arguments: the program, "scan", and a folder for pictures or nothing. The output is one JSON object.
const { readFileSync } = require("node:fs");
const { args, seen, start, open, undrawn, state, run } = require("./session");

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const [pictures] = args;

// 200 % of a window of 1280 by 800 pixels has half of these in CSS, two pixels each
const windows = {
  light: { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2, colorScheme: "light" },
  dark: { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, colorScheme: "light", hasTouch: true },
};

/** Makes the last plot one that has never had numbers, as all are for a moment after loading: without hardware there is no error. */
async function chooseEmptyPlot(page) {
  const plot = page.locator(".plot").last();
  await plot.getByLabel("what is plotted").selectOption({ label: "error against hardware" });
  await page.reload(); // the page remembers what it plots
  await state(page, "ENABLED");
  await plot.locator(".chart", { hasText: "nothing yet" }).waitFor();
}

async function scan() {
  const p = await start("127.0.0.1:0", "--demo");
  seen.findings = [];
  seen.scans = 0;
  for (const [name, how] of Object.entries(windows)) {
    const page = await open(p.link, { ...how, ...undrawn() });
    await chooseEmptyPlot(page);
    await page.evaluate(axe);
    if (await page.locator(".chart[tabindex]", { hasText: "nothing yet" }).count() > 0) seen.findings.push(`${name}: the keyboard stops at a plot without numbers`);
    await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
    await page.keyboard.press("m");
    for (const tab of ["Robot", "Scene", "Export", "Parameters", "Help"]) {
      await page.evaluate((tab) => document.querySelector(`#to-${tab}`).click(), tab);
      const { violations, passes } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      seen.scans += passes.length > 10 ? 1 : 0;
      for (const v of violations) for (const n of v.nodes) seen.findings.push(`${name}, ${tab}: ${v.id}: ${n.target}: ${n.failureSummary}`.replaceAll("\n", " ").slice(0, 400));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) seen.findings.push(`${name}, ${tab}: ${wide} px wider than the window`);
      const stop = await page.evaluate(() => {
        const b = document.querySelector("#estop").getBoundingClientRect();
        return document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)?.closest("#estop") !== null;
      });
      if (!stop) seen.findings.push(`${name}, ${tab}: something lies over the emergency stop`);
      if (pictures) await page.screenshot({ path: `${pictures}/zoom-${name}-${tab}.png` });
    }
    await page.context().close();
  }
}

run({ scan });
