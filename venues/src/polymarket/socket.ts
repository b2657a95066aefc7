import { backOffMs } from '@dutchbook/units/back-off.ts';
import { openWebSocket, type VenueSocket } from '../network.ts';
import type { VenueRuntime } from '../venue.ts';
import { jitteredBackOffMs, type StreamConfig } from './config.ts';

export type SocketPacing = Pick<
  StreamConfig,
  'pingEveryMs' | 'pongLateMs' | 'pongTimeoutMs' | 'silenceMs' | 'silenceMaxMs' | 'backoffMinMs' | 'backoffMaxMs'
>;

export type SocketEvents = {
  /** The connection has opened, for the first time or after a reconnect: subscribe now. */
  onOpen: () => void;
  /** The connection has closed; the socket reconnects. */
  onDown: () => void;
  /** A JSON frame has arrived, at `performance.now()`. Keep-alives and other plain text are left out. */
  onFrame: (text: string, atMs: number) => void;
  /**
   * A PONG has arrived: `take` is called once all frames before it are read, for it proves nothing of later ones. Left out where frames are
   * read as they arrive.
   */
  onPong?: (take: () => void, atMs: number) => void;
  /** The PONG is late (true), or is in time again (false): frames that arrive in between may be old. */
  onSuspect: (isSuspect: boolean) => void;
  /** No data for `silenceMs` on an open connection. Repeated while the silence lasts, at growing intervals. */
  onSilence: () => void;
};

/**
 * A WebSocket that reconnects by itself: it sends the text PING that the venue asks for, closes when the PONG does not come
 * in time, and reconnects with jittered backoff. It measures time by timers, so that a jump of the clock does no harm.
 */
export class ReconnectingSocket {
  readonly #url: string;
  readonly #pacing: SocketPacing;
  readonly #events: SocketEvents;
  readonly #runtime: VenueRuntime;
  #socket: VenueSocket | null = null;
  #pings: NodeJS.Timeout | undefined;
  /** Runs from a PING until its PONG is late; no second PING is sent meanwhile. */
  #pongLate: NodeJS.Timeout | undefined;
  #pongTimeout: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  /** When the silence began. The timer reads this when it fires, which is cheaper than restarting it at each frame. */
  #silentSinceMs = 0;
  /** How many times in a row `onSilence` was called. */
  #silences = 0;
  #hasBroughtData = false;
  #retry: NodeJS.Timeout | undefined;
  #retries = 0;
  /** A PONG does not say which PING it answers, but they arrive in order. */
  #unansweredPings = 0;
  #isOpen = false;
  #isClosed = false;
  #isSuspect = false;
  #isHeld = false;
  /** Called with whether every PING was answered in time. */
  #awaitingPong: ((isAnswered: boolean) => void)[] = [];

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

  /** Whether no data has arrived since the last call of `onSilence`. */
  get isSilent(): boolean {
    return this.#silences > 0;
  }

  /** Sends while the connection is open, and otherwise drops the frame: `onOpen` subscribes to everything anyway. */
  send(frame: object): void {
    if (this.#isOpen) this.#socket?.send(JSON.stringify(frame));
  }

  /** Brings nothing more until it is held no longer: what has arrived is still to be read. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (isHeld) this.#socket?.pause?.();
    else this.#socket?.resume?.();
  }

  /**
   * Resolves once all that the venue had sent when this was called is read. @returns false where the connection ends before, or its PONG is
   * late, so that it is not known
   */
  async caughtUp(): Promise<boolean> {
    if (!this.#isOpen) return false;
    // The PONG to a PING that is under way may have been sent before.
    if (this.#pongLate !== undefined && !(await this.#nextPong())) return false;
    this.#ping();
    return await this.#nextPong();
  }

  /** Drops the connection; a new one is opened after the backoff. */
  reconnect(reason: string): void {
    this.#runtime.log.warn({ url: this.#url, reason }, 'stream connection dropped to reconnect');
    this.#socket?.terminate();
  }

  /** Closes without reconnecting; resolves when the connection has closed. */
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
    this.#pings = setInterval(() => this.#ping(), this.#pacing.pingEveryMs);
    this.#awaitData(0);
    this.#events.onOpen();
  }

  #receive(data: { toString(): string }, isBinary: boolean): void {
    this.#retries = 0;
    if (isBinary) return;
    const text = data.toString();
    if (text === PONG) this.#passOnPong();
    if (this.#isSuspect) this.#ping();
    const first = text.charCodeAt(0);
    if (first !== OPENING_BRACE && first !== OPENING_BRACKET) return;
    this.#hasBroughtData = true;
    const nowMs = performance.now();
    if (this.#silences === 0) this.#silentSinceMs = nowMs;
    else this.#awaitData(0);
    this.#events.onFrame(text, nowMs);
  }

  #ping(): void {
    if (this.#pongLate !== undefined) return;
    this.#unansweredPings += 1;
    this.#socket?.send(PING);
    const late = setTimeout(() => {
      onceRead(() => {
        if (this.#pongLate !== late) return;
        this.#pongLate = undefined;
        this.#endAwaiting(false);
        this.#suspect(true);
      });
    }, this.#pacing.pongLateMs);
    this.#pongLate = late;
  }

  #passOnPong(): void {
    const socket = this.#socket;
    const take = () => {
      if (this.#socket === socket) this.#receivePong();
    };
    if (this.#events.onPong === undefined) take();
    else this.#events.onPong(take, performance.now());
  }

  /**
   * Frames are up to date again only when every PING is answered, the last one in time. A late PONG proves nothing: frames
   * that were held up since its PING may follow it.
   */
  #receivePong(): void {
    this.#unansweredPings = Math.max(0, this.#unansweredPings - 1);
    if (this.#unansweredPings > 0 || this.#pongLate === undefined) return;
    clearTimeout(this.#pongLate);
    this.#pongLate = undefined;
    this.#suspect(false);
    this.#endAwaiting(true);
  }

  #nextPong(): Promise<boolean> {
    return new Promise((resolve) => this.#awaitingPong.push(resolve));
  }

  #endAwaiting(isAnswered: boolean): void {
    for (const resolve of this.#awaitingPong.splice(0)) resolve(isAnswered);
  }

  #awaitData(silences: number): void {
    this.#silences = silences;
    this.#silentSinceMs = performance.now();
    this.#armSilenceTimer(this.#silenceMs(silences));
  }

  #armSilenceTimer(silenceMs: number, delayMs = silenceMs): void {
    clearTimeout(this.#silence);
    const silence = setTimeout(() => {
      onceRead(() => {
        if (this.#silence !== silence) return;
        if (this.#isHeld) return this.#armSilenceTimer(silenceMs);
        const remainingMs = this.#silentSinceMs + silenceMs - performance.now();
        if (remainingMs >= 1) return this.#armSilenceTimer(silenceMs, remainingMs);
        this.#awaitData(this.#silences + 1);
        this.#ping();
        this.#events.onSilence();
      });
    }, delayMs);
    this.#silence = silence;
  }

  #silenceMs(silences: number): number {
    const { silenceMs, silenceMaxMs } = this.#pacing;
    const growth = this.#hasBroughtData ? Math.max(0, silences - CLOSE_COMPARISONS + 1) : 0;
    return backOffMs(growth, { firstMs: silenceMs, slowestMs: silenceMaxMs, factor: SILENCE_GROWTH });
  }

  #suspect(isSuspect: boolean): void {
    if (this.#isSuspect === isSuspect) return;
    this.#isSuspect = isSuspect;
    clearTimeout(this.#pongTimeout);
    const { pongTimeoutMs } = this.#pacing;
    const giveUp = () => this.reconnect(`the keep-alive has been late for ${pongTimeoutMs} ms`);
    if (isSuspect) this.#pongTimeout = setTimeout(giveUp, pongTimeoutMs);
    this.#events.onSuspect(isSuspect);
  }

  #down(): void {
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    this.#isSuspect = false;
    this.#isHeld = false;
    clearInterval(this.#pings);
    clearTimeout(this.#pongLate);
    clearTimeout(this.#pongTimeout);
    clearTimeout(this.#silence);
    this.#pongLate = undefined;
    this.#silence = undefined;
    this.#endAwaiting(false);
    if (wasOpen) this.#events.onDown();
    if (this.#isClosed) return;
    const { backoffMinMs, backoffMaxMs } = this.#pacing;
    const waitMs = jitteredBackOffMs(this.#retries++, this.#runtime.random, backoffMinMs, backoffMaxMs);
    this.#retry = setTimeout(() => this.#connect(), waitMs);
  }
}

/**
 * A process that was held up comes to its timers before it reads what has arrived meanwhile: a connection that has answered in time would
 * count as late, and with it all others at once. Immediates come behind what brings it, and the next ones behind what reads it.
 */
function onceRead(work: () => void): void {
  setImmediate(() => setImmediate(work));
}

/**
 * So many reports of a silence follow each other closely before the interval grows. It never grows on a connection that
 * has brought no data yet, because its books are from REST alone.
 */
const CLOSE_COMPARISONS = 3;
const SILENCE_GROWTH = 1.5;
/** `readyState` of a closed connection. */
const CLOSED = 3;
const PING = 'PING';
const PONG = 'PONG';
const OPENING_BRACE = 123;
const OPENING_BRACKET = 91;
