import { type UserStream, type UserStreamEvents, type VenueRuntime, VenueUnavailable } from '../venue.ts';
import type { ReadingContext } from './account-lists.ts';
import { nameOf, notePlace } from './account-reads.ts';
import type { StreamConfig } from './config.ts';
import { fillOf, readFill } from './fills.ts';
import { SignedSocket } from './market-stream/socket.ts';
import { readOrder } from './orders.ts';
import type { Signer } from './signing.ts';
import { type WireFrame, wireFrame } from './wire.ts';

export type UserStreamParts = {
  url: string;
  config: StreamConfig;
  signer: Signer;
  runtime: VenueRuntime;
  context: ReadingContext;
  events: UserStreamEvents;
};

const CHANNELS = ['fill', 'user_orders'];

/**
 * Our own orders and fills as they happen. The frames have no numbers, so that one that is lost is not missed here: who relies on
 * what it says reads the account on a timer, and after every reconnect.
 */
export class KalshiUserStream implements UserStream {
  readonly #parts: UserStreamParts;
  readonly #socket: SignedSocket;
  #hasBeenDown = false;
  #isSubscribed = false;
  /** Frames are passed on in the order they came, although the name of a fill's order may have to be read. */
  #queue: Promise<void> = Promise.resolve();

  constructor(parts: UserStreamParts) {
    this.#parts = parts;
    this.#socket = new SignedSocket(parts, {
      onOpen: () => {
        this.#socket.send({ id: 1, cmd: 'subscribe', params: { channels: CHANNELS } });
        if (this.#hasBeenDown) parts.events.onReconnect();
      },
      onDown: () => {
        this.#hasBeenDown = true;
        this.#isSubscribed = false;
      },
      onFrame: (text) => this.#receive(text),
    });
  }

  connected(): boolean {
    return this.#socket.isOpen && this.#isSubscribed;
  }

  async close(): Promise<void> {
    await this.#socket.close();
    await this.#queue;
  }

  #receive(text: string): void {
    const frame = readFrame(text);
    if (frame === null) return;
    if (frame.type === 'subscribed') this.#isSubscribed = true;
    if (frame.type === 'error') this.#socket.reconnect('the venue refused the subscription');
    if (frame.type !== 'fill' && frame.type !== 'user_order') return;
    this.#queue = this.#queue
      .then(() => this.#handle(frame))
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.#parts.runtime.log.warn({ reason, type: frame.type }, 'kalshi user frame ignored');
      });
  }

  async #handle({ type, msg }: WireFrame): Promise<void> {
    const { context, events } = this.#parts;
    if (type === 'user_order') {
      const order = readOrder(msg);
      notePlace(context, order);
      events.onOrder(order);
      return;
    }
    const wire = readFill(msg);
    const name = await nameOf(context, wire).catch((error: unknown) => {
      // Who reads on a timer finds it.
      if (error instanceof VenueUnavailable) return null;
      throw error;
    });
    if (name !== null) events.onFill(fillOf(wire, name));
  }
}

function readFrame(text: string): WireFrame | null {
  try {
    return wireFrame.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
