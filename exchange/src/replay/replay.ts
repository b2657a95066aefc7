import type { QuoteSource } from '../makers/makers.ts';
import type { Timers } from '../matching-engine/clock.ts';
import { framesOf, type RecordedFrame } from './frames.ts';
import type { RecordedBooks } from './recorded-books.ts';
import { readRecording } from './recording.ts';

/** Times real time, or as fast as the stream clients read. */
export type ReplaySpeed = number | 'max';

export interface ReplayParts {
  readonly files: readonly string[];
  readonly speed: ReplaySpeed;
  readonly books: RecordedBooks;
  readonly timers: Timers;
  /** Whether some stream client has fallen behind. */
  readonly isBehind: () => boolean;
  /** Called for a recording that turns out to be unreadable half-way. */
  readonly onError: (error: unknown) => void;
}

/** How many frames are sent per tick of the event loop, and how long a slow reader is given. */
const FRAMES_PER_TICK = 500;
const CATCH_UP_MS = 2;

/** Plays a recording in its order of arrival. Time that runs backwards in it is not waited for again. */
export class Replay implements QuoteSource {
  readonly #parts: ReplayParts;
  #isPaused = true;
  #isStopped = false;
  #hasStarted = false;
  #wake: (() => void) | undefined;
  #handle: unknown;
  /** Wall time that stands for the start of the recording; moves when the replay is paused. */
  #originMs = 0;
  #pausedAtMs = 0;
  #firstFrameMs: number | undefined;

  constructor(parts: ReplayParts) {
    this.#parts = parts;
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#pausedAtMs = this.#parts.timers.now();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    const now = this.#parts.timers.now();
    this.#originMs = this.#hasStarted ? this.#originMs + now - this.#pausedAtMs : now;
    if (!this.#hasStarted) this.#start();
    this.#wakeUp();
  }

  stop(): void {
    this.#isStopped = true;
    this.#wakeUp();
  }

  #start(): void {
    this.#hasStarted = true;
    this.#play().catch(this.#parts.onError);
  }

  async #play(): Promise<void> {
    let sinceTick = 0;
    for await (const frames of framesOf(readRecording(this.#parts.files))) {
      for (const frame of frames) {
        await this.#untilDue(frame, ++sinceTick >= FRAMES_PER_TICK);
        if (this.#isStopped) return;
        if (sinceTick >= FRAMES_PER_TICK) sinceTick = 0;
        this.#parts.books.apply(frame);
      }
    }
  }

  /** Waits while the replay is paused, its clients are behind, or the frame's time has not come. */
  #untilDue(frame: RecordedFrame, mustYield: boolean): Promise<void> | undefined {
    const waitMs = this.#waitMs(frame);
    return waitMs === 0 && !mustYield ? undefined : this.#waitUntilDue(frame, waitMs);
  }

  async #waitUntilDue(frame: RecordedFrame, firstWaitMs: number): Promise<void> {
    let waitMs = firstWaitMs;
    do {
      await this.#sleep(waitMs);
      waitMs = this.#waitMs(frame);
    } while (waitMs > 0 && !this.#isStopped);
  }

  /** How long to wait before looking again; 0 when the frame may go, infinite while paused. */
  #waitMs([row]: RecordedFrame): number {
    if (this.#isStopped) return 0;
    if (this.#isPaused) return Number.POSITIVE_INFINITY;
    if (this.#parts.isBehind()) return CATCH_UP_MS;
    const { speed, timers } = this.#parts;
    if (speed === 'max') return 0;
    this.#firstFrameMs ??= row.at;
    const dueMs = this.#originMs + (row.at - this.#firstFrameMs) / speed;
    return Math.max(0, Math.ceil(dueMs - timers.now()));
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (Number.isFinite(ms)) this.#handle = this.#parts.timers.setTimeout(resolve, ms);
    });
  }

  #wakeUp(): void {
    this.#parts.timers.clearTimeout(this.#handle);
    this.#wake?.();
    this.#wake = undefined;
  }
}
