// Recording on and off, how large and how long it has become, and the files of this run to keep.
import type { DataSource } from "../source";
import { button, h, sign } from "../ui";
import { clock, size } from "../units";

/** What the program tells of its recording; see sinew_msgs/RecordingState. */
export interface RecordingState {
  active: boolean;
  file: string;
  duration: number; // s
  messages: bigint | number;
  bytes: bigint | number;
  lost: bigint | number;
  reason: string;
  downloads: string[]; // below the address of the page
}

const shownFiles = 5; // the newest

export class Recorder {
  readonly element: HTMLElement;
  #source: DataSource;
  #tell: (level: number, text: string) => void;
  #button: HTMLButtonElement;
  #state = h("p", { class: "note", hidden: true });
  #files = h("ul", { class: "files" });
  #now?: RecordingState;
  #heard = 0; // ms, when the state was told
  #shown = "";

  constructor(source: DataSource, tell: (level: number, text: string) => void) {
    [this.#source, this.#tell] = [source, tell];
    this.#button = button("record", "Record", () => void this.toggle(), { id: "record", class: "record" });
    this.element = h("section", { class: "card recorder", hidden: true }, h("header", {}, h("h2", {}, "Recording"), this.#button), this.#state, this.#files);
  }

  /** The robot is another: whether it can record is what its services say. */
  show(): void {
    this.#now = undefined;
    this.#shown = "";
    this.#files.replaceChildren();
    this.#state.hidden = true;
    this.element.hidden = !this.#source.hasService("start_recording");
    this.draw();
  }

  /** Takes what the program tells. */
  take(s: RecordingState): void {
    this.#now = s;
    this.#heard = performance.now();
    this.element.classList.toggle("on", s.active);
    this.#state.textContent = [s.reason, s.lost ? `${s.lost} messages were lost` : ""].filter(Boolean).join("; ");
    this.#state.hidden = this.#state.textContent === "";
    const files = s.downloads.slice(-shownFiles).reverse();
    this.#files.replaceChildren(...files.map((path) => h("li", {}, h("a", { href: path + location.search, download: "" }, decodeURIComponent(path.slice(path.lastIndexOf("/") + 1))))));
    this.draw();
  }

  async toggle(): Promise<void> {
    const r = await this.#source.call(this.#now?.active ? "stop_recording" : "start_recording", {});
    this.#tell(r.success ? 0 : 2, r.success && !this.#now?.active ? `recording ${r.message}` : r.message);
  }

  /** Brings the elapsed time up to date. */
  draw(): void {
    const s = this.#now;
    const since = s?.active ? s.duration + (performance.now() - this.#heard) / 1000 : 0;
    const text = s?.active ? `Stop · ${clock(since)} · ${size(Number(s.bytes))}` : "Record";
    if (text === this.#shown) return;
    this.#shown = text;
    sign(this.#button, s?.active ? "stop" : "record", text);
  }
}
