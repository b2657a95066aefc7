/** Recorded best bids as frames of the venue, through the books of the adapter to the screen. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { bestBid } from '@dutchbook/engine/book/book.ts';
import { type Bounds, boundsOfBook, UNQUOTED } from '@dutchbook/engine/relation/bounds.ts';
import {
  asksBelowOne,
  BracketScreen,
  bidsAboveOne,
  type Change,
  changesIn,
  DAYS,
  FEE,
  Runs,
} from '@dutchbook/engine/relation/recorded-brackets.fixture.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import type { VenueSocket } from '../../network.ts';
import { KALSHI_DEFAULTS } from '../config.ts';
import { MarketShard } from './market-shard.ts';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? join(import.meta.dirname, '../../../../../shared/data');
const fileOf = (day: string) => join(DATA_DIR, 'kalshi/top-of-book', `KXHIGHNY-${day}.csv.gz`);
const isPresent = DAYS.every((day) => existsSync(fileOf(day)));
if (!isPresent)
  process.stdout.write('recorded market data is not there: the stream of Kalshi is not tested on recorded brackets\n');
const readDay = (day: string) => changesIn(gunzipSync(readFileSync(fileOf(day))).toString());

const SID = 1;
const SIZE = '1.00';

/** The venue's end of the one connection: it says what a recorded change is on the wire. */
class Wire {
  readonly shard: MarketShard;
  readonly #kept = new Map<string, Change>();
  readonly #listeners = new Map<string, (data: { toString(): string }, isBinary: boolean) => void>();
  #nowMs = 0;
  #seq = 0;

  constructor() {
    const socket = {
      readyState: 1,
      send: () => {},
      terminate: () => this.#listeners.get('close')?.('', false),
      on: (event: string, heard: never) => this.#listeners.set(event, heard),
    };
    const now = () => instantFromMs(this.#nowMs);
    const log = { info: () => {}, warn: (_about: object, message: string) => expect.unreachable(message) };
    this.shard = new MarketShard({
      url: 'wss://venue.example',
      config: KALSHI_DEFAULTS.stream,
      signer: () => ({
        'KALSHI-ACCESS-KEY': '',
        'KALSHI-ACCESS-TIMESTAMP': '',
        'KALSHI-ACCESS-SIGNATURE': '',
      }),
      runtime: { now, random: () => 0, log, network: { fetch, openSocket: () => socket as unknown as VenueSocket } },
      events: { onBooks: () => {}, onTrust: () => {}, onTick: () => {}, onResolved: () => {} },
      venueNow: now,
      onActivity: () => {},
    });
    this.#listeners.get('open')?.('', false);
    this.#say({ type: 'subscribed', id: 1, msg: { channel: 'orderbook_delta', sid: SID } });
  }

  /** A snapshot of a market of which nothing was heard before, else a frame for each level that went or came. */
  change(change: Change): void {
    const { ticker, atS } = change;
    this.#nowMs = Math.round(atS * 1000);
    const before = this.#kept.get(ticker);
    this.#kept.set(ticker, change);
    if (before === undefined) this.#snapshot(change);
    else {
      const sides = [
        ['yes', before.bid, change.bid],
        ['no', before.noBid, change.noBid],
      ] as const;
      for (const [side, cents] of sides.flatMap(([name, was, is]) => (was === is ? [] : [[name, was] as const])))
        if (cents > 0) this.#delta(ticker, { side, cents, delta: `-${SIZE}` });
      for (const [side, cents] of sides.flatMap(([name, was, is]) => (was === is ? [] : [[name, is] as const])))
        if (cents > 0) this.#delta(ticker, { side, cents, delta: SIZE });
    }
  }

  #snapshot({ ticker, bid, noBid }: Change): void {
    this.shard.add([ticker]);
    const side = (cents: number) => (cents > 0 ? [[dollars(cents), SIZE]] : []);
    const msg = { market_ticker: ticker, yes_dollars_fp: side(bid), no_dollars_fp: side(noBid) };
    this.#say({ type: 'orderbook_snapshot', sid: SID, seq: ++this.#seq, msg });
  }

  #delta(ticker: string, { side, cents, delta }: { side: 'yes' | 'no'; cents: number; delta: string }): void {
    const msg = { market_ticker: ticker, price_dollars: dollars(cents), delta_fp: delta, side, ts_ms: this.#nowMs };
    this.#say({ type: 'orderbook_delta', sid: SID, seq: ++this.#seq, msg });
  }

  #say(frame: object): void {
    this.#listeners.get('message')?.(JSON.stringify(frame), false);
  }
}

function dollars(cents: number): string {
  return (cents / 100).toFixed(4);
}

describe.runIf(isPresent)('recorded brackets over the stream of the venue', () => {
  it.each([
    ['26JAN03', [1, 2], [316, 7743]],
    ['25DEC11', [61, 1213], [86, 1030]],
    ['25DEC08', [45, 856], [123, 1399]],
  ])(
    'of %s pay by YES and by NO as often and as long as was measured, and by the screen just then',
    async (day, yes, no) => {
      const wire = new Wire();
      const changes = readDay(day);
      const [below, above] = [new Runs(), new Runs()];
      const bounds: Bounds[] = [];
      let screen: BracketScreen | undefined;
      const wrong = { bids: 0, judgements: 0 };
      let beforeS = changes[0]?.atS ?? 0;
      for (const change of changes) {
        wire.change(change);
        const book = wire.shard.feed(change.ticker)?.books.yes.book;
        wrong.bids += ((book && bestBid(book)) ?? 0) === change.bid * 10_000 ? 0 : 1;
        bounds[change.market] = boundsOfBook(book, FEE);
        if (bounds.length === 6) {
          screen ??= new BracketScreen(bounds);
          screen.change(change.market, bounds[change.market] ?? UNQUOTED);
          const [isBelow, isAbove] = [asksBelowOne(bounds), bidsAboveOne(bounds)];
          below.note(isBelow, change.atS - beforeS);
          above.note(isAbove, change.atS - beforeS);
          wrong.judgements += screen.isPaying === (isBelow || isAbove) ? 0 : 1;
        }
        beforeS = change.atS;
      }
      await wire.shard.close();
      expect([below.answer, above.answer, wrong]).toEqual([yes, no, { bids: 0, judgements: 0 }]);
    },
  );
});
