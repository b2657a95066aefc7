import type { Clock } from './clock.ts';

type Due = { atMs: number; run: () => void };

/** A clock that stands until a test changes it. */
export class ClockChange implements Clock {
  #nowMs = 0;
  #due: Due[] = [];

  nowMs = (): number => this.#nowMs;

  after = (delayMs: number, run: () => void): (() => void) => {
    const due = { atMs: this.#nowMs + delayMs, run };
    this.#due.push(due);
    return () => {
      this.#due = this.#due.filter((other) => other !== due);
    };
  };

  /** Lets `ms` pass, running what falls due in the order of its time. */
  change(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let next = this.#nextUntil(untilMs); next !== undefined; next = this.#nextUntil(untilMs)) {
      this.#due = this.#due.filter((due) => due !== next);
      this.#nowMs = next.atMs;
      next.run();
    }
    this.#nowMs = untilMs;
  }

  #nextUntil(untilMs: number): Due | undefined {
    return this.#due.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
  }
}
