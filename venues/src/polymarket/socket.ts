import { backOffMs } from '@dutchbook/units/back-off.ts';
import { openWebSocket, type VenueSocket } from '../network.ts';
import type { VenueRuntime } from '../venue.ts';
import { jitteredBackOffMs, type StreamConfig } from './config.ts';

export type SocketPacing = Pick<
  StreamConfig,
  'pingEveryMs' | 'pongLateMs' | 'pongTimeoutMs' | 'silenceMs' | 'silenceMaxMs' | 'backoffMinMs' | 'backoffMaxMs'
>;

export type SocketEvents = {
  /** The connection stands, for the first time or again: subscribe now. */
  onOpen: () => void;
  /** The connection is gone and will be made again. */
  onDown: () => void;
  /** One data frame, and when it arrived (`performance.now()`): never a keep-alive or one of the venue's plain words. */
  onFrame: (text: string, atMs: number) => void;
  /** The keep-alive is late (true), or was answered in time again (false): what comes in between may be long past. */
  onSuspect: (isSuspect: boolean) => void;
  /** No data for `silenceMs` although the connection stands; again and again, ever more rarely, while it lasts. */
  onSilence: () => void;
};

/**
 * A connection that keeps itself: text PING and PONG as the venue wants them, closed and made again with jittered
 * backoff when the venue falls silent. Time is counted in timers, so a clock that jumps disturbs nothing.
 */
export class KeptSocket {
  readonly #url: string;
  readonly #pacing: SocketPacing;
  readonly #events: SocketEvents;
  readonly #runtime: VenueRuntime;
  #socket: VenueSocket | null = null;
  #pings: NodeJS.Timeout | undefined;
  /** Runs while the last PING may still be answered in time; there is no other until then. */
  #late: NodeJS.Timeout | undefined;
  #hopeless: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  /** Since when there were no data, as far as it counts; the timer looks once it has run off, which is cheaper than to wind it up for each frame. */
  #silentSinceMs = 0;
  /** How often in a row `onSilence` was called. */
  #silences = 0;
  #hasBroughtData = false;
  #retry: NodeJS.Timeout | undefined;
  #retries = 0;
  /** An answer does not say to which PING, but they keep their order. */
  #unansweredPings = 0;
  #isOpen = false;
  #isClosed = false;
  #isSuspect = false;

  constructor(url: string, pacing: SocketPacing, events: SocketEvents, runtime: VenueRuntime) {
    this.#url = url;
    this.#pacing = pacing;
    this.#events = events;
    this.#runtime = runtime;
    this.#connect();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isSuspect(): boolean {
    return this.#isSuspect;
  }

  /** No data since `onSilence` was called last. */
  get isSilent(): boolean {
    return this.#silences > 0;
  }

  /** Sends when the connection stands; what is not sent now is part of what `onOpen` sends. */
  send(frame: object): void {
    if (this.#isOpen) this.#socket?.send(JSON.stringify(frame));
  }

  /** Drops the connection and makes a new one. */
  reconnect(reason: string): void {
    this.#runtime.log.warn({ url: this.#url, reason }, 'stream connection dropped to reconnect');
    this.#socket?.terminate();
  }

  /** Closes for good; resolves when the connection is gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    const socket = this.#socket;
    if (!socket || socket.readyState === CLOSED) return;
    const gone = new Promise<void>((resolve) => socket.on('close', resolve));
    socket.terminate();
    await gone;
  }

  #connect(): void {
    const openSocket = this.#runtime.network?.openSocket ?? openWebSocket;
    const socket = openSocket(this.#url);
    this.#socket = socket;
    socket.on('open', () => this.#opened());
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('error', (error) => this.#runtime.log.warn({ url: this.#url, reason: error.message }, 'stream error'));
    socket.on('close', () => this.#down());
  }

  #opened(): void {
    this.#isOpen = true;
    this.#unansweredPings = 0;
    this.#hasBroughtData = false;
    this.#pings = setInterval(() => this.#ask(), this.#pacing.pingEveryMs);
    this.#awaitData(0);
    this.#events.onOpen();
  }

  #receive(data: { toString(): string }, isBinary: boolean): void {
    this.#retries = 0;
    if (isBinary) return;
    const text = data.toString();
    if (text === PONG) this.#answered();
    if (this.#isSuspect) this.#ask();
    const first = text.charCodeAt(0);
    if (first !== OPENING_BRACE && first !== OPENING_BRACKET) return;
    this.#hasBroughtData = true;
    const nowMs = performance.now();
    if (this.#silences === 0) this.#silentSinceMs = nowMs;
    else this.#awaitData(0);
    this.#events.onFrame(text, nowMs);
  }

  #ask(): void {
    if (this.#late !== undefined) return;
    this.#unansweredPings += 1;
    this.#socket?.send(PING);
    this.#late = setTimeout(() => {
      this.#late = undefined;
      this.#suspect(true);
    }, this.#pacing.pongLateMs);
  }

  /**
   * Only when all are answered, the last of them in time, has everything been read that the venue sent until just now.
   * A late answer proves nothing: behind it may come all that was held up since its PING.
   */
  #answered(): void {
    this.#unansweredPings = Math.max(0, this.#unansweredPings - 1);
    if (this.#unansweredPings > 0 || this.#late === undefined) return;
    clearTimeout(this.#late);
    this.#late = undefined;
    this.#suspect(false);
  }

  #awaitData(silences: number): void {
    this.#silences = silences;
    this.#silentSinceMs = performance.now();
    this.#endSilence(this.#silenceMs(silences));
  }

  #endSilence(silenceMs: number, leftMs = silenceMs): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      const stillMs = this.#silentSinceMs + silenceMs - performance.now();
      if (stillMs >= 1) return this.#endSilence(silenceMs, stillMs);
      this.#awaitData(this.#silences + 1);
      this.#ask();
      this.#events.onSilence();
    }, leftMs);
  }

  #silenceMs(silences: number): number {
    const { silenceMs, silenceMaxMs } = this.#pacing;
    const growth = this.#hasBroughtData ? Math.max(0, silences - CLOSE_COMPARISONS + 1) : 0;
    return backOffMs(growth, { firstMs: silenceMs, slowestMs: silenceMaxMs, factor: SILENCE_GROWTH });
  }

  #suspect(isSuspect: boolean): void {
    if (this.#isSuspect === isSuspect) return;
    this.#isSuspect = isSuspect;
    clearTimeout(this.#hopeless);
    const { pongTimeoutMs } = this.#pacing;
    const giveUp = () => this.reconnect(`the keep-alive has been late for ${pongTimeoutMs} ms`);
    if (isSuspect) this.#hopeless = setTimeout(giveUp, pongTimeoutMs);
    this.#events.onSuspect(isSuspect);
  }

  #down(): void {
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    this.#isSuspect = false;
    clearInterval(this.#pings);
    clearTimeout(this.#late);
    clearTimeout(this.#hopeless);
    clearTimeout(this.#silence);
    this.#late = undefined;
    if (wasOpen) this.#events.onDown();
    if (this.#isClosed) return;
    const { backoffMinMs, backoffMaxMs } = this.#pacing;
    const waitMs = jitteredBackOffMs(this.#retries++, this.#runtime.random, backoffMinMs, backoffMaxMs);
    this.#retry = setTimeout(() => this.#connect(), waitMs);
  }
}

/**
 * What was the same at REST a moment ago may differ soon: so many looks at a silent socket follow each other closely, and
 * all at one that has brought nothing since it stands, whose books are from REST alone.
 */
const CLOSE_COMPARISONS = 3;
const SILENCE_GROWTH = 1.5;
/** `readyState` of a connection that is gone. */
const CLOSED = 3;
const PING = 'PING';
const PONG = 'PONG';
const OPENING_BRACE = 123;
const OPENING_BRACKET = 91;
