// Shows and hides layers of the page of a rod with magnets, and makes arrows longer, and tells what it saw.
//
// Arguments: the program, "use", and the file of a robot in a field. The output is one JSON object.
const { args, seen, start, open, pause, frames, run } = require("./session");

async function use() {
  const p = await start("127.0.0.1:0", "--config", args[0]);
  const page = await open(p.link, { viewport: { width: 1000, height: 640 } });
  await page.getByRole("tab", { name: "Scene" }).click();
  await page.locator(".layers label:visible").nth(3).waitFor();
  await pause(700);
  seen.layers = await page.locator(".layers label:visible span:first-child").allInnerTexts();
  seen.meaning = await page.locator(".meaning").innerText();
  const measure = page.getByRole("button", { name: /^measure/ });
  const things = async () => {
    await frames(page);
    await measure.click();
    await frames(page);
    const list = await page.locator(".point select option").allInnerTexts();
    await page.getByRole("button", { name: "remove point 1" }).click();
    return list;
  };
  seen.all = await things();
  const box = page.getByRole("checkbox", { name: "walls" });
  await box.focus();
  await page.keyboard.press("Space");
  seen.without = await things();
  await page.getByRole("slider", { name: "length of arrows" }).focus();
  await page.keyboard.press("End");
  await pause(1500);
  seen.longer = await page.locator(".meaning").innerText();
  seen.scale = await page.locator(".layers output").innerText();
  seen.state = await page.locator("#state").innerText();
  await page.reload();
  await page.getByRole("tab", { name: "Scene" }).click();
  await box.waitFor();
  seen.remembered = await box.isChecked();
  await page.setViewportSize({ width: 360, height: 740 });
  await pause(500);
  seen.wide = await page.evaluate(() => document.documentElement.scrollWidth);
}

run({ use });
