// Uses two pages at a recorder of commands at random, as people do who change their minds, and tells for each action what it
// meant: which pages command after it, and on which one a command waits for a click.
//
// Arguments: the link of the recorder, "random", a seed and how many actions. The output is one JSON object.
const { args, seen, open, state, pause, run } = require("./session");

const link = process.argv[2];
const [seed, count] = args.map(Number);
const mark = (name) => fetch(`${link}mark/${name}`);
const stopped = ["FAULT", "DISABLED"];
const never = "7.77"; // N, which is typed again and again and never entered
const patience = 20000; // ms, until which both pages have heard of what one of them did, on a busy computer too

/** Numbers from 0 to 1 of a seed (mulberry32). */
function generator(a) {
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

async function random() {
  const r = generator(seed);
  const pick = (list) => list[Math.floor(r() * list.length)];
  const calm = () => open(link, { acceptDownloads: true, before: `
    for (const name of ["drawElements", "drawArrays", "drawElementsInstanced", "drawArraysInstanced"]) WebGL2RenderingContext.prototype[name] = () => undefined;` });
  const pages = [await calm(), await calm()];
  const numbers = [0, 1]; // of the connections of the pages
  let next = 2;
  let now = "ENABLED"; // operating state
  let may = [false, false]; // whether a page commands
  let waits = [false, false]; // whether it waits for a click there, because the other page has commanded or taken over
  /** Clicks what a selector finds as a person does, whom nothing makes wait until it stands still. */
  const click = (p, selector) => pages[p].evaluate((s) => {
    const e = document.querySelector(s);
    e.focus(); // what has been typed elsewhere is left
    e.click();
  }, selector);
  const robot = (p) => click(p, "#to-Robot");
  const box = (p) => pages[p].locator(".drive").getByRole("textbox", { name: /^long_up,/ });
  const canvas = (p) => pages[p].locator("body > canvas");
  const phase = (p) => pages[p].locator(".drive > .card").first().getAttribute("data-phase");
  const note = (p) => pages[p].locator(".drive > .card .note").first().evaluate((e) => (e.hidden ? "" : e.textContent));
  const both = (name) => Promise.all(pages.map((p) => p.waitForFunction((s) => document.querySelector("#state").textContent === s, name, { polling: 20 })));
  /** Waits until both pages show whether they command: those that do not after that show it to the test. */
  const settle = async () => {
    const shows = async (p) => (may[p] ? ["commanding"] : waits[p] ? ["armed", "relieved"] : ["none"]).includes(await phase(p));
    for (const end = Date.now() + patience; Date.now() < end && !((await shows(0)) && (await shows(1))); ) await pause(10);
  };
  const free = (p) => (may[p] = waits[p] = false);
  const nobody = () => [0, 1].forEach(free);
  /** A page commands where commands are taken, and while time stands still, unless the other page does: then it waits for a click, also
   * when the other one has ended. */
  const commands = (p) => {
    if (stopped.includes(now) || waits[p]) return;
    if (may[1 - p]) waits[p] = true;
    else may[p] = true;
  };
  const bar = async (p, id, to) => {
    await click(p, id);
    await both(to);
    now = to;
  };
  const actions = {
    async enter(p) {
      await box(p).fill(String(Math.round(10 * r()) / 2));
      await box(p).press("Enter");
      commands(p);
    },
    async slide(p) {
      const slider = await pages[p].getByRole("slider", { name: "long_up", exact: true }).boundingBox();
      const at = (u) => [slider.x + 8 + u * (slider.width - 16), slider.y + slider.height / 2];
      await pages[p].mouse.move(...at(0.1 * r()));
      await pages[p].mouse.down();
      await pages[p].mouse.move(...at(0.5 * r()));
      await pages[p].mouse.up();
      commands(p);
    },
    async hold(p) { // a key of the stick or of a slider
      const key = pick(["ArrowRight", "ArrowUp", "ArrowLeft", "1", "2"]);
      await canvas(p).focus();
      await pages[p].keyboard.down(key);
      await pause(120);
      await pages[p].keyboard.up(key);
      commands(p);
    },
    async half(p) { // typed and left
      await box(p).fill(never);
      await pick([() => canvas(p).focus(), () => pages[p].keyboard.press("Tab"), () => robot(1 - p), () => robot(p)])();
    },
    async half_stop(p) {
      await box(p).fill(never);
      await (r() < 0.5 ? pages[p].keyboard.press("Escape") : click(p, "#estop"));
      nobody();
      await both("FAULT");
      now = "FAULT";
    },
    async enable(p) {
      if (now === "ENABLED") return;
      await bar(p, "#pause", "ENABLED");
    },
    async pause(p) {
      if (now === "ENABLED") await bar(p, "#pause", "PAUSED");
    },
    async reset(p) {
      await click(p, "#reset");
      nobody();
    },
    async release(p) {
      await canvas(p).focus();
      await pages[p].keyboard.press("Backspace");
      free(p);
    },
    async take(p) {
      if (stopped.includes(now)) return;
      const taken = await pages[p].evaluate(() => {
        const b = [...document.querySelectorAll(".drive > .card button")].find((b) => b.textContent === "Take over" && b.offsetParent); // none of the folded cards
        b?.focus();
        b?.click();
        return b !== undefined;
      });
      if (!taken) return;
      waits = [0, 1].map((q) => q !== p && (may[q] || waits[q]));
      may = [p === 0, p === 1];
    },
    async stall(p) {
      await pages[p].evaluate((ms) => {
        for (const end = performance.now() + ms; performance.now() < end; );
      }, 900 * r());
    },
    async picture(p) {
      await click(p, "#to-Export");
      await pages[p].getByLabel("resolution").selectOption("1");
      const file = pages[p].waitForEvent("download");
      await click(p, "#save-picture");
      await file;
    },
    async parameter(p) {
      await click(p, "#to-Parameters");
      await pages[p].locator("#p-command_timeout_s").fill(never);
      await canvas(p).focus();
    },
    async look(p) {
      await pages[p].mouse.move(200, 300);
      await pages[p].mouse.down();
      await pages[p].mouse.move(200 + 80 * r(), 300 + 80 * r());
      await pages[p].mouse.up();
      await pages[p].mouse.wheel(0, 100 * (r() - 0.5));
      await canvas(p).focus();
      await pages[p].keyboard.press(pick(["x", "y", "h", "f", "t"]));
    },
    async again(p) {
      await pages[p].reload();
      numbers[p] = next++;
      free(p);
      await state(pages[p], now);
      await pages[p].waitForFunction(() => document.querySelector(".drive .number"));
    },
  };
  const often = ["enter", "enter", "slide", "hold", "half", "enable"]; // those that meet the others in every way
  seen.actions = [];
  for (let i = 0; i < count; i++) {
    const p = r() < 0.5 ? 0 : 1;
    const name = r() < 0.5 ? pick(often) : pick(Object.keys(actions));
    await robot(p);
    await mark(`${i}-begin`);
    await actions[name](p);
    await settle();
    const silent = await Promise.all([0, 1].map(async (p) => !may[p] && (await (await fetch(`${link}silent/${numbers[p]}`)).json())));
    const [phases, notes] = await Promise.all([phase, note].map((f) => Promise.all([f(0), f(1)])));
    await mark(`${i}-end`);
    seen.actions.push({ name, page: p, numbers: [...numbers], state: now, may: [...may], waits: [...waits], silent, phases, notes });
  }
  seen.parameter = await pages[0].locator("#p-command_timeout_s").inputValue();
}

run({ random });
