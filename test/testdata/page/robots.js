// Chooses a robot of a swarm and one of a fleet on their pages, and tells what the pages show and whom commands move.
//
// Arguments: the program, the task, the robot or fleet file, and a folder for pictures or nothing. The output is one JSON object.
const { args, seen, start, open, undrawn, state, position, distance, pause, drag, frames, moved, run } = require("./session");

const [file, pictures] = args;
const look = pictures ? {} : undrawn();
const shot = async (page, name) => pictures && page.screenshot({ path: `${pictures}/${name}.png` });
const title = (page) => page.locator("h1").innerText();
const plots = (page) => page.evaluate(() => [...document.querySelectorAll(".plot > header select")].map((s) => s.selectedOptions[0].text));

/** Where the mark of something over the canvas is, px. */
const at = (page, of) => page.evaluate((of) => document.querySelector(of).getAttribute("transform").match(/-?[\d.]+/g).map(Number), of);

async function swarm() {
  const p = await start("127.0.0.1:0", "--no-demo", "--config", file);
  const page = await open(p.link, { viewport: { width: 1280, height: 720 }, ...look });
  seen.first = { title: await title(page), at: await position(page) };
  await page.locator("#pause").click();
  await state(page, "PAUSED");
  const number = page.getByRole("textbox", { name: "number of the robot" });
  await number.fill("7");
  await number.press("Enter");
  await page.waitForFunction(() => document.querySelector("h1").innerText.includes("robot 7"));
  await page.getByRole("button", { name: "Resume" }).click(); // the numbers of all come with time
  await page.waitForFunction(() => document.querySelector("#readout").dataset.x);
  await page.locator(".chart canvas").first().waitFor();
  await page.locator("#pause").click();
  await state(page, "PAUSED");
  await pause(500);
  await page.locator("body > canvas").focus();
  await page.keyboard.press("m"); // the numbers of the same body as it is drawn
  await page.locator(".point select").selectOption("swarm");
  await page.locator(".along .number").fill("7");
  await page.locator(".along .number").press("Enter");
  await page.locator("body > canvas").focus();
  await frames(page);
  await pause(300);
  seen.chosen = {
    title: await title(page), at: await position(page), plots: await plots(page), told: await page.locator(".robots").innerText(),
    drawn: await page.evaluate(() => document.querySelector("dd[data-name=position]").dataset.value.split(" ").map(Number)),
    off: distance(await at(page, ".marks .chosen"), await at(page, ".marks g:not(.chosen)")),
  };
  await shot(page, "swarm-dark");
  await page.keyboard.press("m");
  await page.keyboard.press("m");
  await page.keyboard.press("l");
  await page.waitForFunction(() => document.querySelector("#link").value.includes("#"));
  const link = await page.locator("#link").inputValue();
  await number.fill("100");
  await number.press("Enter");
  seen.refused = await page.locator(".toast.level2").last().innerText();
  await page.getByRole("button", { name: "the next robot" }).click();
  seen.next = await title(page);
  await page.context().close();

  const other = await open(link, { viewport: { width: 390, height: 844 }, colorScheme: "light", ...look }, "PAUSED");
  seen.link = { title: await title(other), wide: await other.evaluate(() => document.documentElement.scrollWidth) };
  await shot(other, "swarm-phone");
}

/** Waits until the robot of a page has swung out after its start. */
async function settled(page) {
  const rest = 1e-10; // m, in 0.3 s
  for (let was = await position(page), far = Infinity; far > rest; ) {
    await pause(300);
    const now = await position(page);
    [was, far] = [now, distance(now, was)];
  }
}

async function fleet() {
  const p = await start("127.0.0.1:0", "--robots", file);
  const left = await open(p.link, { viewport: { width: 1280, height: 720 }, ...look });
  seen.first = { title: await title(left), path: new URL(left.url()).pathname };
  const page = await open(p.link, { viewport: { width: 1280, height: 720 }, ...look });
  const choice = page.getByRole("combobox", { name: "robot of the fleet" });
  seen.robots = await choice.locator("option").allInnerTexts();
  await Promise.all([page.waitForURL(/right/), choice.selectOption({ label: "arms/right" })]);
  await state(page, "ENABLED");
  await settled(left);
  const before = [await position(left), await position(page)];
  seen.second = { title: await title(page), path: new URL(page.url()).pathname, told: await page.locator(".robots").innerText() };
  await drag(page, "long_up", 0.6);
  await moved(page, before[1], 0.005);
  await pause(300);
  seen.ways = [distance(await position(left), before[0]), distance(await position(page), before[1])];
  await shot(page, "fleet-dark");
  await page.locator("#estop").click();
  await state(page, "FAULT");
  await pause(1200);
  seen.states = [await left.locator("#state").innerText(), await page.locator("#state").innerText()];
  await page.evaluate(() => document.querySelector("select[aria-label=theme]").value = "light");
  await page.setViewportSize({ width: 390, height: 844 });
  seen.wide = await page.evaluate(() => document.documentElement.scrollWidth);
  await shot(page, "fleet-phone");
}

run({ swarm, fleet });
