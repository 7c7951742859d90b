// The demo motion of a robot: on and off, by a service.
import type { DataSource } from "../source";
import { button, h, sign } from "../ui";

const demonstrator = "demo"; // its name as a commander

export class Demo {
  readonly element: HTMLElement;
  #source: DataSource;
  #tell: (level: number, text: string) => void;
  #button: HTMLButtonElement;
  #moves = false;

  constructor(source: DataSource, tell: (level: number, text: string) => void) {
    [this.#source, this.#tell] = [source, tell];
    this.#button = button("play", "Start demo", () => void this.toggle(), { id: "demo", class: "record" });
    this.element = h("section", { class: "card recorder demo", hidden: true }, h("header", {}, h("h2", {}, "Demo"), this.#button),
      h("p", { class: "fine" }, "It moves the robot until somebody commands."));
  }

  /** The robot is another: whether it has a demo is what its services say. */
  show(): void {
    this.element.hidden = !this.#source.hasService("demo");
  }

  /** Takes who commands the groups of inputs, as the node publishes it. */
  commanders(values: { key: string; value: string }[]): void {
    this.#moves = values.some((v) => v.key.startsWith("commander/") && v.value === demonstrator);
    sign(this.#button, this.#moves ? "stop" : "play", this.#moves ? "Stop demo" : "Start demo");
  }

  async toggle(): Promise<void> {
    const r = await this.#source.call("demo", { data: !this.#moves });
    if (!r.success) this.#tell(2, r.message);
  }
}
