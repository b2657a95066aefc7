import type { UserStream, UserStreamEvents, VenueFill, VenueWorld } from '../venue.ts';
import type { Session, Sessions } from './auth.ts';
import type { PolymarketCatalogue } from './catalogue.ts';
import type { PolymarketConfig } from './config.ts';
import type { Secrets } from './errors.ts';
import { fillsOfTrade } from './fills.ts';
import { readOrderEvent } from './orders.ts';
import { KeptSocket } from './socket.ts';
import { wireTrade } from './wire.ts';

export type UserStreamParts = {
  config: PolymarketConfig;
  world: VenueWorld;
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
  #socket: KeptSocket | null = null;
  #isClosed = false;
  #hasBeenDown = false;
  /** Facts are passed on in the order they came, although a fill may have to wait for its market. */
  #queue: Promise<void> = Promise.resolve();

  constructor(parts: UserStreamParts) {
    this.#parts = parts;
    void parts.sessions.established.then((session) => {
      if (!this.#isClosed) this.#connect(session);
    });
  }

  connected(): boolean {
    return this.#socket?.isOpen ?? false;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#socket?.close();
    await this.#queue;
  }

  #connect({ credentials }: Session): void {
    const { config, world, events } = this.#parts;
    const auth = { apiKey: credentials.key, secret: credentials.secret, passphrase: credentials.passphrase };
    const socket = new KeptSocket(
      `${config.wsUrl}/user`,
      { ...config.stream },
      {
        onOpen: () => {
          socket.send({ auth, type: 'user' });
          if (this.#hasBeenDown) events.onReconnect();
        },
        onDown: () => {
          this.#hasBeenDown = true;
        },
        onFrame: (text) => this.#read(text, credentials.key),
        onSuspect: () => undefined,
        onSilence: () => undefined,
      },
      world,
    );
    this.#socket = socket;
  }

  #read(text: string, apiKey: string): void {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      this.#ignored('not JSON');
      return;
    }
    for (const frame of Array.isArray(parsed) ? parsed : [parsed]) {
      this.#queue = this.#queue
        .then(() => this.#handle(frame, apiKey))
        .catch((error: unknown) => {
          this.#ignored(error instanceof Error ? error.message : String(error));
        });
    }
  }

  async #handle(frame: unknown, apiKey: string): Promise<void> {
    if (this.#isClosed) return;
    const type = eventType(frame);
    if (type === 'order') this.#parts.events.onOrder(readOrderEvent(frame));
    else if (type === 'trade') for (const fill of await this.#readFills(frame, apiKey)) this.#parts.events.onFill(fill);
    else this.#ignored(type);
  }

  async #readFills(frame: unknown, apiKey: string): Promise<VenueFill[]> {
    const trade = wireTrade.parse(frame);
    const market = await this.#parts.catalogue.knownMarket(trade.market);
    return fillsOfTrade(trade, market, { apiKey, maker: this.#parts.maker });
  }

  #ignored(what: string): void {
    this.#parts.world.log.warn({ what: this.#parts.secrets.clean(what) }, 'a frame of the user stream was ignored');
  }
}

function eventType(frame: unknown): string {
  if (typeof frame !== 'object' || frame === null || !('event_type' in frame)) return 'no event type';
  return String(frame.event_type).toLowerCase();
}
