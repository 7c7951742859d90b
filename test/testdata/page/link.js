// Arranges the page of a rod, copies the link and opens it in another browser, and tells what both show.
//
// Arguments: the program and "use". The output is one JSON object.
const { seen, start, open, pause, frames, run } = require("./session");

async function use() {
  const p = await start("127.0.0.1:0", "--no-demo");
  const page = await open(p.link, { viewport: { width: 1000, height: 640 } });
  const shows = async (page) => {
    await frames(page);
    await pause(400);
    return page.evaluate(() => ({
      cross: document.querySelector(".cross").toDataURL(), scale: `${document.querySelector(".scale span").innerText} of ${Math.round(parseFloat(document.querySelector(".scale i").style.width))} px`,
      hidden: [...document.querySelectorAll(".layers label")].filter((l) => l.querySelector("input[type=checkbox]")?.checked === false).map((l) => l.innerText || l.textContent),
      arrows: document.querySelector("#arrow-scale").value, color: document.querySelector("select[aria-label='colour of the rod']").value,
      span: document.querySelector("select[aria-label='time that plots show']").value,
      plots: [...document.querySelectorAll(".plot > header select")].map((s) => s.selectedOptions[0].text),
      lines: [...document.querySelectorAll(".legend [aria-pressed=false]")].map((b) => b.textContent.replace(/[\d.−–]+$/, "")),
      points: [...document.querySelectorAll(".along .number")].map((n) => Math.round(Number(n.value))),
    }));
  };
  seen.usual = await shows(page);
  await page.locator(".chart canvas").first().waitFor();
  await page.locator(".legend button").nth(1).click();
  await page.locator(".plot > header select").nth(1).selectOption({ label: "step time" });
  await page.getByRole("combobox", { name: "time that plots show" }).selectOption("30");
  await page.getByRole("tab", { name: "Scene" }).click();
  await page.getByRole("checkbox", { name: "disks" }).uncheck();
  await page.getByRole("combobox", { name: "colour of the rod" }).selectOption("curvature");
  await page.locator("body > canvas").focus();
  for (const key of ["y", "m", "m"]) {
    await page.keyboard.press(key);
    await frames(page);
  }
  for (let i = 0; i < 4; i++) await page.keyboard.press("-");
  seen.before = await shows(page);
  await page.keyboard.press("l");
  await page.waitForFunction(() => document.querySelector("#link").value.includes("#"));
  const link = await page.locator("#link").inputValue();
  await page.context().close();

  const other = await open(link, { viewport: { width: 1000, height: 640 } });
  await other.locator(".chart canvas").first().waitFor();
  seen.after = await shows(other);
  await other.context().close();

  const wrong = await open(p.link + "#%7Bnonsense", { viewport: { width: 360, height: 740 }, before: `setInterval(() => (window.toast ??= document.querySelector(".toast")?.innerText), 50)` });
  seen.wrong = await wrong.evaluate(() => window.toast);
  await wrong.getByRole("tab", { name: "Export" }).click();
  await wrong.locator("#copy-link").click();
  await wrong.locator("#link").waitFor();
  seen.wide = await wrong.evaluate(() => document.documentElement.scrollWidth);
}

run({ use });
