// The connection to the program, which is in a worker.
import { period } from "./commands";
import type { Event, Request, Silent } from "./socket_worker";
import SocketWorker from "./socket_worker?worker&inline";

/** A WebSocket whose commands go on while the page is busy. */
export class Socket {
  binaryType = "arraybuffer";
  protocol = "";
  onerror: ((e: any) => void) | null | undefined;
  onopen: ((e: any) => void) | null | undefined;
  onclose: ((e: any) => void) | null | undefined;
  onmessage: ((e: any) => void) | null | undefined;
  /** A command is not repeated any more: what was silent for so many ms. */
  onlost: (topic: string, gap: number, of: Silent) => void = () => undefined;
  /** Something came that the client does not read. */
  onraw: (data: unknown) => void = () => undefined;
  state: "connecting" | "open" | "closed" = "connecting";
  #worker = new SocketWorker();

  constructor(url: string, protocols: string[]) {
    this.#worker.onmessage = (e: MessageEvent<Event>) => this.#take(e.data);
    this.#worker.onerror = () => this.#closed("the browser does not start the connection");
    this.#ask({ do: "open", url, protocols });
  }

  #ask(r: Request, transfer: Transferable[] = []): void {
    this.#worker.postMessage(r, transfer);
  }

  #take(e: Event): void {
    switch (e.is) {
      case "open":
        [this.state, this.protocol] = ["open", e.protocol];
        this.onopen?.({});
        break;
      case "close":
        this.#closed(e.reason);
        break;
      case "message":
        if (this.state !== "open") break;
        this.onraw(e.data);
        this.onmessage?.({ data: e.data });
        break;
      case "lost":
        this.onlost(e.topic, e.gap, e.of);
        break;
      case "asked":
        this.#ask({ do: "alive" });
        break;
    }
  }

  #closed(reason: string): void {
    if (this.state === "closed") return;
    this.state = "closed";
    this.#worker.terminate();
    this.onclose?.({ reason });
  }

  send(data: string | ArrayBuffer | ArrayBufferView): void {
    if (this.state !== "open") return;
    if (typeof data === "string") {
      this.#ask({ do: "send", data });
      return;
    }
    const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
    this.#ask({ do: "send", data: bytes.slice() });
  }

  /** Sends a command of a topic and repeats it until it is released; a gap of timeout (s) ends it, 0: none. */
  hold(topic: string, data: Uint8Array<ArrayBuffer>, timeout: number): void {
    if (this.state === "open") this.#ask({ do: "hold", topic, data, period: 1000 * period, timeout: 1000 * timeout }, [data.buffer]);
  }

  release(topic: string): void {
    this.#ask({ do: "release", topic });
  }

  close(): void {
    this.#ask({ do: "close" });
  }
}
