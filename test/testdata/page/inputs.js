// Looks at the inputs of a page while another page commands, inserts a guidewire, starts and stops the demo and commands motors, and tells what it saw.
//
// Arguments: the program, the task, and for fields two robot files, for rods and motors one and a folder for pictures or nothing. The output
// is one JSON object.
const { args, seen, start, open, undrawn, position, distance, pause, run } = require("./session");

const calm = (link) => open(link, undrawn());
const number = (page, label) => page.getByRole("textbox", { name: new RegExp(`^${label},`) });
const values = (page) => page.locator(".drive > .card .number").evaluateAll((all) => all.map((e) => e.value));
async function type(page, label, text) {
  await number(page, label).fill(text);
  await number(page, label).press("Enter");
}

/** Waits until a number is shown, and returns whether it is. */
const shows = (page, label, text) => page.waitForFunction(([label, text]) => [...document.querySelectorAll(".drive .number")].some((e) => e.getAttribute("aria-label").startsWith(`${label},`) && e.value === text), [label, text], { timeout: 30000 }).then(() => true, () => false);

/** Which numbers a page shows that commands nothing: those of the robot file, then those of another page. */
async function fields() {
  const rotating = await start("127.0.0.1:0", "--no-demo", "--config", args[0]);
  const [page, other] = [await calm(rotating.link), await calm(rotating.link)];
  await shows(page, "frequency", "1.00");
  seen.rotating = await values(page);
  await type(other, "elevation", "0");
  await type(other, "azimuth", "30");
  await type(other, "frequency", "20");
  seen.followed = [await shows(page, "frequency", "20.0"), await shows(page, "azimuth", "30.0")];
  await page.getByText("More inputs").click();
  await other.getByText("More inputs").click();
  await type(other, "Fx", "0.5");
  seen.wrench = await shows(page, "Fx", "0.50");
  await other.getByRole("combobox", { name: "frame" }).selectOption({ index: 1 });
  await type(other, "Fz", "0.25");
  seen.frame = await page.waitForFunction(() => document.querySelector("select[aria-label=frame]").selectedIndex === 1, null, { timeout: 4000 }).then(() => true, () => false);
  await page.context().close();
  await other.context().close();
  rotating.kill();
  const coils = await start("127.0.0.1:0", "--no-demo", "--config", args[1]);
  const [a, b] = [await calm(coils.link), await calm(coils.link)];
  for (const p of [a, b]) await p.evaluate(() => document.querySelectorAll(".more").forEach((m) => (m.open = true)));
  const label = await b.locator(".card").filter({ hasText: "Currents" }).locator(".slider label span").first().innerText();
  await type(b, label, "3");
  seen.currents = await shows(a, label, "3.00");
}

/** Pushes a guidewire in, and looks at it from a page that comes later; then the demo of a robot with tendons. */
async function rods() {
  const wire = await start("127.0.0.1:0", "--no-demo", "--config", args[0]);
  const page = await calm(wire.link);
  await page.evaluate(() => document.querySelectorAll(".more").forEach((m) => (m.open = true)));
  const choose = (p) => p.getByRole("combobox", { name: "kind of command" }).filter({ has: p.locator("option", { hasText: "Insertion" }) }).selectOption({ label: "Insertion" });
  await choose(page);
  await shows(page, "insertion", "0.00");
  seen.outside = await number(page, "insertion").inputValue();
  const from = await position(page);
  await type(page, "insertion", "20");
  await page.waitForFunction((x) => Number(document.querySelector("#readout").dataset.x) > x + 0.015, from[0], { timeout: 20000 });
  const later = await calm(wire.link);
  await later.evaluate(() => document.querySelectorAll(".more").forEach((m) => (m.open = true)));
  await choose(later);
  await shows(later, "insertion", "20.0");
  seen.inside = await number(later, "insertion").inputValue();
  if (args[1]) await later.screenshot({ path: `${args[1]}/insertion.png` });
  await page.context().close();
  await later.context().close();
  wire.kill();

  const arm = await start("127.0.0.1:0", "--demo");
  const demo = await calm(arm.link);
  const button = demo.locator("#demo");
  await demo.getByRole("button", { name: "Stop demo" }).waitFor();
  await button.click();
  await demo.getByRole("button", { name: "Start demo" }).waitFor();
  await pause(2500); // the time-out of commands, and the robot comes to rest
  const rest = await position(demo);
  await pause(1000);
  seen.still = distance(await position(demo), rest);
  await button.click();
  await demo.getByRole("button", { name: "Stop demo" }).waitFor();
  await pause(1000);
  seen.moved = distance(await position(demo), rest);
  if (args[1]) await demo.screenshot({ path: `${args[1]}/demo.png` });
}

/** Commands motors that turn and slide, beside a tendon; then pushes the stick and lets it go. */
async function motors() {
  const { link } = await start("127.0.0.1:0", "--no-demo", "--config", args[0]);
  const page = await calm(link);
  await page.evaluate(() => document.querySelectorAll(".more").forEach((m) => (m.open = true)));
  const inputs = page.locator(".drive .card .number");
  seen.labels = await inputs.evaluateAll((all) => all.map((e) => e.getAttribute("aria-label")));
  seen.title = await page.locator(".drive > .card h2").first().innerText();
  const other = await calm(link);
  await type(page, "turn", "-1.5");
  seen.turned = await shows(other, "turn", "−1.50");
  seen.note = await page.locator(".drive > .card").first().innerText();
  const force = (p) => p.locator(".card").filter({ hasText: "Finger/external wrench" }).getByRole("textbox", { name: /^Fy,/ });
  await other.evaluate(() => document.querySelectorAll(".more").forEach((m) => (m.open = true)));
  await force(page).fill("0.1");
  await force(page).press("Enter");
  for (let i = 0; i < 100 && !seen.link; i++) {
    seen.link = (await force(other).inputValue()) === "0.10";
    await pause(100);
  }
  await other.context().close();
  const field = await page.locator(".pad .field").boundingBox();
  await page.mouse.move(field.x + field.width / 2, field.y + field.height / 2);
  await page.mouse.down();
  await page.mouse.move(field.x + field.width - 5, field.y + field.height / 2);
  await pause(300);
  seen.pushed = await values(page);
  await page.mouse.up();
  await pause(300);
  seen.released = await values(page);
  if (args[1]) await page.screenshot({ path: `${args[1]}/motors.png` });
}

run({ fields, rods, motors });
