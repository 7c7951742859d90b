// Measures in the page with a pointer, a finger and keys, and tells what it saw.
//
// Arguments: the program, and what to do: "shape" and the CSV of an equilibrium measures that; "live" measures a rod that moves. The
// output is one JSON object.
const { args, seen, serve, start, open, tab, state, pause, drag, frames, run } = require("./session");

/** The numbers beside a point, by name. */
const numbers = (page, i) => page.evaluate((i) => Object.fromEntries([...document.querySelectorAll(".point")[i].querySelectorAll("dd")].map((e) => [e.dataset.name, e.dataset.value.split(" ").map(Number)])), i);
/** Where the mark of a point is on the screen. */
const mark = async (page, i) => {
  const place = await page.waitForFunction((i) => document.querySelectorAll(".marks g:not(.chosen)")[i]?.getAttribute("transform"), i);
  return (await place.jsonValue()).match(/[-\d.]+/g).map(Number);
};
const apart = (page) => page.evaluate(() => ({ distance: Number(document.querySelector(".between").dataset.distance), text: document.querySelector(".between").innerText }));
const points = (page) => page.locator(".point").count();
const canvas = (page) => page.locator("body > canvas").focus();

async function shape() {
  const p = await serve("view", args[0], "--view", "127.0.0.1:0");
  const page = await tab(1000, 640);
  await page.goto(p.link);
  await page.waitForFunction(() => Number(document.querySelector("body > canvas")?.dataset.frames) > 3);
  const begun = Date.now();
  await canvas(page);
  await page.keyboard.press("m"); // as Help says
  await frames(page);
  seen.half = await numbers(page, 0);
  seen.ms = Date.now() - begun;

  seen.typed = {};
  const arc = page.getByRole("textbox", { name: /^arc length of point 1/ });
  for (const s of args.slice(1)) {
    await arc.fill(s);
    await arc.press("Enter");
    await frames(page);
    seen.typed[s] = await numbers(page, 0);
  }
  const slider = page.getByRole("slider", { name: "arc length of point 1" });
  await slider.focus();
  await slider.press("Home");
  await page.keyboard.press("ArrowRight");
  await frames(page);
  seen.slid = Number(await arc.inputValue());
  await page.getByRole("combobox", { name: "what point 1 is on" }).selectOption({ index: 1 });
  await frames(page);
  seen.other = { is: await page.getByRole("combobox", { name: "what point 1 is on" }).inputValue(), numbers: await numbers(page, 0) };
  await page.getByRole("button", { name: "remove point 1" }).click();
  seen.left = await points(page);
}

async function live() {
  const p = await start("127.0.0.1:0", "--no-demo");
  const page = await open(p.link, { viewport: { width: 1000, height: 640 } });
  await page.locator("#pause").click(); // the rod swings
  await state(page, "PAUSED");
  await canvas(page);
  await page.keyboard.press("h"); // from here on the camera stays
  await pause(600);
  await frames(page);
  const ruler = page.getByRole("button", { name: /^measure/ });
  const marks = [];
  for (let i = 0; i < 2; i++) {
    await ruler.click();
    await frames(page);
    marks.push(await mark(page, i));
  }
  seen.key = await apart(page);
  await ruler.click();
  seen.none = await points(page);
  await page.evaluate(() => document.activeElement.blur());

  await page.mouse.click(...marks[0]);
  await frames(page);
  seen.first = await numbers(page, 0);
  seen.on = await page.getByRole("combobox", { name: "what point 1 is on" }).inputValue();
  const tip = await page.evaluate(() => [0, 1, 2].map((i) => Number(document.querySelector("#readout").dataset["xyz"[i]])));
  await page.mouse.click(marks[1][0] + 3, marks[1][1]);
  await frames(page);
  seen.second = { ...(await numbers(page, 1)), tip };
  seen.pointed = await apart(page);

  // a mark goes with what it is on
  await page.locator("#pause").click();
  await state(page, "ENABLED");
  await drag(page, "long_up", 0.6);
  await page.waitForFunction((z) => Math.abs(Number(document.querySelectorAll(".point")[1].querySelector("dd[data-name=position]").dataset.value.split(" ")[2]) - z) > 0.01, seen.second.position[2]);
  await pause(500);
  await frames(page);
  seen.followed = { first: await numbers(page, 0), second: await numbers(page, 1), marks: [await mark(page, 0), await mark(page, 1)], was: marks };

  // what is dragged turns the picture and marks nothing; a finger may be beside the rod
  await page.mouse.move(300, 500);
  await page.mouse.down();
  await page.mouse.move(340, 500);
  await page.mouse.up();
  seen.dragged = await points(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await pause(500);
  const box = await page.locator(".probe").boundingBox();
  seen.phone = { right: box.x + box.width, bottom: box.y + box.height, wide: await page.evaluate(() => document.documentElement.scrollWidth) };
}

run({ shape, live });
