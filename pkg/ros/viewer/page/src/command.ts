// Who commands a group of inputs, as far as this page knows. The inputs show it and change nothing else.
import type { DataSource, Port } from "./source";

/**
 * none: this page sends nothing. armed: a command waits for a click, because somebody else commands or because it is a jump
 * from rest. commanding: the newest command is repeated. relieved: somebody else has taken over, until somebody acts here.
 */
export type Phase = "none" | "armed" | "commanding" | "relieved";

export class Command {
  phase: Phase = "none";
  /** The commander of the group, as the node publishes it; empty while nobody commands. */
  commander = "";
  #source: DataSource;
  #changed: () => void;
  #port!: Port;
  #message?: object;
  #obeyed = false; // the node has named this page as the commander since it began to command
  #failed: (why: string) => void;
  #insists = false; // take_command is called once where another one commands

  constructor(source: DataSource, changed: () => void, failed: (why: string) => void) {
    [this.#source, this.#changed, this.#failed] = [source, changed, failed];
  }

  /** Chooses the port of the commands; the ones before end. */
  set port(p: Port) {
    this.release();
    this.#port = p;
  }

  /** Whether the inputs show what this page commands or waits to command, not what the robot has. */
  get mine(): boolean {
    return this.phase === "armed" || this.phase === "commanding";
  }

  /** Takes who commands the group, as the node publishes it. */
  commandedBy(by: string): void {
    this.commander = by;
    if (this.phase === "commanding" && by === this.#source.name) this.#obeyed = true;
  }

  /** Sends a command and repeats it from now on. */
  send(message: object): void {
    if (this.phase !== "commanding") this.#obeyed = this.#insists = false;
    this.#message = message;
    this.commander = this.#source.name;
    this.#source.hold(this.#port.topic, this.#port.schema, message);
    this.#become("commanding");
  }

  /** Sends a command also where somebody else commands, who is relieved. */
  async take(message: object): Promise<void> {
    if (this.#others && this.phase !== "commanding") {
      this.#message = message;
      this.#become("armed");
      await this.#relieve();
      return;
    }
    this.send(message);
    this.#insists = true;
  }

  get #others(): boolean {
    return this.commander !== "" && this.commander !== this.#source.name;
  }

  /** Calls take_command and then sends the command that waits, unless it has been cancelled meanwhile. */
  async #relieve(): Promise<void> {
    const waits = this.#message;
    const reply = await this.#source.call("take_command", {});
    if (this.phase !== "armed" || this.#message !== waits) return;
    if (reply.success) {
      this.send(waits!);
      return;
    }
    this.release();
    this.#failed(reply.message);
  }

  /** Keeps back the next command until somebody confirms it; a command that is repeated goes on. */
  arm(): void {
    if (this.phase !== "commanding") this.#become("armed");
  }

  /** Ends the commands. */
  release(): void {
    if (this.phase === "commanding") this.#source.release(this.#port.topic);
    this.#message = undefined;
    if (!this.#others) this.commander = "";
    this.#become("none");
  }

  /** Takes that the node refuses the commands because somebody else commands. */
  refused(by: string): void {
    this.commander = by;
    if (this.phase !== "commanding") return;
    this.#source.release(this.#port.topic);
    this.#become(this.#obeyed ? "relieved" : "armed");
    if (!this.#obeyed && this.#insists) {
      this.#insists = false;
      void this.#relieve();
    }
  }

  #become(phase: Phase): void {
    this.phase = phase;
    this.#changed();
  }
}
