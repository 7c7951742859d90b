// Looks at the past of a rod that runs and commands it meanwhile, and tells what it saw.
//
// Arguments: the program and "use". The output is one JSON object.
const { seen, start, open, position, pause, drag, frames, moved, run } = require("./session");

async function use() {
  const p = await start("127.0.0.1:0", "--no-demo", "_command_timeout_s:=20");
  const page = await open(p.link, { viewport: { width: 1000, height: 640 } });
  const slider = page.getByRole("slider", { name: "seconds before now" });
  await pause(2500);
  seen.rest = await position(page);
  const at = await page.evaluate(() => performance.now());
  await drag(page, "long_up", 0.6);
  await moved(page, seen.rest, 0.03);
  await pause(1500);
  seen.bent = await position(page);

  await page.locator("body > canvas").focus();
  await page.keyboard.press("b");
  await slider.waitFor();
  const ago = (await page.evaluate((at) => performance.now() - at, at)) / 1000 + 0.5; // s, before the command
  for (let i = 0; i < Math.round((ago - 1) / 0.1); i++) await page.keyboard.press("ArrowLeft");
  await frames(page);
  await pause(300);
  seen.past = await position(page);
  seen.told = await page.locator(".past").innerText();
  seen.cursor = Number(await page.locator(".chart").first().getAttribute("aria-valuenow")) - Number(await page.locator(".chart").first().getAttribute("aria-valuemax"));

  // the robot is commanded, and the picture stays
  await drag(page, "long_up", 0);
  await pause(2000);
  seen.still = await position(page);
  seen.live = await page.locator(".card.live").count();
  await page.setViewportSize({ width: 360, height: 740 });
  await pause(500);
  const box = await page.locator(".past").boundingBox();
  const stop = await page.locator("#estop").boundingBox();
  seen.phone = { right: box.x + box.width, wide: await page.evaluate(() => document.documentElement.scrollWidth), stop: stop.x + stop.width };
  await page.getByRole("button", { name: "Live" }).click();
  await moved(page, seen.past, 1e-5);
  await pause(1000);
  seen.now = await position(page);
  seen.shown = await page.locator(".past").isVisible();
}

run({ use });
