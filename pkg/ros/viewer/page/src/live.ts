// A robot that runs, or a recording, by the Foxglove WebSocket protocol. The connection is made again whenever it is
// lost; the program may be another one then.
import { FoxgloveClient, type Channel, type Parameter as WireParameter, type ServerInfo, type Service } from "@foxglove/ws-protocol";
import { parse } from "@foxglove/rosmsg";
import { MessageReader, MessageWriter } from "@foxglove/rosmsg2-serialization";
import { controlMessage, playbackState } from "./playback";
import { Socket } from "./socket";
import type { Silent } from "./socket_worker";
import type { DataSource, Listener, Message, Panel, Parameter, Reply } from "./source";

/** The page is drawn at this rate, and gets no more. */
const maxHz = 60;
const firstPause = 250; // ms, before a connection is made again
const longestPause = 2000;
const look = 1000; // ms, between looks at a connection
const silence = 4; // looks without a message in between, after which a connection is given up
const callTimeout = 5000; // ms

interface Moment {
  sec: number;
  nsec: number;
}

const seconds = (m: Moment) => m.sec + m.nsec / 1e9;

/** A time since 1970 in s, to the microsecond that the numbers of a page have. */
const nanoseconds = (t: number) => String(BigInt(Math.max(0, Math.round(t * 1e6))) * 1000n);

const commandCode = 1; // of the protocol: client message data, with the number of the channel
const commandHeader = 5; // bytes before the JSON
const pastHeader = 13; // bytes before the CDR of a message of the past

interface Subscription {
  id: number;
  topic: string;
  reader: MessageReader;
}

interface Call {
  service: Service;
  done: (r: Reply) => void;
  timer: number;
}

export class LiveSource implements DataSource {
  readonly live = true;
  #to!: Listener;
  #url: string;
  #client?: FoxgloveClient;
  #socket?: Socket;
  #pause = firstPause;
  #silent = 0; // looks since the last message
  #refused = false; // the program runs and does not let this page in
  #info?: ServerInfo;
  #channels = new Map<string, Channel>();
  #services = new Map<string, Service>();
  #wanted = new Set<string>();
  #subscriptions = new Map<number, Subscription>();
  #byTopic = new Map<string, number>();
  #published = new Map<string, number>();
  #timeout = 0; // of commands, s; 0: none
  #calls = new Map<number, Call>();
  #lastCall = 0;
  #encoder = new TextEncoder();

  constructor(page: Location) {
    const query = new URLSearchParams(page.search);
    query.set("max_hz", String(maxHz));
    this.#url = `${page.protocol === "https:" ? "wss" : "ws"}://${page.host}${page.pathname}?${query}`;
  }

  address(): string {
    const url = new URL(this.#url);
    url.searchParams.delete("max_hz");
    return url.toString();
  }

  start(to: Listener): void {
    this.#to = to;
    this.#connect();
    setInterval(() => this.#watch(), look);
    addEventListener("online", () => this.#socket?.state === "closed" && this.#connect());
  }

  /**
   * Ends a connection on which nothing comes: the program sends something every second. Looks are counted and not the
   * time: on a computer that stood still, or draws slowly, messages wait for the page, and come between two looks.
   */
  #watch(): void {
    if (!this.#open || document.visibilityState !== "visible" || this.#silent++ < silence) return;
    const client = this.#open;
    this.#socket!.close();
    this.#lost(client, `no data for ${(silence * look) / 1000} s`);
  }

  /** The client while what it sends has somewhere to go: from when a program has died until the browser tells, it has not. */
  get #open(): FoxgloveClient | undefined {
    return this.#socket?.state === "open" ? this.#client : undefined;
  }

  #connect(): void {
    if (!this.#refused) this.#to.link("connecting", "");
    const socket = new Socket(this.#url, ["foxglove.sdk.v1", FoxgloveClient.SUPPORTED_SUBPROTOCOL]);
    const client = new FoxgloveClient({ ws: socket });
    this.#socket = socket;
    this.#client = client;
    this.#silent = 0;
    const mine = (f: () => void) => {
      if (this.#client !== client) return;
      this.#silent = 0;
      f();
    };
    socket.onraw = (data) => this.#client === client && this.#playback(data);
    socket.onlost = (topic, gap, of) => this.#client === client && this.#ended(topic, gap, of);
    client.on("serverInfo", (info) => mine(() => (this.#info = info)));
    client.on("advertise", (list) => mine(() => list.forEach((c) => this.#channels.set(c.topic, c))));
    client.on("advertiseServices", (list) => mine(() => {
      list.forEach((s) => this.#services.set(s.name, s));
      this.#joined(client);
    }));
    client.on("message", (m) => mine(() => this.#message(m.subscriptionId, m.timestamp, m.data as DataView)));
    client.on("status", (s) => mine(() => this.#to.status(s.level, s.message, s.id ?? "")));
    client.on("parameterValues", (m) => mine(() => this.#to.parameters(m.parameters as unknown as Parameter[])));
    client.on("serviceCallResponse", (m) => mine(() => this.#answered(m.callId, m.data as DataView)));
    client.on("serviceCallFailure", (m) => mine(() => this.#finish(m.callId, { success: false, message: m.message })));
    client.on("error", () => undefined); // close follows
    client.on("close", (e) => this.#lost(client, e.reason));
  }

  #joined(client: FoxgloveClient): void {
    let panel: Panel;
    try {
      panel = JSON.parse(this.#info!.metadata!["panel"]) as Panel;
      panel.ports ??= [];
    } catch {
      this.#to.link("refused", 'the server sent no metadata "panel": this page and the program are of different versions; reload the page');
      return;
    }
    this.#pause = firstPause;
    this.#refused = false;
    this.#timeout = panel.timeout;
    this.#to.joined(this.#info!.name, panel, new Set(this.#channels.keys()), this.#info!.capabilities.includes("playbackControl" as never));
    this.#wanted.forEach((topic) => this.#subscribe(topic));
    if (this.#info!.capabilities.includes("parameters")) {
      client.subscribeParameterUpdates([]);
      client.getParameters([], "all");
    }
    this.#to.link("open", "");
  }

  #lost(client: FoxgloveClient, why: string): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    [this.#channels, this.#services, this.#subscriptions, this.#byTopic, this.#published].forEach((m) => m.clear());
    [...this.#calls.keys()].forEach((id) => this.#finish(id, { success: false, message: "the connection was lost" }));
    if (!this.#refused) this.#to.link("lost", why);
    void this.#findRefusal();
    setTimeout(() => this.#client ?? this.#connect(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, longestPause);
  }

  /** Finds out whether the program runs and does not want this page: one that was started anew has another token. */
  async #findRefusal(): Promise<void> {
    if (!new URLSearchParams(location.search).has("token")) return;
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
    this.#refused = answer?.status === 403;
    if (this.#refused) this.#to.link("refused", 'The token of this link is not valid any more (the program was restarted): open the link in its line "view".');
  }

  #subscribe(topic: string): void {
    const channel = this.#channels.get(topic);
    const client = this.#open;
    if (!channel || !client || this.#byTopic.has(topic)) return;
    const id = client.subscribe(channel.id);
    this.#subscriptions.set(id, { id, topic, reader: new MessageReader(parse(channel.schema, { ros2: true })) });
    this.#byTopic.set(topic, id);
  }

  want(topic: string): void {
    this.#wanted.add(topic);
    this.#subscribe(topic);
  }

  forget(topic: string): void {
    this.#wanted.delete(topic);
    const id = this.#byTopic.get(topic);
    if (id === undefined) return;
    this.#byTopic.delete(topic);
    this.#subscriptions.delete(id);
    this.#open?.unsubscribe(id);
  }

  #message(id: number, stamp: bigint, data: DataView): void {
    const s = this.#subscriptions.get(id);
    if (s) this.#to.message({ topic: s.topic, time: Number(stamp) / 1e9, data: s.reader.readMessage(data) });
  }

  get name(): string {
    return this.#info?.metadata?.["commander"] ?? "";
  }

  hold(topic: string, schema: string, message: object): void {
    const client = this.#open;
    if (!client) return;
    let id = this.#published.get(topic);
    if (id === undefined) {
      id = client.advertise({ topic, encoding: "json", schemaName: schema });
      this.#published.set(topic, id);
    }
    const json = this.#encoder.encode(JSON.stringify(message));
    const frame = new Uint8Array(commandHeader + json.length);
    new DataView(frame.buffer).setUint8(0, commandCode);
    new DataView(frame.buffer).setUint32(1, id, true);
    frame.set(json, commandHeader);
    this.#socket!.hold(topic, frame, this.#timeout);
  }

  /** Tells that a command has ended because it could not be repeated in time. */
  #ended(topic: string, gap: number, of: Silent): void {
    const s = (gap / 1000).toFixed(2);
    const why = {
      page: `this page did not respond for ${s} s (limit 10 s).`,
      browser: `the browser sent none for ${s} s; allowed: command_timeout_s = ${this.#timeout} s. The robot has timed out.`,
      program: `nothing came from the robot for ${s} s; allowed: ${this.#timeout + 1} s. The robot may have timed out.`,
    };
    this.release(topic);
    this.#to.commandLost(topic, `Commands have ended: ${why[of]} Act on the card again to command.`);
  }

  release(topic: string): void {
    this.#socket?.release(topic);
    const id = this.#published.get(topic);
    if (id === undefined) return;
    this.#published.delete(topic);
    this.#open?.unadvertise(id);
  }

  #service(name: string): Service | undefined {
    return this.#services.get(`${this.#info?.name}/${name}`);
  }

  hasService(name: string): boolean {
    return this.#service(name) !== undefined;
  }

  call(name: string, request: object): Promise<Reply> {
    const service = this.#service(name);
    const client = this.#open;
    if (!client) return Promise.resolve({ success: false, message: "not connected to the node" });
    if (!service) return Promise.resolve({ success: false, message: `this node has no service ~/${name}` });
    const data = new MessageWriter(parse(service.request?.schema ?? "", { ros2: true })).writeMessage(request);
    const callId = ++this.#lastCall;
    return new Promise((done) => {
      const timer = window.setTimeout(() => this.#finish(callId, { success: false, message: `no answer within ${callTimeout / 1000} s; it may still be executed` }), callTimeout);
      this.#calls.set(callId, { service, done, timer });
      client.sendServiceCallRequest({ serviceId: service.id, callId, encoding: "cdr", data: new DataView(data.buffer, data.byteOffset, data.byteLength) });
    });
  }

  #answered(id: number, data: DataView): void {
    const call = this.#calls.get(id);
    if (!call) return;
    const schema = parse(call.service.response?.schema ?? "", { ros2: true });
    this.#finish(id, new MessageReader(schema).readMessage(data) as Reply);
  }

  #finish(id: number, reply: Reply): void {
    const call = this.#calls.get(id);
    if (!call) return;
    clearTimeout(call.timer);
    this.#calls.delete(id);
    call.done(reply);
  }

  #playback(data: unknown): void {
    const info = this.#info as (ServerInfo & { dataStartTime?: Moment; dataEndTime?: Moment }) | undefined;
    if (!info?.dataStartTime || !info.dataEndTime) return;
    const p = playbackState(data, seconds(info.dataStartTime), seconds(info.dataEndTime));
    if (!p) return;
    this.#silent = 0;
    this.#to.playback(p);
  }

  control(play: boolean, speed: number, time?: number): void {
    if (this.#open) this.#socket!.send(controlMessage(play, speed, time));
  }

  async history(topics: string[], from: number, to: number): Promise<Message[]> {
    const query = new URLSearchParams(location.search);
    const known = topics.filter((t) => this.#channels.has(t));
    known.forEach((t) => query.append("topic", t));
    query.set("from", nanoseconds(from));
    query.set("to", nanoseconds(to));
    if (known.length === 0) return [];
    const answer = await fetch(`history?${query}`);
    if (!answer.ok) throw new Error(await answer.text());
    const readers = known.map((t) => new MessageReader(parse(this.#channels.get(t)!.schema, { ros2: true })));
    const b = new DataView(await answer.arrayBuffer());
    const list: Message[] = [];
    for (let at = 0; at + pastHeader <= b.byteLength; ) {
      const [i, time, size] = [b.getUint8(at), b.getBigUint64(at + 1, true), b.getUint32(at + 9, true)];
      list.push({ topic: known[i], time: Number(time) / 1e9, data: readers[i].readMessage(new DataView(b.buffer, at + pastHeader, size)) });
      at += pastHeader + size;
    }
    return list;
  }

  setParameter(p: Parameter, value: unknown): void {
    this.#open?.setParameters([{ name: p.name, value, type: p.type } as WireParameter], "set");
  }
}
