// The connection to the program, beside the page: the page may be busy for longer than the time-out of commands, as while it
// makes a picture, and what it commands is to be repeated meanwhile.

import { notInCommand, restored } from "./commands";

/** What the page asks for. */
export type Request =
  | { do: "open"; url: string; protocols: string[] }
  | { do: "close" }
  | { do: "send"; data: string | Uint8Array<ArrayBuffer> }
  /** Send a command of a topic now, and again every period (ms) until it is released. A gap of timeout (ms) ends it; 0: none. */
  | { do: "hold"; topic: string; data: Uint8Array<ArrayBuffer>; period: number; timeout: number }
  | { do: "release"; topic: string }
  /** The page is at work. */
  | { do: "alive" };

/** What the page is told. */
export type Event =
  | { is: "open"; protocol: string }
  | { is: "close"; reason: string }
  | { is: "message"; data: string | ArrayBuffer }
  /** A command is repeated no more, because one of them was silent for so many ms. */
  | { is: "lost"; topic: string; gap: number; of: Silent }
  | { is: "asked" };

/** What was silent: the browser, which sent no commands; the page, which was not at work; or the program, from which nothing came. */
export type Silent = "browser" | "page" | "program";

interface Held {
  data: Uint8Array<ArrayBuffer>;
  timeout: number;
  sent: number; // ms
  timer: number;
}

const scope = self as unknown as { onmessage: (e: MessageEvent<Request>) => void; postMessage(m: Event, transfer?: Transferable[]): void };
const patience = 10_000; // ms, for which a page that does not answer is taken to be busy; after that nobody can stop what it commands
const asking = 500; // ms
const telling = 1000; // ms, after which the program sends something whatever it does
const held = new Map<string, Held>();
let socket: WebSocket | undefined;
let alive = performance.now();
let heard = 0; // ms, when something came from the program

scope.onmessage = (e) => take(e.data);
setInterval(() => scope.postMessage({ is: "asked" }), asking);

function take(r: Request): void {
  alive = performance.now();
  switch (r.do) {
    case "open":
      connect(r.url, r.protocols);
      break;
    case "close":
      socket?.close();
      break;
    case "send":
      if (socket?.readyState === WebSocket.OPEN) socket.send(r.data);
      break;
    case "hold":
      hold(r);
      break;
    case "release":
      end(r.topic);
      break;
  }
}

function connect(url: string, protocols: string[]): void {
  socket?.close();
  end();
  const s = new WebSocket(url, protocols);
  socket = s;
  s.binaryType = "arraybuffer";
  const mine = (f: () => void) => socket === s && f();
  s.onopen = () => mine(() => scope.postMessage({ is: "open", protocol: s.protocol }));
  s.onclose = (e) => mine(() => {
    end();
    scope.postMessage({ is: "close", reason: e.reason });
  });
  s.onmessage = (e: MessageEvent<string | ArrayBuffer>) => mine(() => {
    const { data } = e;
    heard = performance.now();
    if (typeof data === "string") ended(data);
    scope.postMessage({ is: "message", data }, typeof data === "string" ? [] : [data]);
  });
}

/** Ends the commands of which the program says that somebody else commands instead, or that the robot is in another state than the
 * one they were for: that does not wait for the page. */
function ended(text: string): void {
  if (held.size === 0 || !(text.includes(notInCommand) || text.includes(restored))) return;
  const { op, id = "" } = JSON.parse(text) as { op: string; id?: string };
  if (op === "status") for (const topic of held.keys()) if (id === `${notInCommand}:${topic}` || (id.startsWith(`${restored}:`) && topic.startsWith(`${id.slice(restored.length + 1)}/`))) end(topic);
}

function hold({ topic, data, period, timeout }: { topic: string; data: Uint8Array<ArrayBuffer>; period: number; timeout: number }): void {
  const h = held.get(topic) ?? { data, timeout, sent: 0, timer: setInterval(() => repeat(topic), period) as unknown as number };
  held.set(topic, h);
  [h.data, h.timeout] = [data, timeout];
  send(h);
}

function send(h: Held): void {
  h.sent = performance.now();
  if (socket?.readyState === WebSocket.OPEN) socket.send(h.data);
}

/** Sends a command again, unless the robot has been released meanwhile, as far as can be seen here, or nobody could stop it. */
function repeat(topic: string): void {
  const h = held.get(topic)!;
  const now = performance.now();
  const limits: [Silent, number, number][] = [["page", now - alive, patience]];
  if (h.timeout > 0) limits.push(["browser", now - h.sent, h.timeout], ["program", now - heard, h.timeout + telling]);
  const silent = limits.find(([, gap, most]) => gap > most);
  if (!silent) {
    send(h);
    return;
  }
  end(topic);
  scope.postMessage({ is: "lost", topic, gap: silent[1], of: silent[0] });
}

/** Ends a command, or all of them. */
function end(topic?: string): void {
  for (const [t, h] of held) {
    if (topic !== undefined && t !== topic) continue;
    clearInterval(h.timer);
    held.delete(t);
  }
}
