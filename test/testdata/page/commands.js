// Uses pages at a recorder of commands, as a person would, and tells what it saw.
//
// Arguments: the link of the recorder, and what to do: a name at the end of this file. Marks in the record separate what
// is done. The output is one JSON object.
const { seen, open, undrawn, state, pause, run } = require("./session");

const link = process.argv[2];
const calm = (options = {}) => open(link, { ...options, ...undrawn(`(${options.init ?? (() => undefined)})();`) });
const mark = (name) => fetch(`${link}mark/${name}`);
const card = (page, title) => page.locator(".card").filter({ hasText: title });
const number = (at, label) => at.getByRole("textbox", { name: new RegExp(`^${label},`) });
const values = (at) => at.locator(".number").evaluateAll((all) => all.map((e) => e.value));
const a_while = 400; // ms, of a dozen commands

/** Does something between two marks, and for a while after. */
async function marked(name, act, ms = a_while) {
  await mark(`${name}-begin`);
  await act();
  await pause(ms);
  await mark(`${name}-end`);
}

async function type(box, text) {
  await box.fill(text);
  await box.press("Enter");
}

/** Moves a magnet and the base of a guidewire by numbers. */
async function poses() {
  const page = await calm();
  await page.getByText("More inputs").click();
  const [magnet, base] = [card(page, "Magnet pose"), card(page, "Base pose")];
  await page.waitForFunction(() => [...document.querySelectorAll(".more .card .applied")].some((e) => !e.hidden), null, { timeout: 5000 }).catch(() => undefined);
  seen.magnet = await values(magnet);
  seen.base = await values(base);
  await marked("near", () => type(number(magnet, "x"), "510"));
  await marked("jump", () => type(number(magnet, "x"), "300"));
  seen.asked = await magnet.locator(".note").innerText();
  await magnet.getByRole("button", { name: "Cancel" }).click();
  seen.cancelled = await values(magnet);
  await type(number(magnet, "x"), "300");
  await marked("confirmed", () => magnet.getByRole("button", { name: "Move", exact: true }).click());
  await marked("first", () => type(number(base, "yaw"), "90")); // a jump from rest
  seen.rotation = await base.locator(".note").innerText();
  await base.getByRole("button", { name: "Cancel" }).click();
  await marked("base", () => type(number(base, "z"), "0.3"));
  seen.state = await page.locator("#state").innerText();
}

/** Types without Enter and leaves the field in every way, and stops while a slider is held. */
async function pending() {
  const page = await calm();
  const box = number(page.locator(".drive"), "long_up");
  const half = async () => {
    await box.click();
    await box.fill("7");
  };
  seen.left = {};
  const leave = async (name, act) => {
    await half();
    await marked(name, act);
    seen.left[name] = await box.inputValue();
  };
  await leave("blur", () => page.locator("body > canvas").focus());
  await leave("tab", () => page.keyboard.press("Tab"));
  await leave("escape", () => page.keyboard.press("Escape"));
  await state(page, "FAULT");
  await enable(page);
  await leave("stop", () => page.locator("#estop").click());
  await state(page, "FAULT");
  await enable(page);

  // a slider that is held over an emergency stop, and over what enables again
  const slider = await page.getByRole("slider", { name: "long_up", exact: true }).boundingBox();
  const at = (u) => [slider.x + 8 + u * (slider.width - 16), slider.y + slider.height / 2];
  await page.mouse.move(...at(0));
  await page.mouse.down();
  await page.mouse.move(...at(0.2));
  await marked("dragged", () => page.mouse.move(...at(0.3)));
  await page.keyboard.press("Escape");
  await state(page, "FAULT");
  await mark("held-begin");
  await page.mouse.move(...at(0.4));
  await call(page, "enable");
  await state(page, "ENABLED");
  await page.mouse.move(...at(0.5));
  await pause(a_while);
  await page.mouse.up();
  await pause(a_while);
  await mark("held-end");

  // a key that is held
  await page.locator("body > canvas").focus();
  await page.keyboard.down("1");
  await pause(a_while);
  await page.keyboard.press("Escape");
  await state(page, "FAULT");
  await mark("key-begin");
  for (let i = 0; i < 3; i++) await page.keyboard.down("1"); // as it repeats
  await call(page, "enable");
  await state(page, "ENABLED");
  for (let i = 0; i < 3; i++) await page.keyboard.down("1");
  await pause(a_while);
  await mark("key-end");
  await page.keyboard.up("1");

  // a parameter
  await page.getByRole("tab", { name: "Parameters" }).click();
  const parameter = page.locator("#p-command_timeout_s");
  seen.parameter = { was: await parameter.inputValue() };
  await parameter.fill("7");
  await page.locator("body > canvas").focus();
  await pause(a_while);
  seen.parameter.left = await parameter.inputValue();
  await type(parameter, "6");
  await page.locator("body > canvas").focus();
  await pause(a_while);
  seen.parameter.entered = await parameter.inputValue();
}

/** Enables by the button. */
async function enable(page) {
  await page.getByRole("button", { name: "Enable" }).click();
  await state(page, "ENABLED");
}

/** Calls a service without arguments as another client, while the pointer is down elsewhere. */
async function call(page, service) {
  await page.evaluate((service) => new Promise((done) => {
    const socket = new WebSocket(`ws://${location.host}/`, ["foxglove.sdk.v1"]);
    socket.onmessage = (e) => {
      const m = typeof e.data === "string" ? JSON.parse(e.data) : undefined;
      if (m?.op !== "advertiseServices") return;
      const call = new DataView(new ArrayBuffer(1 + 4 + 4 + 4 + 3 + 4));
      call.setUint8(0, 2);
      call.setUint32(1, m.services.find((s) => s.name.endsWith(service)).id, true);
      call.setUint32(9, 3, true);
      [..."cdr"].forEach((c, i) => call.setUint8(13 + i, c.charCodeAt(0)));
      call.setUint8(17, 1);
      socket.send(call.buffer);
      setTimeout(() => done(socket.close()), 300);
    };
  }), `/${service}`);
}

/** Commands a robot whose state another client replaces by an earlier one: by another one of the same time, too. */
async function restored() {
  const page = await calm();
  const box = number(page.locator(".drive"), "long_up");
  const note = page.locator(".note").first();
  await call(page, "save_state");
  seen.restored = [];
  for (const [service, force] of [["reset", "5"], ["reset", "4"], ["restore_state", "3"]]) {
    await type(box, force);
    await page.waitForFunction(() => document.querySelector(".drive > .card").dataset.phase === "commanding");
    await call(page, service);
    await note.waitFor({ state: "visible" });
    await marked(service, () => page.locator("body > canvas").focus()); // which leaves the box, so that it shows what is applied
    seen.restored.push({ note: await note.innerText(), value: await box.inputValue() });
  }
}

/** Has one page relieve another, which then sends nothing, whoever is silent. */
async function relief() {
  const [a, b] = [await calm(), await calm()];
  const about = async (page) => ({
    phase: await page.locator(".drive > .card").first().getAttribute("data-phase"),
    who: await page.locator(".who").first().innerText(),
    button: await page.locator(".drive > .card .take").first().innerText(),
  });
  const box = (page) => number(page.locator(".drive"), "long_up");
  const note = (page) => page.locator(".note").first();
  await type(box(a), "5");
  await pause(1500); // a refusal within a second would mean that another one commanded before
  await b.waitForFunction(() => document.querySelector(".who").textContent.startsWith("commanded by viewer"));
  seen.before = { a: await about(a), b: await about(b) };
  await mark("take-begin");
  await b.getByRole("button", { name: "Take over" }).first().click();
  await note(a).waitFor({ state: "visible" });
  await pause(2500);
  await mark("take-end");
  seen.relieved = { a: await about(a), b: await about(b), note: await note(a).innerText(), value: await box(b).inputValue() };
  // the new commander ends: the one before does not come back by itself, nor by what its stick and sliders still do
  await mark("silent-begin");
  await b.getByRole("button", { name: "Release" }).first().click();
  await pause(1500);
  await a.locator("body > canvas").focus();
  await a.keyboard.down("ArrowRight");
  await pause(a_while);
  await a.keyboard.up("ArrowRight");
  await type(box(a), "3");
  await pause(a_while);
  await mark("silent-end");
  await mark("again-begin");
  await note(a).getByRole("button", { name: "Take over" }).click();
  await pause(a_while);
  await mark("again-end");
  seen.again = await about(a);
}

/** Resets and enables a robot that is commanded, and looks at what the page says beside it. */
async function anew() {
  const page = await calm({ viewport: { width: 1000, height: 560 } });
  const box = number(page.locator(".drive"), "long_up");
  const note = page.locator(".note").first();
  await type(box, "5");
  await pause(a_while);
  await page.locator("#pause").click();
  await state(page, "PAUSED");
  await page.locator("#reset").click();
  await page.waitForFunction(() => document.querySelector(".number").value === "0.00");
  await mark("reset-begin");
  await page.locator("#pause").click();
  await state(page, "ENABLED");
  await pause(a_while);
  await mark("reset-end");
  seen.after_reset = await box.inputValue();

  await page.keyboard.press("Escape");
  await state(page, "FAULT");
  await marked("fault", () => type(box, "3"), 100);
  seen.fault_seen = { note: await note.innerText(), value: await box.inputValue(), label: await page.locator("#pause .label").isVisible() };
  await page.locator("#pause").click();
  await state(page, "ENABLED");
  await pause(100);
  seen.enabled = await note.isVisible();

  // Space after an emergency stop, where the button that enables still has the focus from the pause, and where nothing has
  await page.locator("#pause").click();
  await state(page, "PAUSED");
  await page.keyboard.press("Escape");
  await state(page, "FAULT");
  await page.keyboard.press("Space");
  await page.locator("body > canvas").focus();
  await page.keyboard.press("Space");
  await page.locator(".toast", { hasText: "FAULT: press Enable" }).waitFor();
  await pause(a_while);
  seen.after_space = await page.locator("#state").innerText();
  await page.locator("#pause").click();
  await state(page, "ENABLED");

  await page.evaluate(() => addEventListener("tell", (e) => (window.told = e.detail.text)));
  await marked("beyond", () => type(box, "99"));
  seen.beyond = { told: await page.evaluate(() => window.told), value: await box.inputValue() };
  seen.covered = await page.evaluate(() => document.querySelector(".toast").getBoundingClientRect().right - document.querySelector(".panel").getBoundingClientRect().left);

  await page.getByRole("tab", { name: "Parameters" }).click();
  const policy = page.locator("#p-command_policy");
  seen.words = await policy.evaluate((e) => [...(e.options ?? [])].map((o) => o.value));
  await policy.selectOption("newest");
  await pause(a_while);
  seen.policy = await policy.inputValue();
}

/** Looks at the numbers of a small robot that is driven. */
async function small() {
  const page = await calm();
  await page.locator("body > canvas").focus();
  await page.keyboard.press("h");
  for (const key of ["ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"]) {
    await page.keyboard.down(key);
    await pause(a_while);
    seen.numbers = [...(seen.numbers ?? []), ...(await values(page.locator(".drive > .card")))];
    await page.keyboard.up(key);
  }
  seen.unit = await page.locator("#readout .unit").innerText();
}

/** Keeps a page busy, so that nothing of it runs, for so many s. */
const stall = (page, s) => page.evaluate((s) => {
  for (const end = performance.now() + 1000 * s; performance.now() < end; );
}, s);

/** Commands while the page is busy, makes files, or has slow timers as a hidden one; and while it is busy for too long. */
async function busy() {
  const page = await calm({ acceptDownloads: true, init: () => {
    const real = setInterval;
    window.setInterval = (f, ms) => real(f, Math.max(ms, 1000));
  } });
  const box = number(page.locator(".drive"), "long_up");
  const note = page.locator(".note").first();
  await type(box, "5");
  await pause(a_while);
  await marked("timers", () => pause(2000), 0);
  await marked("stalled", () => stall(page, 3));
  await page.getByRole("tab", { name: "Export" }).click();
  await page.getByRole("combobox", { name: "resolution" }).selectOption("4");
  await marked("png", async () => {
    const file = page.waitForEvent("download");
    await page.locator("#save-picture").click();
    await file;
  });
  await page.getByRole("combobox", { name: "frames per second" }).selectOption("10");
  await marked("gif", async () => {
    const file = page.waitForEvent("download");
    await page.locator("#make-gif").click();
    await file;
  });
  await page.getByRole("tab", { name: "Robot" }).click();
  seen.applied = await box.inputValue();
  seen.phase = await page.locator(".drive > .card").first().getAttribute("data-phase");

  await stall(page, 13);
  await note.waitFor({ state: "visible" });
  seen.lost = { note: await note.innerText(), phase: await page.locator(".drive > .card").first().getAttribute("data-phase") };
  await marked("after", () => pause(a_while));
}

/** Lets go of a key, and presses Escape, while a list is open, which takes the keys of the page. */
async function lists() {
  const page = await calm({ viewport: { width: 1280, height: 1000 } });
  const first = async () => Number((await values(page.locator(".drive")))[0]);
  await page.locator("body > canvas").focus();
  await page.keyboard.down("1");
  await page.waitForFunction(() => Number(document.querySelector(".drive .number").value) > 0.5);
  await page.locator(".plot header select").first().click();
  await page.keyboard.up("1");
  await pause(a_while);
  seen.open = await first();
  await pause(2 * a_while);
  seen.later = await first();
  await page.keyboard.press("Escape");
  await state(page, "FAULT");
}

/** Taps keys that come up before the page has looked at what is held, as on a page that draws slowly. */
async function taps() {
  const page = await calm();
  for (const [name, key, code] of [["arrow", "ArrowRight", "ArrowRight"], ["digit", "1", "Digit1"]]) {
    await marked(name, () => page.locator("body > canvas").evaluate((canvas, [key, code]) => {
      for (const event of ["keydown", "keyup"]) canvas.dispatchEvent(new KeyboardEvent(event, { key, code, bubbles: true }));
    }, [key, code]));
  }
  seen.phase = await page.locator(".drive > .card").first().getAttribute("data-phase");
}

/** Commands, and takes over, on a page whose network keeps everything for longer than a second, while another page commands. */
async function slow() {
  const [a, b] = [await calm(), await calm()];
  const about = async (page) => ({ phase: await page.locator(".drive > .card").first().getAttribute("data-phase"), note: await page.locator(".drive > .card .note").first().innerText() });
  const becomes = (page, phases, options = {}) => page.waitForFunction((p) => p.includes(document.querySelector(".drive > .card").dataset.phase), phases, options);
  /** Acts on b before it hears that a commands. */
  const late = async (act) => {
    await fetch(`${link}keep/1`);
    await type(number(a.locator(".drive"), "long_up"), "5");
    await becomes(a, ["commanding"]);
    await pause(a_while); // it is obeyed
    await act();
    await pause(1500);
    await fetch(`${link}deliver/1`);
  };
  await late(() => type(number(b.locator(".drive"), "long_up"), "3"));
  await becomes(b, ["armed", "relieved"]);
  await pause(a_while);
  seen.typed = await about(b);
  for (const page of [a, b]) {
    await page.locator("body > canvas").focus();
    await page.keyboard.press("Backspace");
    await becomes(page, ["none"]);
    await page.locator(".who").first().waitFor({ state: "hidden" });
  }
  await late(() => b.getByRole("button", { name: "Take over" }).first().click());
  await becomes(a, ["relieved"], { timeout: 20000 }).catch(() => undefined); // which the test sees
  [seen.a, seen.b] = [await about(a), await about(b)];
  await fetch(`${link}keep/1`);
  await b.getByRole("button", { name: "Reset" }).click();
  await b.getByRole("button", { name: "Pause" }).click();
  seen.lost = await b.locator(".toast", { hasText: "pause" }).first().innerText().catch(() => "");
  await fetch(`${link}deliver/1`);
}

run({ restored, poses, pending, relief, anew, small, busy, lists, taps, slow });
