import { z } from 'zod';
import type { StreamSocket } from '../../polymarket/connection.ts';
import type { Caller } from '../calls.ts';

export const CHANNELS = ['orderbook_delta', 'trade', 'fill', 'user_orders', 'market_lifecycle_v2'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Frames of these count on in their subscription; the others have no numbers, so that a lost one is not missed. */
const COUNTED: ReadonlySet<Channel> = new Set<Channel>(['orderbook_delta', 'trade', 'market_lifecycle_v2']);

/** The codes of the venue's errors that the dialect answers with. */
export const ERRORS = {
  unreadable: [1, 'Unable to process message'],
  paramsNeeded: [2, 'Params required'],
  channelsNeeded: [3, 'Channels required'],
  sidsNeeded: [4, 'Subscription IDs required'],
  unknownCommand: [5, 'Unknown command'],
  unknownSid: [7, 'Unknown subscription ID'],
  unknownChannel: [8, 'Unknown channel name'],
  oneSid: [12, 'Exactly one subscription ID is required'],
  badAction: [13, 'Unsupported action'],
  marketNeeded: [14, 'Market Ticker required'],
  slowReader: [25, 'Subscription buffer overflow'],
} as const;
export type ErrorName = keyof typeof ERRORS;

export const command = z.object({
  id: z.int().nonnegative().default(0),
  cmd: z.string(),
  params: z
    .object({
      channels: z.array(z.string()).optional(),
      market_ticker: z.string().optional(),
      market_tickers: z.array(z.string()).optional(),
      use_yes_price: z.boolean().optional(),
      sid: z.int().optional(),
      sids: z.array(z.int()).optional(),
      action: z.string().optional(),
    })
    .optional(),
});
export type Params = NonNullable<z.infer<typeof command>['params']>;

/** One channel that a connection listens to. */
export class Subscription {
  readonly sid: number;
  readonly channel: Channel;
  readonly inYes: boolean;
  /** Null: every market. */
  readonly tickers: Set<string> | null;
  readonly #socket: StreamSocket;
  #seq = 0;

  constructor(
    socket: StreamSocket,
    of: { sid: number; channel: Channel; inYes: boolean; tickers: Set<string> | null },
  ) {
    this.#socket = socket;
    this.sid = of.sid;
    this.channel = of.channel;
    this.inYes = of.inYes;
    this.tickers = of.tickers;
  }

  wants(ticker: string): boolean {
    return this.tickers === null || this.tickers.has(ticker);
  }

  /** `isLost`: it takes its number and does not arrive. */
  send(type: string, msg: object, { id, isLost }: { id?: number; isLost?: boolean } = {}): void {
    const numbered = COUNTED.has(this.channel) ? { seq: ++this.#seq } : {};
    const frame = { type, ...(id === undefined ? {} : { id }), sid: this.sid, ...numbered, msg };
    if (isLost !== true) this.#socket.send(JSON.stringify(frame));
  }
}

/** A connection and all that it listens to. */
export interface Listener {
  readonly socket: StreamSocket;
  readonly caller: Caller;
  readonly subscriptions: Map<number, Subscription>;
  nextSid: number;
}
