import { backOffMs } from '@dutchbook/units/back-off.ts';
import { WebSocket } from 'ws';
import type { Pace } from '../options.ts';

export interface SocketEvents {
  /** The connection has opened: subscribe now. */
  onOpen(): void;
  /** The connection has closed; the socket opens another one. */
  onDown(): void;
  onText(text: string): void;
}

const PING = 'PING';
const PONG = 'PONG';

/** A connection to the market channel that is opened again whenever it ends, is late with keep-alives or brings nothing. */
export class UpstreamSocket {
  readonly #url: string;
  readonly #pace: Pace;
  readonly #events: SocketEvents;
  #socket: WebSocket | undefined;
  #timers: NodeJS.Timeout[] = [];
  #retry: NodeJS.Timeout | undefined;
  #retries = 0;
  #silences = 0;
  #isOpen = false;
  #isClosed = false;
  #textAtMs = 0;
  #pingedAtMs: number | undefined;

  constructor(url: string, pace: Pace, events: SocketEvents) {
    this.#url = url;
    this.#pace = pace;
    this.#events = events;
    this.#connect();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Dropped while there is no connection: `onOpen` subscribes to everything anyway. */
  send(frame: object): void {
    if (this.#isOpen) this.#socket?.send(JSON.stringify(frame));
  }

  reconnect(): void {
    this.#socket?.terminate();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#socket?.terminate();
  }

  #connect(): void {
    const socket = new WebSocket(this.#url, { handshakeTimeout: this.#pace.timeoutMs });
    this.#socket = socket;
    socket.on('open', () => this.#opened());
    socket.on('message', (data, isBinary) => {
      if (!isBinary) this.#receive(String(data));
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => this.#down());
  }

  #opened(): void {
    this.#isOpen = true;
    this.#textAtMs = performance.now();
    this.#pingedAtMs = undefined;
    this.#timers = [
      setInterval(() => this.#ping(), this.#pace.pingEveryMs).unref(),
      setInterval(() => this.#lookForSilence(), this.#pace.silenceMs / SILENCE_LOOKS).unref(),
    ];
    this.#events.onOpen();
  }

  #receive(text: string): void {
    if (text === PONG) {
      this.#pingedAtMs = undefined;
      return;
    }
    this.#retries = 0;
    this.#textAtMs = performance.now();
    this.#events.onText(text);
  }

  #ping(): void {
    const now = performance.now();
    if (this.#pingedAtMs === undefined) {
      this.#pingedAtMs = now;
      this.#socket?.send(PING);
    } else if (now - this.#pingedAtMs > this.#pace.pongWithinMs) this.reconnect();
  }

  #lookForSilence(): void {
    const { silenceMs, silenceMaxMs } = this.#pace;
    const allowedMs = backOffMs(this.#silences, { firstMs: silenceMs, slowestMs: silenceMaxMs });
    if (performance.now() - this.#textAtMs < allowedMs) return;
    this.#silences += 1;
    this.reconnect();
  }

  #down(): void {
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    for (const timer of this.#timers) clearInterval(timer);
    if (wasOpen) this.#events.onDown();
    if (this.#isClosed) return;
    const { backoffMinMs, backoffMaxMs } = this.#pace;
    const waitMs = backOffMs(this.#retries++, { firstMs: backoffMinMs, slowestMs: backoffMaxMs });
    this.#retry = setTimeout(() => this.#connect(), waitMs).unref();
  }
}

/** How often within the time of a silence it is looked for. */
const SILENCE_LOOKS = 4;
