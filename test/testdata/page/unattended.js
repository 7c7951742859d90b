// Commands at a recorder of commands, and then is not there: a gamepad that nobody watches, a finger that is taken away, a tab and a
// browser that stand still, a network that swallows everything. Tells what the page shows then.
//
// Arguments: the link of the recorder, and "unattended". Marks in the record separate what is done. The output is one JSON object.
const { readdirSync, readFileSync } = require("node:fs");
const { seen, open, undrawn, pause, run } = require("./session");

const link = process.argv[2];
const ask = (path) => fetch(`${link}${path}`);
const card = (page) => page.locator(".drive > .card").first();
const phase = (page) => card(page).getAttribute("data-phase");
const box = (page) => page.locator(".drive").getByRole("textbox", { name: /^long_up,/ });
const becomes = (page, to) => page.waitForFunction((to) => document.querySelector(".drive > .card").dataset.phase === to, to, { polling: 20 });
const a_while = 500; // ms, of a dozen commands

/** Does something between two marks, and for a while after. What was commanded before has ended at the recorder, too. */
async function marked(name, act, ms = a_while) {
  await ask("released");
  await ask(`mark/${name}-begin`);
  await act();
  await pause(ms);
  await ask(`mark/${name}-end`);
}

async function command(page) {
  await box(page).fill("5");
  await box(page).press("Enter");
  await becomes(page, "commanding");
}

/** What the page says of the command that has ended. */
async function lost(page) {
  await becomes(page, "none");
  return card(page).locator(".note").innerText();
}

/** Processes of the browser: those that this one has begun, and theirs. */
function browsers() {
  const parents = new Map();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number)) {
    try {
      parents.set(pid, Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))[1]));
    } catch { /* it has ended */ }
  }
  const mine = (pid) => pid === process.pid || (parents.has(pid) && mine(parents.get(pid)));
  return [...parents.keys()].filter((pid) => pid !== process.pid && mine(pid));
}

async function unattended() {
  const page = await open(link, { viewport: { width: 800, height: 1000 }, hasTouch: true, ...undrawn(`
    window.axes = [0, -1];
    navigator.getGamepads = () => window.axes && [{ axes: window.axes }];
    Object.defineProperty(document, "visibilityState", { get: () => window.hides ? "hidden" : "visible" });`) });
  const browser = await page.context().newCDPSession(page);
  const push = (...axes) => page.evaluate((axes) => (window.axes = axes), axes);
  const hide = (yes) => page.evaluate((yes) => {
    window.hides = yes;
    document.dispatchEvent(new Event("visibilitychange"));
  }, yes);
  const values = () => page.locator(".drive > .card .number").evaluateAll((all) => all.map((e) => Number(e.value)));

  await marked("loaded", () => pause(a_while)); // the stick of the gamepad was pushed before
  await push(0, 0);
  await pause(100);
  await marked("pushed", () => push(0, -1));
  seen.pushed = Math.max(...(await values()));
  await hide(true);
  await pause(a_while);
  seen.hidden = Math.max(...(await values()));
  await hide(false);
  await pause(a_while);
  seen.back = Math.max(...(await values()));
  await push(0, 0);
  await page.locator("body > canvas").focus();
  await page.keyboard.press("Backspace");

  const field = await page.locator(".pad .field").boundingBox();
  const [x, y] = [field.x + field.width / 2, field.y + field.height / 2];
  const touch = (type, ...touchPoints) => browser.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", { x, y });
  await touch("touchMove", { x, y: y - 40 });
  await pause(a_while);
  seen.touched = Math.max(...(await values()));
  await touch("touchCancel");
  await pause(a_while);
  seen.cancelled = Math.max(...(await values()));
  await page.locator("body > canvas").focus();
  await page.keyboard.press("Backspace");

  await box(page).fill("");
  await marked("composed", async () => {
    await browser.send("Input.imeSetComposition", { text: "7", selectionStart: 1, selectionEnd: 1 });
    await page.keyboard.press("Enter");
  });
  await page.locator("body > canvas").focus();

  await command(page);
  await browser.send("Page.setWebLifecycleState", { state: "frozen" });
  await pause(3000);
  await browser.send("Page.setWebLifecycleState", { state: "active" });
  await pause(a_while);
  seen.frozen = { phase: await phase(page), note: await card(page).locator(".note").evaluate((e) => (e.hidden ? "" : e.textContent)) };

  await command(page);
  const all = browsers();
  all.forEach((pid) => process.kill(pid, "SIGSTOP"));
  await pause(5000);
  all.forEach((pid) => process.kill(pid, "SIGCONT"));
  seen.stopped = await lost(page);
  await marked("stopped", () => pause(a_while));

  await command(page);
  await ask("swallow/on");
  seen.swallowed = await lost(page);
  await ask("swallow/off");
  await marked("swallowed", () => pause(a_while));
}

run({ unattended });
