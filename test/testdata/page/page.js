// Uses the page of a program in Chromium, as a person would, and tells what it saw.
//
// Arguments: the program, and what to do: "tendons" and the file of another robot drives a rod beside hardware, stops it,
// ends the program under the page and starts it again, with the other robot too; "field" drives a swimmer; "pictures"
// and a directory takes pictures of the page; "recording" and two files looks at those. The output is one JSON object.
const { readFileSync } = require("node:fs");
const { args, seen, start, serve, open, tab, state, position, distance, pause, canvas, drag, frames, moved, run } = require("./session");

const [directory, bare] = args;

async function tendons() {
  const args = ["--no-demo", "_command_timeout_s:=5"]; // a page that draws slowly is not to lose the robot now and then
  let p = await start("127.0.0.1:0", ...args);
  const page = await open(p.link);
  await frames(page);
  const before = await position(page);
  const straight = await canvas(page);
  seen.name = await page.title();

  await drag(page, "long_up", 0.5);
  await moved(page, before, 0.01);
  await frames(page);
  const bent = await canvas(page);
  Object.assign(seen, { colors: straight.colors, changed: straight.picture !== bent.picture, bent: distance(before, await position(page)) });

  // somebody else commands, by a connection of its own
  await page.getByRole("button", { name: "Release" }).click();
  await pause(500);
  await page.evaluate(() => {
    const socket = new WebSocket(`ws://${location.host}/`, ["foxglove.sdk.v1"]);
    const command = new TextEncoder().encode(".\u0001\0\0\0" + JSON.stringify({ effort: [0, 1, 0, 0] }));
    command[0] = 1;
    socket.onopen = () => {
      socket.send(JSON.stringify({ op: "advertise", channels: [{ id: 1, topic: "/tendonsim/servo_jf", encoding: "json", schemaName: "sensor_msgs/msg/JointState" }] }));
      const stream = setInterval(() => socket.send(command), 20);
      socket.onclose = () => clearInterval(stream);
    };
    window.other = socket;
  });
  await page.waitForFunction(() => document.querySelector(".number").value === "0.00" && document.querySelectorAll(".number")[1].value === "1.00");
  await drag(page, "long_up", 0.4);
  const note = page.locator(".note").first();
  await note.waitFor({ state: "visible" });
  seen.refused = await note.innerText();
  await note.getByRole("button", { name: "Take over" }).click();
  await page.waitForFunction(() => document.querySelector(".note").hidden && Number(document.querySelectorAll(".number")[0].value) > 1);
  await page.evaluate(() => {
    window.other.onclose();
    window.other.close();
  });

  await page.locator("#pause").click();
  await state(page, "PAUSED");
  await frames(page);
  const still = await position(page);
  await pause(700);
  seen.moved_while_paused = distance(still, await position(page));
  await page.locator("body > canvas").focus();
  await page.keyboard.press("Space");
  await state(page, "ENABLED");

  await page.keyboard.press("Escape");
  await state(page, "FAULT");
  seen.reason = await page.locator(".reason").innerText();
  await page.getByRole("button", { name: "Enable" }).click();
  await state(page, "ENABLED");

  await hardware(page);

  p.kill();
  await state(page, "connection lost");
  p = await start(new URL(p.link).host, ...args);
  await state(page, "ENABLED");
  const again = await position(page);
  await drag(page, "long_up", 0.6);
  await moved(page, again, 0.01);
  seen.again = true;

  // another robot
  p.kill();
  await state(page, "connection lost");
  p = await start(new URL(p.link).host, ...args, "--config", directory);
  await state(page, "ENABLED");
  await page.getByRole("slider", { name: "front", exact: true }).waitFor();
  const upright = await position(page);
  await drag(page, "front", 0.5);
  await moved(page, upright, 0.01);
  seen.controls = await page.evaluate(() => [...document.querySelectorAll(".drive > .card input[type=range]")].map((s) => s.getAttribute("aria-label")));
  await page.getByRole("button", { name: "Release" }).click();
  await page.waitForFunction(() => document.querySelector(".drive input[aria-label=front]").value === "0"); // when the time is over

  // a phone
  await page.setViewportSize({ width: 360, height: 740 });
  await pause(500);
  await fingers(page);
  seen.overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const stop = await page.locator("#estop").boundingBox();
  seen.stop_in_reach = stop.x >= 0 && stop.x + stop.width <= 360 && stop.y + stop.height <= 740;
  await page.locator("#estop").click();
  await state(page, "FAULT");
}

/** Has somebody tell where the hardware is, and tells what the page then shows: the ghost, and the error among the plots. */
async function hardware(page) {
  const titles = () => page.evaluate(() => [...document.querySelectorAll(".plot select")].map((s) => s.selectedOptions[0].text));
  await page.getByRole("button", { name: "show everything (F)" }).click();
  await frames(page);
  const before = { plots: await titles(), orange: (await hues(page)).orange };
  await page.evaluate(() => {
    const socket = new WebSocket(`ws://${location.host}/`, ["foxglove.sdk.v1"]);
    const send = (id, m) => socket.send(new Uint8Array([1, id, 0, 0, 0, ...new TextEncoder().encode(JSON.stringify(m))]));
    const pose = (x, z) => ({ position: { x, y: 0, z }, orientation: { x: 0, y: 0, z: 0, w: 1 } });
    socket.onopen = () => {
      socket.send(JSON.stringify({ op: "advertise", channels: [
        { id: 1, topic: "/tendonsim/hardware/backbone", encoding: "json", schemaName: "geometry_msgs/msg/PoseArray" },
        { id: 2, topic: "/tendonsim/hardware/measured_cp", encoding: "json", schemaName: "geometry_msgs/msg/PoseStamped" },
      ] }));
      const stream = setInterval(() => {
        const now = Date.now();
        const header = { stamp: { sec: Math.floor(now / 1000), nanosec: (now % 1000) * 1e6 }, frame_id: "world" };
        send(1, { header, poses: [0, 0.08, 0.16, 0.24].map((x) => pose(x, 0.3 * x)) });
        send(2, { header, pose: pose(0.24, 0.072) });
      }, 50);
      socket.onclose = () => clearInterval(stream);
    };
    window.measured = socket;
  });
  await page.waitForFunction(() => document.querySelectorAll(".plot select")[1].selectedOptions[0].text === "error against hardware" && Number(document.querySelectorAll(".plot")[1].querySelector(".legend b")?.textContent) > 1);
  await frames(page);
  seen.hardware = { before, after: { plots: await titles(), orange: (await hues(page)).orange } };
  await page.evaluate(() => {
    window.measured.onclose();
    window.measured.close();
  });
}

/** Uses the page with fingers: they scroll the panel from a slider without moving that, slide, turn the picture and pinch it. */
async function fingers(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  const at = (type, points) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const swipe = async (...ways) => {
    const between = (u) => ways.map(([a, b]) => a.map((x, i) => x + u * (b[i] - x)));
    await at("touchStart", between(0));
    for (let k = 1; k <= 8; k++, await pause(20)) await at("touchMove", between(k / 8));
    await at("touchEnd", []);
    await pause(400);
  };
  const slider = page.getByRole("slider", { name: "front", exact: true });
  const box = async () => {
    const b = await slider.boundingBox();
    return (u) => [b.x + 8 + u * (b.width - 16), b.y + b.height / 2];
  };
  const now = async () => ({ value: await slider.inputValue(), live: await page.locator(".card.live").count(), scrolled: await page.evaluate(() => document.querySelector(".tab").scrollTop) });
  let to = await box();
  await swipe([to(0.7), [to(0.7)[0], to(0.7)[1] - 120]]);
  seen.swiped = await now();
  await page.evaluate(() => (document.querySelector(".tab").scrollTop = 0));
  to = await box();
  await swipe([to(0), to(0.6)]);
  seen.slid = await now();
  const view = () => page.evaluate(() => [document.querySelector(".cross").toDataURL(), document.querySelector(".scale").innerText + document.querySelector(".scale i").style.width]);
  const was = await view();
  await swipe([[100, 200], [220, 230]]);
  const turned = await view();
  await swipe([[140, 220], [60, 220]], [[200, 220], [280, 220]]);
  const pinched = await view();
  seen.fingers = { turned: was[0] !== turned[0], pinched: turned[1] !== pinched[1], page: await page.evaluate(() => scrollY || visualViewport.scale - 1) };
}

async function field() {
  let p = await start("0.0.0.0:0", "--no-demo"); // for others than this computer, with a token
  const page = await open(p.link);
  await pause(1000);
  const before = await position(page);
  await drag(page, "amplitude", 0.4); // the frequency is that of the demo
  await moved(page, before, 5e-5);
  Object.assign(seen, { name: await page.title(), bent: distance(before, await position(page)), colors: (await canvas(page)).colors });

  p.kill();
  await state(page, "connection lost");
  p = await start("0.0.0.0:" + new URL(p.link).port, "--no-demo");
  await state(page, "refused");
  seen.reason = await page.locator(".reason").innerText();
  await page.context().close(); // it asks again and again
  seen.errors = seen.errors.filter((e) => !/403|ERR_CONNECTION_REFUSED/.test(e)); // as the browser tells of the answer
}

/** Opens a recording, goes to its end while it stands, and tells how much of the canvas has each of the colours that are drawn. */
async function recording() {
  const p = await serve("view", directory, "--view", "127.0.0.1:0");
  const page = await tab(800, 560);
  await page.goto(p.link);
  await page.waitForFunction(() => Number(document.querySelector("body > canvas")?.dataset.frames) > 3);
  await page.locator("#play").click();
  await page.locator("body > canvas").focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => Number(document.querySelector(".moment").dataset.t) > 19.9);
  await pause(3000);
  const csv = page.waitForEvent("download");
  await page.locator(".plot .link").first().click({ force: true });
  const rows = readFileSync(await (await csv).path(), "utf8").trim().split("\n").slice(1).map((row) => Number(row.split(",")[0]));
  seen.plotted = rows.at(-1) - rows[0];
  seen.name = await page.title();
  seen.hues = await hues(page);
  seen.titles = await page.evaluate(() => [...document.querySelectorAll(".plot select")].map((s) => s.selectedOptions[0].text));

  // one with nothing to plot
  const q = await serve("view", bare, "--view", "127.0.0.1:0");
  await page.goto(q.link);
  await page.waitForFunction(() => Number(document.querySelector("body > canvas")?.dataset.frames) > 3);
  await page.waitForFunction(() => document.querySelector(".plots").textContent.includes("nothing here that could be plotted"));
  await pause(500);
  seen.bare = { ...(await hues(page)), plots: await page.locator(".plot").count(), readout: await page.locator("#readout").innerText() };
}

/** How many pixels of the canvas have each of the colours that are drawn. */
async function hues(page) {
  const png = await page.screenshot({ clip: { x: 0, y: 90, width: 460, height: 330 }, timeout: 60000 });
  return page.evaluate(async (list) => {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(list)]));
    const c = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    c.drawImage(bitmap, 0, 0);
    const d = c.getImageData(0, 0, bitmap.width, bitmap.height).data;
    const n = { red: 0, green: 0, blue: 0, yellow: 0, orange: 0 };
    for (let i = 0; i < d.length; i += 4) {
      const [r, g, b] = [d[i], d[i + 1], d[i + 2]];
      if (r > 1.6 * g && r > 1.6 * b && r > 60) n.red++;
      if (g > 1.6 * r && g > 1.6 * b && g > 60) n.green++;
      if (b > 1.6 * r && b > 1.6 * g && b > 60) n.blue++;
      if (r > 1.6 * b && g > 1.6 * b && r > 60) n.yellow++;
      if (r > 70 && r > 1.2 * g && g > 1.2 * b) n.orange++;
    }
    return n;
  }, [...png]);
}

async function pictures() {
  const p = await start("127.0.0.1:0");
  for (const [name, width, height, colorScheme] of [["desktop_dark", 1280, 800, "dark"], ["desktop_light", 1280, 800, "light"], ["phone_dark", 360, 740, "dark"], ["phone_light", 390, 844, "light"]]) {
    const page = await open(p.link, { viewport: { width, height }, colorScheme, reducedMotion: "no-preference" });
    await pause(6000);
    await page.screenshot({ path: `${directory}/${name}.png`, timeout: 90000 });
    await page.context().close();
  }
}

run({ tendons, field, recording, pictures });
