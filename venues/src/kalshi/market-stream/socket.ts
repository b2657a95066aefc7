import { backOffMs } from '@dutchbook/units/back-off.ts';
import { openWebSocket, type VenueSocket } from '../../network.ts';
import type { VenueRuntime } from '../../venue.ts';
import type { StreamConfig } from '../config.ts';
import type { Signer } from '../signing.ts';

export type SocketEvents = {
  /** The connection has opened, for the first time or after a reconnect. */
  onOpen: () => void;
  onDown: () => void;
  onFrame: (text: string) => void;
};

export type SocketParts = {
  url: string;
  config: Pick<StreamConfig, 'silenceMs' | 'backoffMinMs' | 'backoffMaxMs'>;
  signer: Signer;
  runtime: VenueRuntime;
};

/**
 * A signed WebSocket that reconnects by itself: with jittered back-off after it was closed, and where neither a frame nor one of
 * the venue's pings has come for too long.
 */
export class SignedSocket {
  readonly #parts: SocketParts;
  readonly #events: SocketEvents;
  #socket: VenueSocket | null = null;
  #retry: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  #retries = 0;
  #isOpen = false;
  #isClosed = false;

  constructor(parts: SocketParts, events: SocketEvents) {
    this.#parts = parts;
    this.#events = events;
    this.#connect();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Sends while the connection is open, and otherwise drops the command: `onOpen` subscribes to everything anyway. */
  send(command: object): void {
    if (this.#isOpen) this.#socket?.send(JSON.stringify(command));
  }

  /** Drops the connection; a new one is opened after the back-off. */
  reconnect(reason: string): void {
    this.#parts.runtime.log.warn({ url: this.#parts.url, reason }, 'kalshi stream dropped to reconnect');
    this.#socket?.terminate();
  }

  /** Closes without reconnecting; resolves when the connection has closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    const socket = this.#socket;
    if (!socket || socket.readyState === CLOSED) return;
    const gone = new Promise<void>((resolve) => socket.on('close', resolve));
    socket.terminate();
    await gone;
  }

  #connect(): void {
    const { url, signer, runtime } = this.#parts;
    const openSocket = runtime.network?.openSocket ?? openWebSocket;
    const socket = openSocket(url, signer('GET', new URL(url).pathname, runtime.now()));
    this.#socket = socket;
    socket.on('open', () => {
      this.#isOpen = true;
      this.#expectMore();
      this.#events.onOpen();
    });
    socket.on('ping', () => this.#expectMore());
    socket.on('message', (data, isBinary) => {
      this.#retries = 0;
      this.#expectMore();
      if (!isBinary) this.#events.onFrame(data.toString());
    });
    socket.on('error', (error) => runtime.log.warn({ url, reason: error.message }, 'kalshi stream error'));
    socket.on('close', () => this.#down());
  }

  #expectMore(): void {
    if (this.#silence !== undefined) {
      this.#silence.refresh();
      return;
    }
    const { silenceMs } = this.#parts.config;
    this.#silence = setTimeout(() => this.reconnect(`nothing has come for ${silenceMs} ms`), silenceMs);
  }

  #down(): void {
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    clearTimeout(this.#silence);
    this.#silence = undefined;
    if (wasOpen) this.#events.onDown();
    if (this.#isClosed) return;
    const { config, runtime } = this.#parts;
    const ceiling = backOffMs(this.#retries++, { firstMs: config.backoffMinMs, slowestMs: config.backoffMaxMs });
    const waitMs = Math.max(config.backoffMinMs, Math.round(ceiling * (0.5 + runtime.random() / 2)));
    this.#retry = setTimeout(() => this.#connect(), waitMs);
  }
}

/** `readyState` of a closed connection. */
const CLOSED = 3;
