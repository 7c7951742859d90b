// Moments of a recording, asked for one by one: to go to one is to be told its scene.
import type { Scene } from "../scene/frames";
import type { DataSource, Playback } from "../source";

const within = 5000; // ms, after which a moment is given up
const same = 2e-6; // s; moments are asked for in microseconds

export class Moments {
  #source: DataSource;
  #before?: Playback; // how the recording stood before the first moment
  #wanted?: { time: number; done: (s: Scene) => void };

  constructor(source: DataSource) {
    this.#source = source;
  }

  /** Takes a scene of the recording. */
  take(time: number, scene: Scene): void {
    if (this.#wanted && Math.abs(time - this.#wanted.time) < same) this.#wanted.done(scene);
  }

  /** Goes to a time of the recording, s; now is how the recording stands. */
  at(time: number, now: Playback): Promise<Scene> {
    this.#before ??= now;
    return new Promise((done, failed) => {
      const timer = setTimeout(() => failed(new Error(`no scene for t = ${(time - now.from).toFixed(3)} s within ${within / 1000} s`)), within);
      this.#wanted = {
        time,
        done: (s) => {
          clearTimeout(timer);
          this.#wanted = undefined;
          done(s);
        },
      };
      this.#source.control(false, now.speed, time);
    });
  }

  /** Goes back to where the recording stood. */
  end(): void {
    const b = this.#before;
    this.#before = this.#wanted = undefined;
    if (b) this.#source.control(b.playing, b.speed, b.time);
  }
}
