import type { UserStream, UserStreamEvents, VenueFill, VenueRuntime } from '../venue.ts';
import type { Sessions } from './auth.ts';
import type { PolymarketCatalogue } from './catalogue.ts';
import type { PolymarketConfig } from './config.ts';
import type { Secrets } from './errors.ts';
import { fillsOfTrade } from './fills.ts';
import { IgnoredFrames } from './ignored-frames.ts';
import { readOrderEvent } from './orders.ts';
import { ReconnectingSocket } from './socket.ts';
import { wireTrade } from './wire.ts';

export type UserStreamParts = {
  config: PolymarketConfig;
  runtime: VenueRuntime;
  maker: string;
  sessions: Sessions;
  catalogue: PolymarketCatalogue;
  secrets: Secrets;
  events: UserStreamEvents;
};

/**
 * Our own orders and trades as they happen. The venue repeats and reorders them, and so may we after a reconnect:
 * consumers tell fills apart by (tradeId, orderHash) and let a status only move forward. Bad credentials show as
 * silence or as a close, so the connection alone says nothing about them; `connected` needs both socket and key.
 */
export class PolymarketUserStream implements UserStream {
  readonly #parts: UserStreamParts;
  readonly #ignoredFrames: IgnoredFrames;
  #socket: ReconnectingSocket | null = null;
  #isClosed = false;
  #hasBeenDown = false;
  #apiKey = '';
  /** Reports are passed on in the order they came, although a fill may have to wait for its market. */
  #queue: Promise<void> = Promise.resolve();

  constructor(parts: UserStreamParts) {
    this.#parts = parts;
    this.#ignoredFrames = new IgnoredFrames('user', parts.runtime);
    void parts.sessions.established.then(() => {
      if (!this.#isClosed) this.#connect();
    });
  }

  connected(): boolean {
    return this.#socket?.isOpen ?? false;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#socket?.close();
    await this.#queue;
    this.#ignoredFrames.close();
  }

  #connect(): void {
    const { config, runtime, events } = this.#parts;
    const socket = new ReconnectingSocket(
      `${config.wsUrl}/user`,
      { ...config.stream },
      {
        onOpen: () => {
          this.#logIn(socket);
          if (this.#hasBeenDown) events.onReconnect();
        },
        onDown: () => {
          this.#hasBeenDown = true;
        },
        onFrame: (text) => this.#read(text),
        onSuspect: () => undefined,
        onSilence: () => undefined,
      },
      runtime,
    );
    this.#socket = socket;
  }

  /** With the key of the moment: the one before may have been forgotten by the venue, which is why we are here. */
  #logIn(socket: ReconnectingSocket): void {
    const credentials = this.#parts.sessions.current()?.credentials;
    if (!credentials) {
      socket.reconnect('there is no API key at the moment');
      return;
    }
    const { key, secret, passphrase } = credentials;
    this.#apiKey = key;
    socket.send({ auth: { apiKey: key, secret, passphrase }, type: 'user' });
  }

  #read(text: string): void {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      this.#ignored('not JSON');
      return;
    }
    for (const frame of Array.isArray(parsed) ? parsed : [parsed]) {
      this.#queue = this.#queue
        .then(() => this.#handle(frame))
        .catch((error: unknown) => {
          this.#ignored(error instanceof Error ? error.message : String(error));
        });
    }
  }

  async #handle(frame: unknown): Promise<void> {
    if (this.#isClosed) return;
    const type = eventType(frame);
    if (type === 'order') this.#parts.events.onOrder(readOrderEvent(frame));
    else if (type === 'trade') for (const fill of await this.#readFills(frame)) this.#parts.events.onFill(fill);
    else this.#ignored(type);
  }

  async #readFills(frame: unknown): Promise<VenueFill[]> {
    const trade = wireTrade.parse(frame);
    const market = await this.#parts.catalogue.knownMarket(trade.market);
    return fillsOfTrade(trade, market, { apiKey: this.#apiKey, maker: this.#parts.maker });
  }

  #ignored(what: string): void {
    this.#ignoredFrames.note(this.#parts.secrets.clean(what));
  }
}

function eventType(frame: unknown): string {
  if (typeof frame !== 'object' || frame === null || !('event_type' in frame)) return 'no event type';
  return String(frame.event_type).toLowerCase();
}
